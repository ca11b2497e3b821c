package export

import (
	"bufio"
	"strconv"

	"orrery/traceio"
)

// din writes "label address size", all but the label hexadecimal. Dinero's -informat d takes what stands behind the
// address for a comment; Orrery reads the size back.
type din struct {
	w   *bufio.Writer
	row []byte
	pc  traceio.Addr // of the last fetch
}

func newDin(w *bufio.Writer) sink { return &din{w: w} }

func (s *din) block(b *traceio.Block, rep *Report) error {
	for i, k := range b.Kind {
		if k == traceio.Fetch {
			s.pc = b.Addr[i]
		} else if b.PC[i] != s.pc {
			rep.Instructions++
		}
		if b.Thread[i] != 0 {
			rep.Threads++
		}
		r := append(s.row[:0], '0'+byte(k), ' ')
		r = strconv.AppendUint(r, uint64(b.Addr[i]), 16)
		r = strconv.AppendUint(append(r, ' '), uint64(b.Size[i]), 16)
		s.row = append(r, '\n')
		if _, err := s.w.Write(s.row); err != nil {
			return err
		}
	}
	return nil
}

func (s *din) end() error { return nil }

// lackey writes what valgrind --tool=lackey --trace-mem=yes --trace-sched=yes prints, with a line of the scheduler where
// the thread changes. Its first line is for detection.
type lackey struct {
	w      *bufio.Writer
	row    []byte
	pc     traceio.Addr // of the last fetch
	thread int
	seen   int // threads that have run
}

func newLackey(w *bufio.Writer) sink {
	w.WriteString("==0== Lackey, an example Valgrind tool: references exported by Orrery\n")
	return &lackey{w: w}
}

var lackeyWords = [...]string{traceio.Load: " L ", traceio.Store: " S ", traceio.Fetch: "I  "}

func (s *lackey) block(b *traceio.Block, rep *Report) error {
	for i, k := range b.Kind {
		r := s.row[:0]
		if t := int(b.Thread[i]); t != s.thread {
			r = s.schedule(r, t)
		}
		if k == traceio.Fetch {
			s.pc = b.Addr[i]
		} else if b.PC[i] != s.pc {
			rep.Instructions++
		}
		r = append(r, lackeyWords[k]...)
		for at := uint64(1 << 28); at > 1 && uint64(b.Addr[i]) < at; at >>= 4 {
			r = append(r, '0') // valgrind pads to eight digits
		}
		r = strconv.AppendUint(r, uint64(b.Addr[i]), 16)
		r = strconv.AppendUint(append(r, ','), uint64(b.Size[i]), 10)
		s.row = append(r, '\n')
		if _, err := s.w.Write(s.row); err != nil {
			return err
		}
	}
	return nil
}

// schedule lets thread t run. A reader numbers threads in the order in which they first run, so those with lower numbers
// that have not run yet are let run for no time.
func (s *lackey) schedule(r []byte, t int) []byte {
	for ; s.seen < t; s.seen++ {
		r = acquired(r, s.seen+1)
	}
	s.seen, s.thread = max(s.seen, t+1), t
	return acquired(r, t+1)
}

// acquired is valgrind's line for thread n, from 1, that takes the one lock.
func acquired(r []byte, n int) []byte {
	r = append(r, "--0--   SCHED["...)
	r = strconv.AppendInt(r, int64(n), 10)
	return append(r, "]:  acquired lock (exported)\n"...)
}

func (s *lackey) end() error { return nil }
