// Package gem5 reads the packet traces of the gem5 simulator (MemTraceProbe, CommMonitor, traffic generators): the four
// bytes "gem5", then protocol buffer messages, each behind its length as a varint. The first is a PacketHeader, all
// others are Packets of src/proto/packet.proto. Requests that move data come out as fetches, loads and stores with time
// and, where the trace has it, instruction address; the CPUs that the header names become threads. Responses,
// prefetches and packets without data are counted. The messages are those of
// https://github.com/gem5/gem5/blob/stable/src/proto/packet.proto: of the header 1 object, 2 version, 3 ticks a second,
// 4 requestors; of a packet 1 tick, 2 command, 3 address, 4 size, 5 flags, 6 id, 7 instruction. src/proto/protoio.cc
// writes magic and lengths, through gzip where the file's name ends so.
package gem5

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"orrery/traceio"
)

// magic begins every trace of gem5, of packets or not.
var magic = []byte("gem5")

// Sniff tells whether head, the first bytes of a file, begins a trace of gem5.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, magic) }

// maxMessage bounds a message. Packets take 20 to 60 bytes; a header with a thousand requestors some 50 000.
const maxMessage = 1 << 20

// Reader is a traceio.Source of a packet trace.
type Reader struct {
	in      *traceio.Window
	name    string
	begun   bool
	ended   bool
	head    header
	seq     traceio.Seq
	rows    uint64
	timed   bool
	base    uint64 // tick of the first packet
	ticks   traceio.Ticks
	cpus    map[string]uint64         // by name, a number for threads
	cpu     map[uint64]traceio.Thread // by requestor
	threads traceio.ThreadIDs
	prog    traceio.Program
	tally   traceio.Tally
	packet  packet
}

// New reads a trace, already decompressed, from r. The name appears in errors.
func New(r io.Reader, name string) *Reader {
	return &Reader{
		in: traceio.NewWindow(r, maxMessage+16), name: name, cpus: map[string]uint64{}, cpu: map[uint64]traceio.Thread{},
		prog: traceio.Program{Recorder: "gem5"},
	}
}

// Next fills b with the next references, at most traceio.MaxBlock. It returns io.EOF at the end, and an *traceio.Error
// when the file is no packet trace or holds no reference.
func (r *Reader) Next(b *traceio.Block) error {
	b.Reset(r.seq)
	b.Room()
	b.Start = r.ticks
	if !r.begun {
		if err := r.begin(); err != nil {
			return err
		}
	}
	for b.Len() < traceio.MaxBlock-1 {
		at := r.in.Offset()
		p, ok := r.message()
		if !ok {
			break
		}
		if !r.packet.read(p) {
			r.tally.Byte("bad-packet",
				"messages that are no packets: fields are cut, or tick, command, address or size is missing", at)
			continue
		}
		r.take(&r.packet, b, at)
	}
	b.End = r.ticks
	r.seq += traceio.Seq(b.Data())
	r.rows += uint64(b.Len())
	if b.Len() > 0 {
		return nil
	}
	if r.rows == 0 {
		e := &traceio.Error{File: r.name, Msg: "this gem5 trace holds no packet that reads or writes memory",
			Hint: "attach the probe between a CPU and its cache"}
		return e.Because(r.in.Err())
	}
	return io.EOF
}

// Loss counts the records that could not be used, by kind.
func (r *Reader) Loss() []traceio.Loss { return r.tally.List() }

// Program notes what was recorded.
func (r *Reader) Program() *traceio.Program { return &r.prog }

func (r *Reader) begin() error {
	for len(r.in.Bytes()) < len(magic) && r.in.More() {
	}
	if !Sniff(r.in.Bytes()) {
		e := &traceio.Error{File: r.name, Msg: "this is no trace of gem5: it does not begin with \"gem5\""}
		return e.Because(r.in.Err())
	}
	r.in.Skip(len(magic))
	p, ok := r.message()
	if !ok || !r.head.read(p) || r.head.frequency == 0 {
		e := &traceio.Error{File: r.name, Offset: int64(len(magic)), Msg: "the header of this gem5 trace is cut or damaged",
			Hint: "copy it again"}
		return e.Because(r.in.Err())
	}
	if r.head.foreign {
		return &traceio.Error{File: r.name, Msg: "this is a gem5 trace of instructions or dependencies, not of packets",
			Hint: "record packets with MemTraceProbe or CommMonitor"}
	}
	r.begun, r.prog.Ticking = true, true
	r.prog.Notes = []string{"addresses are those that " + quoted(r.head.object) + " saw in gem5, usually physical ones"}
	return nil
}

