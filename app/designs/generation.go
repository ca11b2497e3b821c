package designs

import "orrery/analysis/dse"

// upTo is the generation as of which fronts are shown, negative for all generations.
func (e *Explorer) upTo() int32 {
	if !e.shown.asOf || e.space == nil || !e.space.Generations.Known() {
		return dse.None
	}
	return max(e.now, dse.None)
}

// Generation shows the designs that were found until generation g; a negative g shows all. What is new in it blinks.
// Classes stay those of all designs, or become those of the generation where the user wants its fronts.
func (e *Explorer) Generation(g int32) {
	if e.now == g {
		return
	}
	forward := e.now >= 0 && g > e.now || e.now < 0 && g >= 0
	e.now = g
	if e.space == nil {
		return
	}
	if v := e.treeView; v != nil {
		v.fresh = nil
	}
	e.blinks = dse.None
	switch {
	case g < 0:
		e.blinks = int32(e.space.Generations.Count) - 1
	case forward:
		e.blinks = g
	}
	e.apply()
	if e.tree != nil && e.tree.Space.UpTo != e.upTo() {
		e.grow()
	} else {
		e.arrange()
	}
	e.blink()
	e.changed()
}

// blink lets what is new in a generation blink once its tree is there.
func (e *Explorer) blink() {
	if v := e.treeView; v != nil && e.tree != nil && e.blinks >= 0 && e.tree.Space.UpTo == e.upTo() {
		v.pulse(e.tree.Fresh(e.blinks))
		e.blinks = dse.None
	}
}
