package session

import (
	"slices"

	"orrery/traceio"
	"orrery/views/link"
)

// coderunSteps is into how many steps a stretch is cut that is short against the pieces of the digest.
const coderunSteps = 512

// CodeRuns are the times in a stretch at which a line, a function or some instructions make references, in order and
// apart: pieces of the digest, or finer where the stretch is short against them. Of what is no code there are none.
func (r *Recording) CodeRuns(t link.Thing, view link.Range) (out []link.Range) {
	chosen := r.codeIn(t)
	if chosen == nil || r.Len() == 0 {
		return nil
	}
	add := func(from, to traceio.Seq) {
		if n := len(out); n > 0 && out[n-1].To == from {
			out[n-1].To = to
			return
		}
		out = append(out, link.Range{From: from, To: to})
	}
	grain := max(1, r.Digest.Grain)
	if span := view.To - view.From; span > coderunSteps/2*grain {
		for piece := view.From / grain; piece*grain < view.To; piece++ {
			for _, x := range r.Digest.Pieces[piece].Code {
				if x.Loads+x.Stores > 0 && chosen(x.PC) {
					add(piece*grain, min(r.Len(), (piece+1)*grain))
					break
				}
			}
		}
		return out
	}
	step := max(1, (view.To-view.From)/coderunSteps)
	r.eachReference(view, func(s traceio.Seq, pc traceio.Addr) {
		from := view.From + (s-view.From)/step*step
		if n := len(out); n > 0 && out[n-1].To > s {
			return // known to run in this step
		}
		if chosen(pc) {
			add(from, min(view.To, from+step))
		}
	})
	return out
}

// codeIn tells of an instruction whether it is among those of a line, a function or some instructions; nil for another
// thing and for what makes no references.
func (r *Recording) codeIn(t link.Thing) func(pc traceio.Addr) bool {
	if t.What == link.Instructions {
		pcs := t.PCs()
		return func(pc traceio.Addr) bool {
			_, is := slices.BinarySearch(pcs, pc)
			return is
		}
	}
	chosen := r.linesOf(t)
	if chosen == nil {
		return nil
	}
	look := r.Lines.Lookup()
	return func(pc traceio.Addr) bool {
		line := look.Of(pc)
		return line >= 0 && chosen[line]
	}
}

// linesOf marks the lines that a line or function is; nil for what is neither or makes no references.
func (r *Recording) linesOf(t link.Thing) (chosen []bool) {
	for i := range int32(r.Lines.Len()) {
		l := r.Lines.At(i)
		is := t.What == link.Line && l.Line == t.Line && l.File == t.File ||
			t.What == link.Function && traceio.ShortFunction(l.Function) == traceio.ShortFunction(t.Name)
		if is && chosen == nil {
			chosen = make([]bool, r.Lines.Len())
		}
		if is {
			chosen[i] = true
		}
	}
	return chosen
}

// eachReference gives the data references of a stretch, as far as they can be read.
func (r *Recording) eachReference(view link.Range, give func(s traceio.Seq, pc traceio.Addr)) {
	for s := view.From; s < view.To; {
		b, err := r.Block(r.Find(s))
		if err != nil {
			return
		}
		for row := b.Row(s); row < b.Len() && s < view.To; row++ {
			if b.Kind[row] != traceio.Fetch {
				give(s, b.PC[row])
				s++
			}
		}
	}
}