func quoted(object string) string {
	if object == "" {
		return "the probe"
	}
	return fmt.Sprintf("%q", object)
}

// message gives the next message, valid until the next call; ok is false where the trace ends.
func (r *Reader) message() (p []byte, ok bool) {
	for {
		buf := r.in.Bytes()
		length, n := varint(buf)
		if n > 0 && length <= uint64(len(buf)-n) {
			r.in.Skip(n + int(length))
			return buf[n : n+int(length)], true
		}
		if n > 0 && length > maxMessage || n == 0 && len(buf) >= 10 {
			r.stop("bad-length", "a message of absurd length: what follows it cannot be read")
			return nil, false
		}
		if !r.in.More() {
			r.stop("cut-record", "a last message that ends in the middle, as when the file was cut")
			return nil, false
		}
	}
}

// stop counts how the trace ended, once.
func (r *Reader) stop(kind, why string) {
	if r.ended {
		return
	}
	r.ended = true
	rest := len(r.in.Bytes())
	if r.in.Err() != nil {
		r.tally.Tail(r.in.Err(), r.in.Offset()+int64(rest))
	} else if rest > 0 {
		r.tally.Byte(kind, why, r.in.Offset())
	}
}

// take turns a packet into references.
func (r *Reader) take(m *packet, b *traceio.Block, at int64) {
	what := useOther
	if m.cmd < uint64(len(commands)) {
		what = commands[m.cmd]
	}
	if m.flags&flagPrefetch != 0 && (what == useLoad || what == useStore) {
		what = usePrefetch
	}
	switch what {
	case useOther:
		r.tally.Byte("no-data", "packets that move no data, such as upgrades, fences and errors", at)
		return
	case useResponse:
		r.tally.Byte("response", "responses, whose requests are what counts", at)
		return
	case usePrefetch:
		r.tally.Byte("prefetch", "prefetches, which are no references of the program", at)
		return
	}
	if m.size == 0 || m.size > 1<<16-1 || m.addr+m.size-1 < m.addr {
		r.tally.Byte("bad-size", "packets of no bytes, of 65536 or more, or over the end of the address space", at)
		return
	}
	r.clock(m.tick)
	if b.Len() == 0 {
		b.Start = r.ticks
	}
	a := traceio.Access{Addr: traceio.Addr(m.addr), PC: traceio.Addr(m.pc), Size: uint16(m.size), Thread: r.thread(m.id)}
	switch {
	case m.flags&flagFetch != 0 && what == useLoad:
		a.Kind, a.PC = traceio.Fetch, a.Addr
	case what == useStore:
		a.Kind = traceio.Store
	case what == useSwap:
		b.Append(a)
		a.Kind = traceio.Store
	}
	b.Append(a)
}

// clock takes the tick of a packet. Time never runs backwards.
func (r *Reader) clock(tick uint64) {
	if !r.timed {
		r.timed, r.base = true, tick
	}
	if tick < r.base {
		return
	}
	hi, lo := bits.Mul64(tick-r.base, 1_000_000_000)
	if hi < r.head.frequency {
		ns, _ := bits.Div64(hi, lo, r.head.frequency)
		r.ticks = max(r.ticks, traceio.Ticks(ns))
	}
}

// thread is that of the CPU whose port sent a packet: the requestors system.cpu1.data and system.cpu1.inst are one. A
// header without names has no threads.
func (r *Reader) thread(id uint64) traceio.Thread {
	if len(r.head.requestors) == 0 {
		return 0
	}
	if t, ok := r.cpu[id]; ok {
		return t
	}
	name, ok := r.head.requestors[id]
	if !ok {
		return 0
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	n, ok := r.cpus[name]
	if !ok {
		n = uint64(len(r.cpus))
		r.cpus[name] = n
	}
	r.cpu[id], _ = r.threads.Number(n)
	return r.cpu[id]
}
