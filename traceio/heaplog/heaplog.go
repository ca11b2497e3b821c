// Package heaplog reads logs of allocator events that other tools write: glibc's mtrace, valgrind's --trace-malloc=yes,
// heaptrack's raw data and ltrace's list of library calls. Out come blocks without references that carry the events in
// the order of the log; a store gives them their places in time (see store.Recording.Extent). All four are texts of one
// event a line. A line that is of no use is counted, never fatal. A last one without its line end is used only where it
// shows itself that nothing is missing in it: what is left of an address or a size reads like any other.
package heaplog

import (
	"fmt"
	"io"

	"orrery/traceio"
)

// perBlock is how many events a block from a log has at most; one line makes no more than two.
const perBlock = 1 << 9

// log is the traceio.Source that the formats share. take is the format's: it looks at one line and calls made, freed or
// lose.
type log struct {
	lines  lines
	prog   traceio.Program
	loss   traceio.LineLosses
	out    []traceio.Alloc
	ticks  traceio.Ticks
	used   uint64 // lines that were understood
	events uint64
	over   bool

	what string // the format's name, in errors
	hint string // how such a file is made
	take func(line []byte)
	bulk func() // takes lines at the front of what has been read; nil when the format has no quick way
	stop error  // set by take: nothing behind this line can be used
	end  func() // what is to be told of the program at the end

	// whole tells of a last line without its line end whether nothing can be missing in it; nil in formats that never
	// show it
	whole func(line []byte) bool
}

// Next fills b with the next events of the log. It returns io.EOF at the end, and an *traceio.Error when nothing in the
// file is an event.
func (l *log) Next(b *traceio.Block) error {
	b.Reset(0)
	l.out = b.Allocs
	b.Start = l.ticks
	for !l.over && len(l.out) < perBlock-1 {
		if l.bulk != nil && l.lines.count > 0 {
			if l.bulk(); len(l.out) >= perBlock-1 {
				break
			}
		}
		line, more := l.lines.next()
		if !more {
			l.finish()
			break
		}
		if line == nil {
			l.lose(longLine)
			continue
		}
		if l.lines.open && (l.whole == nil || !l.whole(line)) {
			if l.lines.err == nil { // else that tells of all that is missing
				l.lose(cutLine)
			}
			continue
		}
		l.take(line)
		if l.stop != nil {
			l.finish()
			break
		}
	}
	b.Allocs, l.out = l.out, nil
	b.End = l.ticks
	l.events += uint64(len(b.Allocs))
	switch {
	case len(b.Allocs) > 0:
		return nil
	case l.stop != nil:
		err := l.stop
		l.stop = nil
		return err
	case l.used == 0:
		return l.nothing()
	}
	return io.EOF
}

// finish ends the log, once.
func (l *log) finish() {
	if l.over {
		return
	}
	l.over = true
	if l.lines.err != nil {
		l.loss.Tail(l.lines.err, l.lines.bytes)
	}
	if l.end != nil {
		l.end()
	}
}

// Loss tells which lines could not be used.
func (l *log) Loss() []traceio.Loss { return l.loss.List(kinds) }

// Program tells what the log says of the program.
func (l *log) Program() *traceio.Program { return &l.prog }

func (l *log) nothing() error {
	if l.lines.bytes == 0 && l.lines.err != nil {
		return traceio.Unreadable(l.lines.name, l.lines.err)
	}
	e := &traceio.Error{File: l.lines.name, Hint: l.hint}
	if e.Msg = "the file is empty"; l.lines.bytes > 0 {
		e.Msg = fmt.Sprintf("none of its %d lines is of %s", l.lines.count, l.what)
	}
	return e.Because(l.lines.err)
}

// made notes a block that the allocator has handed out. Address 0 is a request that failed: no event.
func (l *log) made(a traceio.Alloc) {
	l.used++
	if a.Addr == 0 {
		return
	}
	a.Op, a.Ticks = traceio.Malloc, l.ticks
	l.out = append(l.out, a)
}

// freed notes a block that was given back. free(NULL) does nothing.
func (l *log) freed(a traceio.Alloc) {
	l.used++
	if a.Addr == 0 {
		return
	}
	a.Op, a.Size, a.Ticks = traceio.Free, 0, l.ticks
	l.out = append(l.out, a)
}

func (l *log) lose(k kind) { l.loss.Add(int(k), l.lines.count) }
