// Make writes the samples of the formats of other simulators and tracers: what they would write of one small program. They are
// written by hand, entry by entry, after the descriptions that the packages of traceio name, and not by Orrery's own code.
//
//	go run ./testdata/traces/make DIRECTORY
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "make takes the directory to write to")
		os.Exit(2)
	}
	one, two := program(1), program(2)
	for name, data := range map[string][]byte{
		"sum64.champsim":     champsim(one, 64),
		"sum72.champsim":     champsim(one, 72),
		"sum96.champsim":     champsim(one, 96),
		"sum.drmemtrace":     drmemtrace(two, nil),
		"sum.drmemtrace.zip": archive(two),
		"sum.gem5":           gem5(two),
		"sum.pinatrace":      pinatrace(one),
		"sum.din":            din(one),
		"sum.csv":            table(two),
	} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), data, 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// instruction is an instruction of the program, which lies at the address pc.
type instruction struct {
	pc   uint64
	code []byte
	text string
}

// code adds up eight numbers and stores the sum; its first part is the function, its second calls it.
var code = []instruction{
	{0x401000, []byte{0x31, 0xc0}, "xor eax, eax"},
	{0x401002, []byte{0x03, 0x07}, "add eax, [rdi]"},
	{0x401004, []byte{0x48, 0x83, 0xc7, 0x04}, "add rdi, 4"},
	{0x401008, []byte{0xff, 0xce}, "dec esi"},
	{0x40100a, []byte{0x75, 0xf6}, "jnz 0x401002"},
	{0x40100c, []byte{0xc3}, "ret"},
	{0x401010, []byte{0x48, 0x83, 0xec, 0x08}, "sub rsp, 8"},
	{0x401014, []byte{0xbf, 0x60, 0x40, 0x40, 0x00}, "mov edi, 0x404060"},
	{0x401019, []byte{0xbe, 0x08, 0x00, 0x00, 0x00}, "mov esi, 8"},
	{0x40101e, []byte{0xe8, 0xdd, 0xff, 0xff, 0xff}, "call 0x401000"},
	{0x401023, []byte{0x89, 0x05, 0x77, 0x30, 0x00, 0x00}, "mov [0x4040a0], eax"},
	{0x401029, []byte{0x48, 0x83, 0xc4, 0x08}, "add rsp, 8"},
	{0x40102d, []byte{0xc3}, "ret"},
}

const (
	rounds  = 3 // how often each thread calls the second part
	numbers = 8
	array   = 0x404060
	sum     = 0x4040a0
)

// stacks are where the threads' stacks are when the second part is called.
var stacks = []uint64{0x7ffd5e3a1f58, 0x7f3a5c7fee58}

// step is an instruction that ran. It makes at most one reference.
type step struct {
	instruction
	thread int
	taken  bool   // it went elsewhere than to the next
	op     byte   // 'R', 'W', or 0 for no reference
	addr   uint64 // of the reference
	size   int
}

// program is what ran: the threads in turns, a round at a time.
func program(threads int) (all []step) {
	for range rounds {
		for thread := range threads {
			all = append(all, round(thread)...)
		}
	}
	return all
}

func round(thread int) (all []step) {
	stack := stacks[thread]
	run := func(i int, taken bool, op byte, addr uint64, size int) {
		all = append(all, step{code[i], thread, taken, op, addr, size})
	}
	run(6, false, 0, 0, 0)
	run(7, false, 0, 0, 0)
	run(8, false, 0, 0, 0)
	run(9, true, 'W', stack-16, 8)
	run(0, false, 0, 0, 0)
	for i := range numbers {
		run(1, false, 'R', uint64(array+4*i), 4)
		run(2, false, 0, 0, 0)
		run(3, false, 0, 0, 0)
		run(4, i < numbers-1, 0, 0, 0)
	}
	run(5, true, 'R', stack-16, 8)
	run(10, false, 'W', sum, 4)
	run(11, false, 0, 0, 0)
	run(12, true, 'R', stack, 8)
	return all
}

// jumps tells whether an instruction may go elsewhere.
func (s *step) jumps() bool { return s.code[0] == 0x75 || s.code[0] == 0xe8 || s.code[0] == 0xc3 }

// pinatrace is the text of Pin's example tool of that name.
func pinatrace(steps []step) []byte {
	var out bytes.Buffer
	for _, s := range steps {
		if s.op != 0 {
			fmt.Fprintf(&out, "0x%x: %c 0x%x\n", s.pc, s.op, s.addr)
		}
	}
	out.WriteString("#eof\n")
	return out.Bytes()
}

// din is the traditional text of Dinero: a label and an address, a fetch of every instruction.
func din(steps []step) []byte {
	var out bytes.Buffer
	for _, s := range steps {
		fmt.Fprintf(&out, "2 %x\n", s.pc)
		switch s.op {
		case 'R':
			fmt.Fprintf(&out, "0 %x\n", s.addr)
		case 'W':
			fmt.Fprintf(&out, "1 %x\n", s.addr)
		}
	}
	return out.Bytes()
}

// table is a table as a script might make it, with a column that is nobody's and quotes where they are needed.
func table(steps []step) []byte {
	var out bytes.Buffer
	out.WriteString("thread,op,address,bytes,pc,instruction\n")
	for _, s := range steps {
		fmt.Fprintf(&out, "%d,fetch,0x%x,%d,0x%x,\"%s\"\n", s.thread, s.pc, len(s.code), s.pc, s.text)
		if s.op != 0 {
			fmt.Fprintf(&out, "%d,%s,0x%x,%d,0x%x,\n", s.thread, map[byte]string{'R': "read", 'W': "write"}[s.op], s.addr, s.size, s.pc)
		}
	}
	return out.Bytes()
}
