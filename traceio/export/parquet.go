package export

import (
	"bufio"

	"orrery/traceio"
)

// parquetSink writes the columns of csvSink, typed: kind is a text, the others are unsigned numbers.
type parquetSink struct {
	t     *table
	wide  []uint64
	words []string
}

func newParquet(w *bufio.Writer, _ Options) sink {
	return &parquetSink{t: newTable(w, []column{
		{name: "seq", kind: u64, rising: true}, {name: "thread", kind: u16}, {name: "kind", kind: text},
		{name: "address", kind: u64}, {name: "size", kind: u16}, {name: "pc", kind: u64},
	})}
}

func (s *parquetSink) block(b *traceio.Block, _ *Report) error {
	if b.Len() == 0 {
		return nil
	}
	s.wide, s.words = s.wide[:0], s.words[:0]
	seq := uint64(b.First)
	for _, k := range b.Kind {
		s.wide, s.words = append(s.wide, seq), append(s.words, k.String())
		if k != traceio.Fetch {
			seq++
		}
	}
	s.t.numbers(0, s.wide)
	s.t.texts(2, s.words)
	s.wide = widen(s.wide, b.Thread)
	s.t.numbers(1, s.wide)
	s.wide = widen(s.wide, b.Addr)
	s.t.numbers(3, s.wide)
	s.wide = widen(s.wide, b.Size)
	s.t.numbers(4, s.wide)
	s.wide = widen(s.wide, b.PC)
	s.t.numbers(5, s.wide)
	return s.t.added(b.Len())
}

func (s *parquetSink) end() error { return s.t.end() }

// widen copies a column into the memory of dst.
func widen[T ~uint16 | ~uint64](dst []uint64, src []T) []uint64 {
	dst = dst[:0]
	for _, x := range src {
		dst = append(dst, uint64(x))
	}
	return dst
}

// eventParquet writes the columns of eventCSV, typed.
type eventParquet struct {
	t    *table
	rows []event
}

// eventColumns are the columns of the table of events, with what they take from one.
var eventColumns = []struct {
	name   string
	kind   int
	number func(e *event) uint64
	text   func(e *event) string
}{
	{"seq", u64, func(e *event) uint64 { return e.seq }, nil},
	{"ticks", u64, func(e *event) uint64 { return e.ticks }, nil},
	{"thread", u16, func(e *event) uint64 { return uint64(e.thread) }, nil},
	{"event", text, nil, func(e *event) string { return e.what }},
	{"address", u64, func(e *event) uint64 { return e.address }, nil},
	{"size", u64, func(e *event) uint64 { return e.size }, nil},
	{"usable", u64, func(e *event) uint64 { return e.usable }, nil},
	{"stack", u64, func(e *event) uint64 { return e.stack }, nil},
	{"value", u64, func(e *event) uint64 { return e.value }, nil},
	{"text", text, nil, func(e *event) string { return e.text }},
}

func newEventParquet(w *bufio.Writer) eventSink {
	var columns []column
	for _, c := range eventColumns {
		columns = append(columns, column{name: c.name, kind: c.kind, rising: c.name == "seq"})
	}
	return &eventParquet{t: newTable(w, columns)}
}

func (s *eventParquet) event(e *event) error {
	if s.rows = append(s.rows, *e); len(s.rows) < traceio.MaxBlock {
		return nil
	}
	return s.flush()
}

func (s *eventParquet) flush() error {
	if len(s.rows) == 0 {
		return nil
	}
	for i, c := range eventColumns {
		if c.text != nil {
			words := make([]string, len(s.rows))
			for k := range s.rows {
				words[k] = c.text(&s.rows[k])
			}
			s.t.texts(i, words)
			continue
		}
		v := make([]uint64, len(s.rows))
		for k := range s.rows {
			v[k] = c.number(&s.rows[k])
		}
		s.t.numbers(i, v)
	}
	n := len(s.rows)
	s.rows = s.rows[:0]
	return s.t.added(n)
}

func (s *eventParquet) end() error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.t.end()
}
