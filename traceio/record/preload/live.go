package preload

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orrery/traceio"
)

// liveLog is a traceio.Source of a log that is still being written. Threads write when they come to it, so that what is
// read is not in order of time: events are withheld from one look at the log to the next, and those that are no later
// than the latest of the look before are given then. One that a thread has taken longer to write down stands where it
// is found.
type liveLog struct {
	*Log
	file   *os.File
	ended  <-chan struct{} // closed when the program has ended
	closed bool            // all has been read
	open   []*chunk        // in which more may be written
	listed uint64          // chunks that have been looked at
	buf    []byte
	held   []timed
	bound  uint64 // the time of the latest event that was held before the last look
	ready  []traceio.Alloc
	last   traceio.Ticks
}

// timed is an event and its time on the processor's clock.
type timed struct {
	tick  uint64
	alloc traceio.Alloc
}

// between is the time between two looks at the log.
const between = 100 * time.Millisecond

// followLog reads the log of a running program.
func followLog(f *os.File, ended <-chan struct{}) (*liveLog, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading the log of allocations: %w", err)
	}
	l, err := OpenLog(f, info.Size(), f.Name())
	if err != nil {
		return nil, err
	}
	l.chunks = nil // it is read in another order
	return &liveLog{Log: l, file: f, ended: ended, buf: make([]byte, l.head.chunk)}, nil
}

// Next fills b with the next events, and waits for them; io.EOF follows the last.
func (l *liveLog) Next(b *traceio.Block) error {
	b.Reset(0)
	for len(l.ready) == 0 {
		if l.closed {
			return io.EOF
		}
		select {
		case <-l.ended:
			l.closed = true // nothing is written any more
		case <-time.After(between):
		}
		if err := l.look(); err != nil {
			return err
		}
	}
	n := min(len(l.ready), traceio.MaxBlock)
	b.Allocs = append(b.Allocs, l.ready[:n]...)
	l.ready = l.ready[n:]
	b.Start, b.End = b.Allocs[0].Ticks, b.Allocs[n-1].Ticks
	return nil
}

// look reads what has been written since the last look, and makes ready what may be given.
func (l *liveLog) look() error {
	info, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("reading the log of allocations: %w", err)
	}
	if l.head, err = readHeader(l.file, info.Size(), l.name); err != nil {
		return err
	}
	for ; l.listed < l.head.chunksInFile; l.listed++ {
		l.open = append(l.open, &chunk{number: l.listed})
	}
	for _, h := range l.held {
		l.bound = max(l.bound, h.tick)
	}
	kept := l.open[:0]
	for _, c := range l.open {
		if err := l.readOn(c); err != nil {
			return err
		}
		if c.at < len(l.buf)-1 && !c.broken {
			kept = append(kept, c)
		}
	}
	l.open = kept
	slices.SortStableFunc(l.held, func(a, b timed) int { return cmp.Compare(a.tick, b.tick) })
	n := len(l.held)
	if !l.closed {
		n, _ = slices.BinarySearchFunc(l.held, l.bound+1, func(h timed, t uint64) int { return cmp.Compare(h.tick, t) })
	}
	for _, h := range l.held[:n] {
		h.alloc.Ticks = max(l.last, l.head.ticks(h.tick)) // the two clocks are compared more closely as time goes on
		l.last = h.alloc.Ticks
		l.ready = append(l.ready, h.alloc)
	}
	l.held = append(l.held[:0], l.held[n:]...)
	return nil
}

// readOn takes in the events that have been written into a chunk.
func (l *liveLog) readOn(c *chunk) error {
	at := int64(headerLen + c.number*l.head.chunk)
	const probe = 1 << 12
	for upto := min(c.at+probe, len(l.buf)); ; upto = len(l.buf) {
		part := l.buf[c.at:upto]
		if n, err := l.file.ReadAt(part, at+int64(c.at)); err != nil && err != io.EOF {
			return &traceio.Error{File: l.name, Offset: at, Msg: err.Error(), Err: err}
		} else {
			clear(part[n:])
		}
		if upto == len(l.buf) || part[0] == 0 {
			break
		}
	}
	c.buf = l.buf
	if c.at < len(c.buf) && c.buf[c.at] == 0 {
		return nil
	}
	for broken := l.broken; ; {
		if !l.advance(c) {
			c.broken = l.broken > broken
			return nil
		}
		l.held = append(l.held, timed{c.now.tick, l.event(c)})
	}
}

// stream makes the program's own recording while it runs. It gives nil when there is nothing to follow.
func (s *session) stream(pid int, ended <-chan struct{}) *streamed {
	path := filepath.Join(s.logs, fmt.Sprintf("log.%d.0", pid))
	for {
		if f, err := os.Open(path); err == nil {
			if l, err := followLog(f, ended); err == nil {
				return &streamed{path, s.streamLog(l)}
			}
			f.Close()
		}
		select {
		case <-ended:
			return nil
		case <-time.After(between / 4):
		}
	}
}

// streamed is what has been made of the log at path.
type streamed struct {
	path string
	err  error
}

func (s *session) streamLog(l *liveLog) error {
	defer l.file.Close()
	out, err := s.create(s.file, l.Log)
	if err != nil {
		return err
	}
	if err := s.place(s.file); err != nil {
		return err
	}
	s.opt.Running(s.out)
	var b traceio.Block
	told := 0
	for {
		if err = l.Next(&b); err != nil {
			break
		}
		if n := len(l.prog.Stacks); n > told+told/4 || n > 0 && told == 0 { // the window names what it sees
			told = n
			prog := s.program(l.Log)
			prog.Modules, prog.Stacks = slices.Clone(l.prog.Modules), slices.Clone(l.prog.Stacks)
			s.leaveOut(prog)
			_ = out.WriteProgram(prog) // a failure comes again with the next block
		}
		if err = out.WriteBlock(&b); err != nil {
			break
		}
		s.res.Allocs += uint64(len(b.Allocs))
	}
	if err != io.EOF {
		s.broken(&s.res.Image, err)
	}
	return s.complete(s.file, out, l.Log, &s.res.Image)
}
