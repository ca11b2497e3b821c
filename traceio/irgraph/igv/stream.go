package igv

import (
	"encoding/xml"
	"io"
	"strings"

	"orrery/traceio/irgraph"
)

// Stream reads a document that is still being written and hands out its outermost groups as they end; the document that
// it returns has none, only what was wrong. The error is what ended the stream, nil at the end of the document.
func Stream(r io.Reader, name string, to irgraph.Receiver) (*irgraph.Document, error) {
	x := newReader(r, name)
	x.to = &to
	err := x.document()
	x.close(err)
	return x.doc, err
}

// heldUntold is how many bytes may be held before the receiver is asked.
const heldUntold = 8 << 10

// hold asks the receiver whether the reader may hold n bytes more.
func (r *reader) hold(n int) error {
	r.held += n
	if r.held < heldUntold {
		return nil
	}
	return r.tell()
}

// tell tells the receiver of what is held.
func (r *reader) tell() error {
	n := r.held
	r.held = 0
	if r.to == nil {
		if r.all += n; r.all > irgraph.MaxHeld {
			return irgraph.ErrHeld
		}
		return nil
	}
	if r.to.Holds == nil {
		return nil
	}
	return r.to.Holds(n, 0)
}

// pooled is the one copy of a text.
func (r *reader) pooled(s string) string {
	n := len(r.pool)
	if s = r.pool.Text(s); len(r.pool) > n {
		r.held += irgraph.CostText + len(s)
	}
	return s
}

// handOut gives an outermost group away. Nothing of it is kept, for a stream may go on for ever.
func (r *reader) handOut(g *irgraph.Group, err error) error {
	if told := r.tell(); err == nil {
		err = told
	}
	r.doc.Groups, r.doc.Properties = nil, nil
	r.pool, r.budget = irgraph.Pool{}, irgraph.NewBudget(irgraph.MaxElements)
	r.to.Ended(g, err == nil)
	return err
}

// lines reads a text of which each line becomes something that takes so many bytes.
func (r *reader) lines(e xml.StartElement, each int) (string, error) {
	text, err := r.text(e)
	if held := r.hold(len(text) + (1+strings.Count(text, "\n"))*each); held != nil {
		return "", held
	}
	return text, err
}
