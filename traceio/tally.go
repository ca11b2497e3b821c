package traceio

import "fmt"

// Tally counts losses by kind, in the order of their first.
type Tally struct{ list []Loss }

// Add counts n records of one kind that cannot be used; the first stands at line or byte number at, as unit says.
func (t *Tally) Add(n uint64, kind, why, unit string, at int64) {
	for i := range t.list {
		if t.list[i].Kind == kind {
			t.list[i].Count += n
			return
		}
	}
	t.list = append(t.list, Loss{Kind: kind, Count: n, Why: why, First: fmt.Sprintf("%s %d", unit, at)})
}

// Line counts one line that cannot be used.
func (t *Tally) Line(kind, why string, line int) { t.Add(1, kind, why, "line", int64(line)) }

// Field counts one line that cannot be used for one of its fields, from 1.
func (t *Tally) Field(kind, why string, line, field int) {
	t.Add(1, kind, why, fmt.Sprintf("line %d, field", line), int64(field))
}

// Byte counts one record that cannot be used.
func (t *Tally) Byte(kind, why string, offset int64) { t.Add(1, kind, why, "byte", offset) }

// Tail tells that the stream ended with an error in front of its end.
func (t *Tally) Tail(err error, offset int64) {
	t.Byte("unreadable-tail", fmt.Sprintf("the rest of the file cannot be read (%v); was it cut?", err), offset)
}

// Rest tells how a stream of binary records stopped, if not at the end of one: with an error, or inside of a record,
// which is then passed over and counted as why says. Otherwise the answer is false.
func (t *Tally) Rest(w *Window, why string) bool {
	rest := len(w.Bytes())
	switch {
	case w.Err() != nil:
		t.Tail(w.Err(), w.Offset()+int64(rest))
	case rest > 0:
		t.Byte("cut-record", why, w.Offset())
	default:
		return false
	}
	w.Skip(rest)
	return true
}

// List gives the counts, nil when nothing was lost.
func (t *Tally) List() []Loss { return append([]Loss(nil), t.list...) }

// Crew numbers the threads of a trace densely in the order of their first record, whatever its format calls them.
type Crew struct {
	numbers map[uint64]Thread
	next    int
}

// maxCrew is how many threads a recording tells apart.
const maxCrew = 1 << 16

// Number gives the thread that the trace calls id, and whether it is new. Threads beyond the 65536th are all the last.
func (c *Crew) Number(id uint64) (t Thread, fresh bool) {
	if t, ok := c.numbers[id]; ok {
		return t, false
	}
	if c.numbers == nil {
		c.numbers = map[uint64]Thread{}
	}
	if c.next >= maxCrew {
		return maxCrew - 1, false
	}
	t = Thread(c.next)
	c.next++
	c.numbers[id] = t
	return t, true
}

// Leave forgets an id, which the system may give to another thread.
func (c *Crew) Leave(id uint64) { delete(c.numbers, id) }

// NaturalSize is what a format that tells no sizes leaves to guess: the widest access, up to 8 bytes, that is aligned
// by nature at a. It never reaches over the end of a cache line.
func NaturalSize(a Addr) uint16 {
	if a&7 == 0 {
		return 8
	}
	return uint16(a & -a)
}
