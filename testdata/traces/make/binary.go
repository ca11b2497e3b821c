package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
)

var le = binary.LittleEndian

// champsim is a trace in records of 64, 72 or 96 bytes, as a compiler for x86-64 lays out ChampSim's structures.
func champsim(steps []step, size int) (out []byte) {
	const (
		stackPointer, flags, instructionPointer = 6, 25, 26 // registers, by Pin's numbers
	)
	writes, reads := 16, 32 // offsets of the addresses
	registers := 10
	if size == 96 {
		writes, reads = 24, 56
	}
	for _, s := range steps {
		r := make([]byte, size)
		le.PutUint64(r, s.pc)
		if s.jumps() {
			r[8], r[registers] = 1, instructionPointer
		}
		if s.taken {
			r[9] = 1
		}
		from := registers + 2 // the registers read stand behind those written
		if size == 96 {
			from = registers + 4
		}
		switch s.code[0] {
		case 0x75:
			r[from] = flags
		case 0xe8, 0xc3:
			r[from] = stackPointer
		}
		switch s.op {
		case 'R':
			le.PutUint64(r[reads:], s.addr)
		case 'W':
			le.PutUint64(r[writes:], s.addr)
		}
		out = append(out, r...)
	}
	return out
}

// The entries of a drmemtrace trace, and the markers among them.
const (
	read, write                     = 0, 1
	instr, jump, call, ret          = 10, 13, 14, 16
	threadID, exit, pid             = 22, 23, 24
	header, footer, marker          = 25, 26, 28
	encoding                        = 47
	timestamp, cpu, fileType        = 2, 3, 9
	lineSize, version, pageSize     = 10, 12, 18
	chunkSize, chunkFooter, ordinal = 19, 20, 21
)

const (
	process  = 4711
	began    = 13337000000000000 // microseconds since 1601
	perChunk = 123               // instructions
)

// drmemtrace is the stream of packed entries that raw2trace writes. At the end of each chunk it calls cut with all that there is,
// unless cut is nil.
func drmemtrace(steps []step, cut func(all []byte)) []byte {
	var out []byte
	entries, clock, running := 0, uint64(began), -1
	put := func(kind, size int, addr uint64) {
		out = le.AppendUint16(le.AppendUint16(out, uint16(kind)), uint16(size))
		out = le.AppendUint64(out, addr)
		entries++
	}
	now := func(thread int) {
		put(marker, timestamp, clock)
		put(marker, cpu, uint64(thread))
		clock += 20
	}
	put(header, 0, 5)
	put(marker, version, 5)
	put(marker, fileType, 0x240) // x86-64, with encodings
	seen := map[uint64]bool{}
	for i, s := range steps {
		if s.thread != running {
			running = s.thread
			put(threadID, 4, uint64(process+running))
			put(pid, 4, process)
			if i == 0 {
				put(marker, lineSize, 64)
				put(marker, pageSize, 4096)
				put(marker, chunkSize, perChunk)
			}
			now(running)
		}
		if !seen[s.pc] { // the first time in a chunk
			var bytes [8]byte
			copy(bytes[:], s.code)
			put(encoding, len(s.code), le.Uint64(bytes[:]))
			seen[s.pc] = true
		}
		kind, ok := map[byte]int{0x75: jump, 0xe8: call, 0xc3: ret}[s.code[0]]
		if !ok {
			kind = instr
		}
		put(kind, len(s.code), s.pc)
		switch s.op {
		case 'R':
			put(read, s.size, s.addr)
		case 'W':
			put(write, s.size, s.addr)
		}
		if cut != nil && (i+1)%perChunk == 0 && i+1 < len(steps) {
			put(marker, chunkFooter, uint64((i+1)/perChunk-1))
			cut(out)
			put(marker, ordinal, uint64(entries))
			now(running)
			clear(seen)
		}
	}
	for thread := range running + 1 {
		put(exit, 4, uint64(process+thread))
	}
	put(footer, 0, 0)
	return out
}

// archive is the same in chunks, each a member of a zip archive.
func archive(steps []step) []byte {
	var ends []int
	all := drmemtrace(steps, func(all []byte) { ends = append(ends, len(all)) })
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	begin := 0
	for i, end := range append(ends, len(all)) {
		w, err := z.Create(fmt.Sprintf("chunk.%04d", i))
		if err == nil {
			_, err = w.Write(all[begin:end])
		}
		if err != nil {
			panic(err) // a buffer takes all
		}
		begin = end
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// gem5 is a packet trace as a CommMonitor between two processors and their caches writes it: messages of packet.proto, each
// behind its length.
func gem5(steps []step) []byte {
	out := []byte("gem5")
	put := func(m []byte) { out = append(binary.AppendUvarint(out, uint64(len(m))), m...) }
	text := func(m []byte, field byte, s string) []byte {
		return append(append(m, field<<3|2, byte(len(s))), s...)
	}
	number := func(m []byte, field byte, x uint64) []byte { return binary.AppendUvarint(append(m, field<<3), x) }
	head := text(nil, 1, "system.monitor")
	head = number(head, 2, 0)    // version
	head = number(head, 3, 1e12) // ticks a second
	for i, name := range []string{"cpu0.inst", "cpu0.data", "cpu1.inst", "cpu1.data"} {
		head = text(head, 4, string(text(number(nil, 1, uint64(5+i)), 2, "system."+name)))
	}
	put(head)
	const readReq, writeReq, instFetch = 1, 4, 0x100
	tick := uint64(1000)
	packet := func(cmd, addr uint64, size int, flags, requestor, pc uint64) {
		m := number(number(number(number(nil, 1, tick), 2, cmd), 3, addr), 4, uint64(size))
		if flags != 0 {
			m = number(m, 5, flags)
		}
		put(number(number(m, 6, requestor), 7, pc))
		tick += 500
	}
	for _, s := range steps {
		requestor := uint64(5 + 2*s.thread)
		packet(readReq, s.pc, len(s.code), instFetch, requestor, s.pc)
		switch s.op {
		case 'R':
			packet(readReq, s.addr, s.size, 0, requestor+1, s.pc)
		case 'W':
			packet(writeReq, s.addr, s.size, 0, requestor+1, s.pc)
		}
	}
	return out
}
