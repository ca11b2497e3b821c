package bgv

import (
	"io"

	"orrery/traceio/irgraph"
)

// Stream reads a document that is still being written and passes on its outermost groups as they end; the returned
// document has only the problems. The error is what ended the stream, nil where it ended between groups.
func Stream(in io.Reader, name string, to irgraph.Receiver) (*irgraph.Document, error) {
	r := newReader(in, name)
	r.account.To = &to
	r.document()
	r.close()
	if r.err != nil && len(r.open) > 0 {
		to.Ended(r.open[0], false)
	}
	return r.doc, r.err
}

// hold counts n bytes more that groups take. Where the receiver does not allow them, the stream ends.
func (r *reader) hold(n int) { r.endWith(r.account.Hold(n, 0)) }

// holdPool counts n bytes more, or fewer, that the pool takes.
func (r *reader) holdPool(n int) {
	r.poolBytes += n
	r.endWith(r.account.Hold(0, n))
}

// endWith ends the stream, unless it has ended.
func (r *reader) endWith(err error) {
	if r.err == nil {
		r.err = err
	}
}

// pooled is the shared copy of a text.
func (r *reader) pooled(s string) string {
	n := len(r.texts)
	if s = r.texts.Text(s); len(r.texts) > n {
		r.hold(irgraph.CostText + len(s))
	}
	return s
}

// handOut passes on the outermost group. Only the pool is kept, as a stream may go on for ever.
func (r *reader) handOut() {
	g := r.doc.Groups[0]
	r.doc.Groups, r.doc.Properties = nil, nil
	r.texts, r.budget = irgraph.Pool{}, irgraph.NewBudget(irgraph.MaxElements)
	r.account.To.Ended(g, true)
}
