// Package drmemtrace reads the traces of DynamoRIO's drmemtrace as raw2trace leaves them: a stream of packed little
// endian entries
//
//	u16 type   u16 size   u64 address      (u32 address in traces of 32-bit programs)
//
// in which an instruction stands in front of its data references, a thread entry in front of everything of that thread,
// and markers give time stamps, file type and tracing windows. The stream is plain, or the concatenation of the members
// chunk.0000, chunk.0001... of a zip archive. Fetches, loads and stores come out with sizes, instruction addresses and
// threads; prefetches and cache flushes are counted. The layout is that of versions 2 to 5 and the few after it:
// _trace_entry_t, trace_type_t (0 to 49), trace_marker_type_t, offline_file_type_t and, of raw traces, offline_entry_t
// of https://github.com/DynamoRIO/dynamorio/blob/master/clients/drcachesim/common/trace_entry.h; the archive is
// described in https://dynamorio.org/sec_drcachesim_format.html.
package drmemtrace

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"orrery/traceio"
)

// Reader is a traceio.Source of a trace.
type Reader struct {
	in     *traceio.Window
	name   string
	width  int // of an entry
	seq    traceio.Seq
	rows   uint64
	footer bool // the last entry that is no reference was the footer
	ended  bool // how the stream stopped has been counted

	threads traceio.ThreadIDs
	thread  traceio.Thread
	pcs     []traceio.Addr // by thread, of its last instruction
	next    traceio.Addr   // behind the last instruction, where a bundle begins
	ticks   traceio.Ticks
	base    uint64 // first time stamp
	window  uint64
	windows bool // a window was begun
	prog    traceio.Program
	tally   traceio.Tally
}

// New reads a plain trace, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	return &Reader{
		in: traceio.NewWindow(r, 1<<18), name: name, pcs: make([]traceio.Addr, 1),
		prog: traceio.Program{Recorder: "drmemtrace"},
	}
}

// NewZip reads a zip archive of chunks from r, which need not be a file: members are unpacked as they come.
func NewZip(r io.Reader, name string) *Reader { return New(newChunks(r), name) }

// bundle is how many instructions one entry can hold.
const bundle = 8

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file is no trace or holds no reference.
func (r *Reader) Next(b *traceio.Block) error {
	b.Reset(r.seq)
	b.Room()
	b.Start = r.ticks
	if r.width == 0 {
		if err := r.begin(); err != nil {
			return err
		}
	}
	for b.Len() <= traceio.MaxBlock-bundle && len(b.Marks) < traceio.MaxBlock {
		buf := r.in.Bytes()
		if len(buf) < r.width {
			if r.in.More() {
				continue
			}
			r.end()
			break
		}
		r.in.Skip(r.take(buf, b))
	}
	b.End = r.ticks
	r.seq += traceio.Seq(b.Data())
	r.rows += uint64(b.Len())
	if b.Len() > 0 || len(b.Marks) > 0 {
		return nil
	}
	if r.rows == 0 {
		e := &traceio.Error{File: r.name, Msg: "this drmemtrace trace holds no reference",
			Hint: "trace again without -L0_filter, or open the trace of another thread"}
		return e.Because(r.in.Err())
	}
	return io.EOF
}

// Loss counts the records that could not be used, by kind.
func (r *Reader) Loss() []traceio.Loss { return r.tally.List() }

// Program notes that DynamoRIO was the recorder, and when it began.
func (r *Reader) Program() *traceio.Program { return &r.prog }

// begin finds the length of the entries.
func (r *Reader) begin() error {
	for len(r.in.Bytes()) < 64*entry64 && r.in.More() {
	}
	if r.width = width(r.in.Bytes()); r.width == 0 {
		e := &traceio.Error{File: r.name, Msg: "this is no drmemtrace trace: it does not begin with a header entry",
			Hint: "was it cut? copy it again"}
		return e.Because(r.in.Err())
	}
	return nil
}

// end counts how the stream stopped, once.
func (r *Reader) end() {
	if r.ended {
		return
	}
	r.ended = true
	if !r.tally.Rest(r.in, "a last entry that ends in the middle, as when the file was cut") && !r.footer {
		r.tally.Byte("no-end",
			"the trace has no footer, as when it was cut or its program killed; its last references may be missing",
			r.in.Offset())
	}
}

