package export

import "orrery/traceio"

// event is an allocation or a mark: one row of the table of events.
type event struct {
	seq, ticks, address, size, usable, stack, value uint64
	thread                                          uint16
	what, text                                      string
}

// Words for what an event is.
const (
	whatMalloc = "malloc"
	whatFree   = "free"
)

var markWords = map[traceio.MarkKind]string{
	traceio.ThreadStart: "thread-start", traceio.ThreadEnd: "thread-end", traceio.UserMark: "mark", traceio.Gap: "gap",
	traceio.Enter: "enter",
}

// merge gives the allocations and marks of a block in the order of their Seq; at the same one, marks come first: a
// thread starts before it allocates.
func merge(b *traceio.Block) []event {
	out := make([]event, 0, len(b.Allocs)+len(b.Marks))
	allocs, marks := b.Allocs, b.Marks
	for len(allocs)+len(marks) > 0 {
		if len(marks) > 0 && (len(allocs) == 0 || marks[0].Seq <= allocs[0].Seq) {
			m := &marks[0]
			what, ok := markWords[m.Kind]
			if !ok {
				what = "other"
			}
			out = append(out, event{seq: uint64(m.Seq), ticks: uint64(m.Ticks), value: m.Value, thread: uint16(m.Thread),
				what: what, text: m.Text})
			marks = marks[1:]
			continue
		}
		a := &allocs[0]
		e := event{seq: uint64(a.Seq), ticks: uint64(a.Ticks), address: uint64(a.Addr), size: a.Size, usable: a.Usable,
			stack: uint64(a.Stack), thread: uint16(a.Thread), what: whatMalloc}
		if a.Op == traceio.Free {
			e.what = whatFree
		}
		out = append(out, e)
		allocs = allocs[1:]
	}
	return out
}
