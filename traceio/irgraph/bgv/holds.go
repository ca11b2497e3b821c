package bgv

import (
	"io"

	"orrery/traceio/irgraph"
)

// Stream reads a document that is still being written and hands out its outermost groups as they end; the document that
// it returns has none, only what was wrong. The error is what ended the stream, nil where it ended between groups.
func Stream(in io.Reader, name string, to irgraph.Receiver) (*irgraph.Document, error) {
	r := newReader(in, name)
	r.to = &to
	r.document()
	r.close()
	if r.err != nil && len(r.open) > 0 {
		to.Ended(r.open[0], false)
	}
	return r.doc, r.err
}

// heldUntold is how many bytes may be held before the receiver is asked.
const heldUntold = 8 << 10

// hold counts n bytes more that groups take. Where the receiver does not allow them, the stream ends.
func (r *reader) hold(n int) {
	if r.held += n; r.held >= heldUntold {
		r.tell()
	}
}

// keep counts n bytes more, or fewer, that the pool takes.
func (r *reader) keep(n int) {
	r.pooling += n
	if r.kept += n; max(r.kept, -r.kept) >= heldUntold {
		r.tell()
	}
}

// tell tells the receiver of what is held.
func (r *reader) tell() {
	group, pool := r.held, r.kept
	r.held, r.kept = 0, 0
	if r.to == nil {
		if r.all += group + pool; r.all > irgraph.MaxHeld && r.err == nil {
			r.err = irgraph.ErrHeld
		}
		return
	}
	if r.to.Holds == nil {
		return
	}
	if err := r.to.Holds(group, pool); err != nil && r.err == nil {
		r.err = err
	}
}

// pooled is the one copy of a text.
func (r *reader) pooled(s string) string {
	n := len(r.texts)
	if s = r.texts.Text(s); len(r.texts) > n {
		r.hold(irgraph.CostText + len(s))
	}
	return s
}

// handOut gives the outermost group away. Nothing of it is kept but the pool, for a stream may go on for ever.
func (r *reader) handOut() {
	g := r.doc.Groups[0]
	r.doc.Groups, r.doc.Properties = nil, nil
	r.texts, r.budget = irgraph.Pool{}, irgraph.NewBudget(irgraph.MaxElements)
	r.to.Ended(g, true)
}
