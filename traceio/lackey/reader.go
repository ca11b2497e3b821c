// Package lackey reads the text that valgrind's lackey tool prints with --trace-mem=yes: one line per reference,
//
//	I  04001234,3     instruction fetch: address, size
//	 L 1fff000688,8   load
//	 S 1fff000680,8   store
//	 M 0421c7cc,4     modify: one load, then one store
//
// mixed with messages that begin with == or --. From -v -v on, the messages name the modules and their bias, from
// --trace-sched=yes the thread switches. A data line belongs to the instruction line before it; files without
// instruction lines, as university cache laboratories hand out, have PC 0 throughout. Lines that are none of these
// (usually output of the program itself) are counted, not fatal.
package lackey

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"orrery/traceio"
)

// maxLine bounds what is kept of one line: no line of lackey's is a tenth as long, and a file without line ends must
// not fill the memory.
const maxLine = 1 << 16

// Reader is a traceio.Source of lackey text.
type Reader struct {
	r    io.Reader
	name string

	buf        []byte
	start, end int   // unread bytes are buf[start:end]
	eof        bool  // r is exhausted
	broke      error // what ended the text before its end
	skipping   bool  // inside a line longer than maxLine

	lines uint64 // lines consumed
	bytes int64  // bytes handed out of r
	seq   traceio.Seq
	rows  uint64

	pc      traceio.Addr
	thread  traceio.Thread
	threads map[int]traceio.Thread // by valgrind's number, which it uses again after a thread has ended
	nthread int
	module  string // path of the last "Reading syms from"
	prog    traceio.Program
	marks   []traceio.Mark // seen since the last row was emitted
	loss    traceio.LineLosses
}

// New reads lackey text, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	return &Reader{
		r: r, name: name,
		buf:     make([]byte, 4*maxLine),
		threads: map[int]traceio.Thread{},
		prog:    traceio.Program{Recorder: "lackey"},
	}
}

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file ends without a single usable line.
func (r *Reader) Next(b *traceio.Block) error {
	b.Reset(r.seq)
	c := open(b)
	// A modify line makes two rows, hence the row kept free.
	for c.n < traceio.MaxBlock-1 && len(r.marks) < traceio.MaxBlock {
		r.fast(&c)
		if c.n >= traceio.MaxBlock-1 {
			break
		}
		line, more := r.nextLine()
		if !more {
			break
		}
		if line != nil {
			r.slow(line, &c)
		}
	}
	c.close(b)
	b.Marks = append(b.Marks, r.marks...)
	r.marks = r.marks[:0]
	r.seq += traceio.Seq(b.Data())
	r.rows += uint64(b.Len())
	if b.Len() > 0 || len(b.Marks) > 0 {
		return nil
	}
	if r.rows == 0 {
		return r.nothing()
	}
	return io.EOF
}

// Loss counts the lines that could not be used, by kind.
func (r *Reader) Loss() []traceio.Loss { return r.loss.List(kinds) }

// Program tells the command and the modules that the messages named. The extent of a module (Low and High) is known
// where its file is still there, because lackey prints only where its text begins; otherwise it is zero.
func (r *Reader) Program() *traceio.Program { return &r.prog }

// Bytes is how much of the text has been consumed.
func (r *Reader) Bytes() int64 { return r.bytes - int64(r.end-r.start) }

func (r *Reader) nothing() error {
	e := &traceio.Error{File: r.name}
	switch {
	case r.bytes == 0 && r.broke != nil:
		return traceio.Unreadable(r.name, r.broke)
	case r.bytes == 0:
		e.Msg, e.Hint = "the file is empty", "record again with `orrery record -- PROGRAM`"
	default:
		e.Msg = fmt.Sprintf("none of its %d lines is a lackey reference", r.lines)
		e.Hint = "valgrind must run with --tool=lackey --trace-mem=yes"
	}
	return e.Because(r.broke)
}

