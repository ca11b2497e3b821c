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
	opt Options
}

func newDin(w *bufio.Writer, opt Options) sink { return &din{w: w, opt: opt} }

func (s *din) block(b *traceio.Block, rep *Report) error {
	for i, k := range b.Kind {
		r := s.row[:0]
		switch pc := b.PC[i]; {
		case k == traceio.Fetch:
			s.pc = b.Addr[i]
		case pc != s.pc && pc != 0 && s.opt.Fetches:
			r, s.pc = line(r, traceio.Fetch, pc, 1), pc
			rep.Added++
		case pc != s.pc:
			rep.Instructions++
		}
		if b.Thread[i] != 0 {
			rep.Threads++
		}
		s.row = line(r, k, b.Addr[i], b.Size[i])
		if _, err := s.w.Write(s.row); err != nil {
			return err
		}
	}
	return nil
}

func (s *din) end() error { return nil }

func line(r []byte, k traceio.Kind, a traceio.Addr, size uint16) []byte {
	r = append(r, '0'+byte(k), ' ')
	r = strconv.AppendUint(r, uint64(a), 16)
	r = strconv.AppendUint(append(r, ' '), uint64(size), 16)
	return append(r, '\n')
}

// lackey writes what valgrind --tool=lackey --trace-mem=yes --trace-sched=yes prints, with a line of the scheduler
// where the thread changes. Its first line is for detection.
type lackey struct {
	w      *bufio.Writer
	row    []byte
	pc     traceio.Addr // of the last fetch
	thread int
	seen   int // threads that have run
	opt    Options
}

func newLackey(w *bufio.Writer, opt Options) sink {
	w.WriteString("==0== Lackey, an example Valgrind tool: references exported by Orrery\n")
	return &lackey{w: w, opt: opt}
}

var lackeyWords = [...]string{traceio.Load: " L ", traceio.Store: " S ", traceio.Fetch: "I  "}

func (s *lackey) block(b *traceio.Block, rep *Report) error {
	for i, k := range b.Kind {
		r := s.row[:0]
		if t := int(b.Thread[i]); t != s.thread {
			r = s.schedule(r, t)
		}
		switch pc := b.PC[i]; {
		case k == traceio.Fetch:
			s.pc = b.Addr[i]
		case pc != s.pc && pc != 0 && s.opt.Fetches:
			r, s.pc = traced(r, traceio.Fetch, pc, 1), pc
			rep.Added++
		case pc != s.pc:
			rep.Instructions++
		}
		s.row = traced(r, k, b.Addr[i], b.Size[i])
		if _, err := s.w.Write(s.row); err != nil {
			return err
		}
	}
	return nil
}

// traced is lackey's line for one reference.
func traced(r []byte, k traceio.Kind, a traceio.Addr, size uint16) []byte {
	r = append(r, lackeyWords[k]...)
	for at := uint64(1 << 28); at > 1 && uint64(a) < at; at >>= 4 {
		r = append(r, '0') // valgrind pads to eight digits
	}
	r = strconv.AppendUint(r, uint64(a), 16)
	r = strconv.AppendUint(append(r, ','), uint64(size), 10)
	return append(r, '\n')
}

// schedule lets thread t run. A reader numbers threads in the order in which they first run, so those with lower
// numbers that have not run yet are let run for no time.
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
