package champsim

import "encoding/binary"

// layout is how a record lies in memory. All begin with the instruction's address (8 bytes), whether it is a branch and
// whether it was taken (1 byte each), then the registers written and read (1 byte each).
type layout struct {
	name    string
	size    int
	writes  int // offset of the addresses written, 8 bytes each, 0 for none
	nWrites int
	reads   int // offset of the addresses read
	nReads  int
	pad     []int // offsets of bytes that no field covers and writers leave 0
}

// layouts are those in use. The first is that of the traces that ChampSim's tracer makes and its championships hand
// out; the second has a byte for the kind of load behind it, which the compiler pads to 8; the third is the simulator's
// record for CloudSuite's SPARC traces, with four registers written, an address space, in some versions the kind of
// load, and padding. They are input_instr and cloudsuite_instr of
// https://github.com/ChampSim/ChampSim/blob/master/inc/trace_instruction.h, as a compiler for x86-64 lays them out.
//
//	64: ip 8 | branch 1 | taken 1 | written 2 | read 4 | written[2] 16 | read[4] 32
//	72: the same                                                               | kind 1 | 7
//	96: ip 8 | branch 1 | taken 1 | written 4 | read 4 | 6 | written[4] 32 | read[4] 32 | space 2 | kind 1 | 5
var layouts = []layout{
	{name: "64", size: 64, writes: 16, nWrites: 2, reads: 32, nReads: 4},
	{name: "72", size: 72, writes: 16, nWrites: 2, reads: 32, nReads: 4, pad: []int{65, 66, 67, 68, 69, 70, 71}},
	{name: "96", size: 96, writes: 24, nWrites: 4, reads: 56, nReads: 4, pad: []int{18, 19, 20, 21, 22, 23,
		91, 92, 93, 94, 95}},
}

// evidence is how many records of a head are looked at.
const evidence = 512

// damaged is how many records there are at least for each one that cannot be, where the others make a trace: a page of
// the disk is 64 records of the 512.
const damaged = 6

// fit is how well head agrees with a layout, from 0 for not at all to 1. Records that cannot be one exclude the
// layout unless they are few: flags that are neither 0 nor 1, a branch taken that is none, addresses that no x86-64 or
// SPARC program has. What remains is judged by the instructions: most follow the one before within 15 bytes, the length
// of the longest, unless that one was a branch taken. Padding decides between layouts that both pass.
func (l *layout) fit(head []byte) float64 {
	n := min(len(head)/l.size, evidence)
	follows, falls, bad, zero, before := 0, 0, 0, true, []byte(nil)
	for i := range n {
		r := head[i*l.size : (i+1)*l.size]
		if !l.possible(r) {
			bad++
			before = nil
			continue
		}
		for _, at := range l.pad {
			zero = zero && r[at] == 0
		}
		if before != nil && before[9] == 0 {
			falls++
			if d := binary.LittleEndian.Uint64(r) - binary.LittleEndian.Uint64(before); d <= 15 {
				follows++
			}
		}
		before = r
	}
	if bad == n || bad*damaged > n {
		return 0
	}
	score := 0.5 // a single record, or branches only: no evidence either way
	if falls > 0 {
		score = float64(follows) / float64(falls)
	}
	if !zero {
		score /= 2
	}
	return score * (1 - float64(bad)/float64(n))
}

// possible tells whether a record can be one.
func (l *layout) possible(r []byte) bool {
	le := binary.LittleEndian
	if !code(le.Uint64(r)) || r[8] > 1 || r[9] > r[8] {
		return false
	}
	for k := range l.nWrites {
		if !address(le.Uint64(r[l.writes+8*k:])) {
			return false
		}
	}
	for k := range l.nReads {
		if !address(le.Uint64(r[l.reads+8*k:])) {
			return false
		}
	}
	return true
}

// address tells whether x can be a virtual address, 0 included: 48 bits, or the kernel's half but for its last page,
// which stands for error numbers.
func address(x uint64) bool { return x < 1<<48 || x >= 0xffff<<48 && x < 1<<64-1<<12 }

// code tells whether x can be the address of an instruction: nothing is in the first page.
func code(x uint64) bool { return x >= 1<<12 && address(x) }

// enough is the least agreement to call bytes a trace: signal handlers, interrupts and sampled traces break the chain
// now and then, noise holds it almost never.
const enough = 0.4

// find gives the layout that fits head best, nil when none does.
func find(head []byte) *layout {
	var best *layout
	top := enough
	for i := range layouts {
		if f := layouts[i].fit(head); f > top {
			best, top = &layouts[i], f
		}
	}
	return best
}

// Sniff tells whether head, the first bytes of a file, looks like a trace. There is no signature, so it asks for two
// records at least.
func Sniff(head []byte) bool {
	l := find(head)
	return l != nil && len(head) >= 2*l.size
}
