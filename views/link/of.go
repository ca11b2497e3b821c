package link

import "orrery/traceio"

// The things of each kind are made here and nowhere else, so that equal things are the same thing.

// OfLine is a line of a source file, counted from 1; 0 is all of the file's code of which no line is known.
func OfLine(file string, line int) Thing { return Thing{What: Line, File: file, Line: line} }

// OfFunction is a function by its name.
func OfFunction(name string) Thing { return Thing{What: Function, Name: name} }

// OfRegion is a named part of memory.
func OfRegion(name string) Thing { return Thing{What: Region, Name: name} }

// OfBlock is a block of the heap with its addresses [low, high).
func OfBlock(id int, low, high traceio.Addr) Thing {
	return Thing{What: Block, ID: id, Low: low, High: high}
}

// OfBytes is the bytes [low, high).
func OfBytes(low, high traceio.Addr) Thing { return Thing{What: Address, Low: low, High: high} }

// OfSet is a set of a cache level.
func OfSet(level string, set int) Thing { return Thing{What: Set, Name: level, ID: set} }

// OfTime is a stretch of time.
func OfTime(span Range) Thing { return Thing{What: Time, Span: span} }

// OfDesign is a design point.
func OfDesign(id int) Thing { return Thing{What: Design, ID: id} }

// OfSubspace is a combination of parameters.
func OfSubspace(id int) Thing { return Thing{What: Subspace, ID: id} }

// OfError is an error of a log of allocations by its name, which tells it from all others of its log that concern the
// same memory: a block with its addresses, or with a block of -1 some bytes.
func OfError(name string, block int, low, high traceio.Addr) Thing {
	return Thing{What: Error, Name: name, ID: block, Low: low, High: high}
}

// AsMemory is the block or the bytes that an error concerns, for views that show memory; other things are themselves.
func (t Thing) AsMemory() Thing {
	switch {
	case t.What != Error:
		return t
	case t.ID >= 0:
		return OfBlock(t.ID, t.Low, t.High)
	}
	return OfBytes(t.Low, t.High)
}
