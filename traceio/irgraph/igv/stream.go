package igv

import (
	"encoding/xml"
	"io"
	"strings"

	"orrery/traceio/irgraph"
)

// Stream reads a document that is still being written and passes on its outermost groups as they end; the returned
// document has only the problems. The error is what ended the stream, nil at the end of the document.
func Stream(r io.Reader, name string, to irgraph.Receiver) (*irgraph.Document, error) {
	x := newReader(r, name)
	x.account.To = &to
	err := x.document()
	x.close(err)
	return x.doc, err
}

// pooled is the shared copy of a text.
func (r *reader) pooled(s string) string {
	n := len(r.pool)
	if s = r.pool.Text(s); len(r.pool) > n {
		r.account.Add(irgraph.CostText + len(s))
	}
	return s
}

// handOut passes on an outermost group. Nothing of it is kept, as a stream may go on for ever.
func (r *reader) handOut(g *irgraph.Group, err error) error {
	if reported := r.account.Report(); err == nil {
		err = reported
	}
	r.doc.Groups, r.doc.Properties = nil, nil
	r.pool, r.budget = irgraph.Pool{}, irgraph.NewBudget(irgraph.MaxElements)
	r.account.To.Ended(g, err == nil)
	return err
}

// lines reads a text of which each line becomes something that takes so many bytes.
func (r *reader) lines(e xml.StartElement, each int) (string, error) {
	text, err := r.text(e)
	if held := r.account.Hold(len(text)+(1+strings.Count(text, "\n"))*each, 0); held != nil {
		return "", held
	}
	return text, err
}
