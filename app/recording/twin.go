package recording

import (
	"path/filepath"
	"strings"

	"orrery/views/link"
)

// Counterpart implements shell.Counterpart: a line is the same where file and number are, or, in another folder, the
// file's name and the number; functions and regions are the same where their names are. Instructions have other
// addresses in another program: what they have in common is the line.
func (d *Document) Counterpart(t link.Thing) (link.Thing, bool) {
	switch t.What {
	case link.Line, link.Instructions:
		return d.counterpartLine(t)
	case link.Function:
		for i := range d.rec.Lines.Len() {
			if d.rec.Lines.At(int32(i)).Function == t.Name {
				return link.OfFunction(t.Name), true
			}
		}
	case link.Region:
		for _, r := range d.rec.Regions.Regions() {
			if r.Name == t.Name {
				return regionThing(t.Name), true
			}
		}
	}
	return link.Thing{}, false
}

func (d *Document) counterpartLine(t link.Thing) (found link.Thing, ok bool) {
	for i := range d.rec.Lines.Len() {
		l := d.rec.Lines.At(int32(i))
		if l.Line != t.Line || filepath.Base(l.File) != filepath.Base(t.File) {
			continue
		}
		if l.File == t.File {
			return link.OfLine(l.File, l.Line), true
		}
		if !ok {
			found, ok = link.OfLine(l.File, l.Line), true
		}
	}
	if !ok { // a line that makes no references there is in the text
		for _, file := range d.rec.SourceFiles() {
			if filepath.Base(file) == filepath.Base(t.File) && t.Line > 0 && t.Line <= 1+strings.Count(d.rec.Text(file), "\n") {
				return link.OfLine(file, t.Line), true
			}
		}
	}
	return found, ok
}