// columns are the columns of a block at full length, so that the parser stores by index.
type columns struct {
	addr, pc []traceio.Addr
	size     []uint16
	kind     []traceio.Kind
	thread   []traceio.Thread
	n        int // rows filled
	fetches  int
}

func open(b *traceio.Block) columns {
	if cap(b.Addr) < traceio.MaxBlock || cap(b.PC) < traceio.MaxBlock || cap(b.Size) < traceio.MaxBlock ||
		cap(b.Kind) < traceio.MaxBlock || cap(b.Thread) < traceio.MaxBlock {
		b.Addr = make([]traceio.Addr, 0, traceio.MaxBlock)
		b.PC = make([]traceio.Addr, 0, traceio.MaxBlock)
		b.Size = make([]uint16, 0, traceio.MaxBlock)
		b.Kind = make([]traceio.Kind, 0, traceio.MaxBlock)
		b.Thread = make([]traceio.Thread, 0, traceio.MaxBlock)
	}
	return columns{
		addr: b.Addr[:traceio.MaxBlock], pc: b.PC[:traceio.MaxBlock], size: b.Size[:traceio.MaxBlock],
		kind: b.Kind[:traceio.MaxBlock], thread: b.Thread[:traceio.MaxBlock],
	}
}

func (c *columns) close(b *traceio.Block) {
	b.Addr, b.PC, b.Size = c.addr[:c.n], c.pc[:c.n], c.size[:c.n]
	b.Kind, b.Thread = c.kind[:c.n], c.thread[:c.n]
	b.Fetches = c.fetches
}

func (c *columns) add(kind traceio.Kind, addr, pc traceio.Addr, size uint16, thread traceio.Thread) {
	c.addr[c.n], c.pc[c.n], c.size[c.n], c.kind[c.n], c.thread[c.n] = addr, pc, size, kind, thread
	c.n++
}

// nextLine gives the next line without its end, or nil for a line too long to be of use; more is false at the end of
// the file. The line is valid until the next call.
func (r *Reader) nextLine() (line []byte, more bool) {
	for {
		if i := bytes.IndexByte(r.buf[r.start:r.end], '\n'); i >= 0 {
			line = r.buf[r.start : r.start+i]
			r.start += i + 1
			r.lines++
			if i >= maxLine && !r.skipping {
				r.skipping = true
				r.loss.Add(int(longLine), r.lines)
			}
			if r.skipping {
				r.skipping = false
				line = nil
			}
			return line, true
		}
		if r.eof {
			return r.lastLine()
		}
		if r.end-r.start >= maxLine {
			if !r.skipping {
				r.loss.Add(int(longLine), r.lines+1)
			}
			r.skipping, r.start, r.end = true, 0, 0
		}
		r.refill()
	}
}

// lastLine gives what stands after the last line end.
func (r *Reader) lastLine() (line []byte, more bool) {
	line = r.buf[r.start:r.end]
	r.start = r.end
	if len(line) == 0 || r.skipping {
		return nil, false
	}
	r.lines++
	if !whole(line) {
		r.loss.Add(int(cutLine), r.lines)
		return nil, true
	}
	return line, true
}

// refill moves the unread bytes to the front and reads behind them. Whatever stops r, it ends the text: what came
// before stays good and the loss is counted.
func (r *Reader) refill() {
	r.end = copy(r.buf, r.buf[r.start:r.end])
	r.start = 0
	for tries := 0; r.end < len(r.buf); tries++ {
		n, err := r.r.Read(r.buf[r.end:])
		r.end += n
		r.bytes += int64(n)
		if err == nil && tries >= 100 && n == 0 {
			err = io.ErrNoProgress
		}
		if err != nil {
			r.eof = true
			if !errors.Is(err, io.EOF) {
				r.broke = err
				r.loss.Tail(err, r.bytes)
			}
			return
		}
		if n > 0 {
			return
		}
	}
}
