package traceio

import "fmt"

// Tally counts losses by kind, in the order of their first occurrence.
type Tally struct{ list []Loss }

// Add counts n records of one kind that cannot be used; the first is at number at of what unit says, a line or byte.
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

// Tail counts that the stream ended early, with an error.
func (t *Tally) Tail(err error, offset int64) {
	t.Byte("unreadable-tail", fmt.Sprintf("the rest of the file cannot be read (%v); was it cut?", err), offset)
}

// Rest counts how a stream of binary records stopped other than at the end of a record: with an error, or inside a
// record, which is skipped and counted as why says. It is false where the stream stopped at the end of a record.
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

// ThreadIDs maps the thread ids of a trace, whatever they are in its format, to dense numbers in the order of their
// first record.
type ThreadIDs struct {
	numbers map[uint64]Thread
	next    int
}

// maxThreads is how many threads a recording can distinguish.
const maxThreads = 1 << 16

// Number is the thread of an id, and whether the id is new. All beyond the 65536th have the last number.
func (m *ThreadIDs) Number(id uint64) (t Thread, fresh bool) {
	if t, ok := m.numbers[id]; ok {
		return t, false
	}
	if m.numbers == nil {
		m.numbers = map[uint64]Thread{}
	}
	if m.next >= maxThreads {
		return maxThreads - 1, false
	}
	t = Thread(m.next)
	m.next++
	m.numbers[id] = t
	return t, true
}

// Forget removes an id that the system may give to another thread.
func (m *ThreadIDs) Forget(id uint64) { delete(m.numbers, id) }

// NaturalSize is the size that is assumed where a format has none: the widest access, up to 8 bytes, that is naturally
// aligned at a. It never crosses the end of a cache line.
func NaturalSize(a Addr) uint16 {
	if a&7 == 0 {
		return 8
	}
	return uint16(a & -a)
}