// take uses whole entries until the buffer runs out or the block is full, and gives the bytes used.
func (r *Reader) take(buf []byte, b *traceio.Block) (used int) {
	le := binary.LittleEndian
	w := r.width
	pc := r.pcs[r.thread]
	p := 0
	for ; len(buf)-p >= w && b.Len() <= traceio.MaxBlock-bundle && len(b.Marks) < traceio.MaxBlock; p += w {
		e := buf[p : p+w]
		kind, size := le.Uint16(e), le.Uint16(e[2:])
		var addr traceio.Addr
		if w == entry64 {
			addr = traceio.Addr(le.Uint64(e[4:]))
		} else {
			addr = traceio.Addr(le.Uint32(e[4:]))
		}
		switch {
		case kind <= typeWrite:
			if size == 0 || addr+traceio.Addr(size)-1 < addr {
				r.tally.Byte("bad-reference", "references of no bytes, or over the end of the address space",
					r.in.Offset()+int64(p))
				continue
			}
			b.Append(traceio.Access{Addr: addr, PC: pc, Size: size, Kind: traceio.Kind(kind), Thread: r.thread})
		case kind >= typeInstr && kind <= typeInstrReturn, kind == typeTakenJump, kind == typeUntakenJump,
			kind == typeSysenter,
			kind == typeInstrMaybe && addr != pc:
			pc, r.next = addr, addr+traceio.Addr(size)
			r.fetch(b, addr, size, p)
		case kind == typeInstrNoFetch, kind == typeInstrMaybe:
			pc, r.next = addr, addr+traceio.Addr(size)
		case kind == typeInstrBundle:
			for _, n := range e[4 : 4+min(int(size), w-4)] {
				pc = r.next
				r.next += traceio.Addr(n)
				r.fetch(b, pc, uint16(n), p)
			}
		default:
			r.pcs[r.thread] = pc
			r.other(kind, size, uint64(addr), b, p)
			pc = r.pcs[r.thread]
		}
	}
	r.pcs[r.thread] = pc
	return p
}

func (r *Reader) fetch(b *traceio.Block, pc traceio.Addr, size uint16, p int) {
	if size == 0 || pc+traceio.Addr(size)-1 < pc {
		r.tally.Byte("bad-instruction", "instructions of no bytes, or over the end of the address space",
			r.in.Offset()+int64(p))
		return
	}
	b.Append(traceio.Access{Addr: pc, PC: pc, Size: size, Kind: traceio.Fetch, Thread: r.thread})
}

// other uses an entry that is no reference.
func (r *Reader) other(kind, size uint16, value uint64, b *traceio.Block, p int) {
	at := r.in.Offset() + int64(p)
	now := b.First + traceio.Seq(b.Data())
	r.footer = kind == typeFooter
	switch {
	case kind == typeEncoding, kind == typePid, kind == typeHeader, kind == typeFooter, kind == typeInstrFlushEnd,
		kind == typeDataFlushEnd:
	case kind == typeThread:
		t, fresh := r.threads.Number(value)
		for r.thread = t; int(t) >= len(r.pcs); { // by more than one after the exit of a thread that was never seen
			r.pcs = append(r.pcs, 0)
		}
		if fresh {
			r.pcs[t] = 0
			b.Marks = append(b.Marks, traceio.Mark{Seq: now, Ticks: r.ticks, Thread: t, Kind: traceio.ThreadStart})
		}
	case kind == typeThreadExit:
		if t, fresh := r.threads.Number(value); !fresh {
			b.Marks = append(b.Marks, traceio.Mark{Seq: now, Ticks: r.ticks, Thread: t, Kind: traceio.ThreadEnd})
		}
		r.threads.Forget(value)
	case kind == typeMarker:
		r.marker(size, value, now, b)
	case kind >= typePrefetch && kind <= typePrefetchEnd, kind == typeHardwareFetch, kind >= typePrefetchNew &&
		kind <= typePrefetchLast:
		r.tally.Byte("prefetch", "prefetches, which are no references of the program", at)
	case kind == typeInstrFlush, kind == typeDataFlush:
		r.tally.Byte("cache-flush", "cache flushes", at)
	default:
		r.tally.Byte("unknown-entry", "entries of a type that this Orrery does not know", at)
	}
}

func (r *Reader) marker(kind uint16, value uint64, now traceio.Seq, b *traceio.Block) {
	switch kind {
	case markTimestamp:
		r.clock(value)
		if b.Len() == 0 {
			b.Start = r.ticks
		}
	case markWindowID:
		if r.windows && value != r.window {
			b.Marks = append(b.Marks, traceio.Mark{Seq: now, Ticks: r.ticks, Thread: r.thread, Kind: traceio.Gap,
				Text: fmt.Sprintf("tracing window %d begins", value)})
		}
		r.window, r.windows = value, true
	case markFileType:
		if value&fileFiltered != 0 && len(r.prog.Notes) == 0 {
			r.prog.Notes = append(r.prog.Notes,
				"the trace was filtered when it was recorded: references that hit in a small cache are missing")
		}
		if value&fileInstrsOnly != 0 && len(r.prog.Notes) == 0 {
			r.prog.Notes = append(r.prog.Notes, "the trace has only instruction fetches")
		}
	}
}

// clock takes a time stamp in microseconds since 1601. Time never runs backwards.
func (r *Reader) clock(stamp uint64) {
	if !r.prog.Ticking {
		r.prog.Ticking, r.base = true, stamp
		if stamp > unixIn1601 && stamp < 2*unixIn1601 {
			r.prog.Started = time.UnixMicro(int64(stamp - unixIn1601)).UTC()
		}
	}
	if since := stamp - r.base; stamp >= r.base && since < 1<<53 {
		r.ticks = max(r.ticks, traceio.Ticks(since)*1000)
	}
}
