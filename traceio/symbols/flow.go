package symbols

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"sort"
	"strings"

	"orrery/traceio"
)

// code is the machine code of one segment, at its link-time address.
type code struct {
	low  uint64
	data []byte
}

// readCode takes the executable segments out of the file, which is in memory as data. What a header claims beyond the
// end of the file is left out.
func (o *object) readCode(data []byte) {
	if o.file.Machine != elf.EM_X86_64 {
		return
	}
	for _, p := range o.file.Progs {
		if p.Type != elf.PT_LOAD || p.Flags&elf.PF_X == 0 || p.Off >= uint64(len(data)) {
			continue
		}
		o.code = append(o.code, code{p.Vaddr, data[p.Off:][:min(p.Filesz, uint64(len(data))-p.Off)]})
	}
}

// bytesAt is the code from a link-time address on, nil where the file has none.
func (o *object) bytesAt(pc uint64) []byte {
	for _, c := range o.code {
		if pc >= c.low && pc-c.low < uint64(len(c.data)) {
			return c.data[pc-c.low:]
		}
	}
	return nil
}

// flows tells of each site's instruction what it does to the frames on the stack. sites are in order of PC.
func (o *object) flows(sites []*traceio.Site, bias traceio.Addr) {
	if len(o.code) == 0 {
		return
	}
	for _, s := range sites {
		pc := uint64(s.PC - bias)
		i := decode(o.bytesAt(pc))
		switch {
		case i.push && o.entry(pc), o.hooked(pc):
			s.Flow = traceio.Prolog
		default:
			s.Flow = i.flow
		}
		if i.flow == traceio.Fixed {
			s.Target = traceio.Addr(int64(i.jump))
		}
		if at, ok := o.placed(pc); ok && s.Flow == traceio.Plain {
			s.Flow, s.Target = traceio.Placed, traceio.Addr(at)
		}
		if i.direct {
			s.Target = traceio.Addr(pc+uint64(i.length)+uint64(int64(i.jump))) + bias
		}
	}
}

// The hooks that a program built by orrery cc --locals calls at the entries of its functions. They tell of the push
// before them.
const (
	GCCEntry   = "__tsan_func_entry"
	ClangEntry = "__sanitizer_cov_trace_pc"
)

// hooked tells whether pc is the last byte of a call of one of them, as the linker has turned it, which is where hooks
// say that they are:
//
//	e8 rel32          call rel32
func (o *object) hooked(pc uint64) bool {
	const length = 5
	b := o.bytesAt(pc - length + 1)
	if len(b) < length || b[0] != 0xe8 {
		return false
	}
	to := pc + 1 + uint64(int64(int32(binary.LittleEndian.Uint32(b[1:]))))
	i := sort.Search(len(o.funcs), func(i int) bool { return o.funcs[i].low >= to })
	for ; i < len(o.funcs) && o.funcs[i].low == to; i++ {
		switch strings.TrimSuffix(o.funcs[i].name, "@plt") {
		case "__wrap_" + GCCEntry, "__wrap_" + ClangEntry:
			return true
		}
	}
	return false
}

// endbr64 marks places that indirect calls may reach; it may stand at the entry of a function, before the first push.
var endbr64 = []byte{0xf3, 0x0f, 0x1e, 0xfa}

// entry tells whether pc is a function's first instruction, but for endbr64.
func (o *object) entry(pc uint64) bool {
	begins := func(pc uint64) bool {
		i := sort.Search(len(o.funcs), func(i int) bool { return o.funcs[i].low >= pc })
		return i < len(o.funcs) && o.funcs[i].low == pc
	}
	return begins(pc) || begins(pc-4) && bytes.HasPrefix(o.bytesAt(pc-4), endbr64)
}

// instruction is what matters here of one machine instruction.
type instruction struct {
	flow   traceio.Flow // Call, Return or Plain
	push   bool         // of a register
	direct bool         // a call to the address behind the instruction plus jump
	jump   int32        // or, of a Fixed access, its distance from the thread pointer
	length int
}

// decode reads the x86-64 instruction at the beginning of b as far as it needs to tell calls, returns and pushes:
//
//	e8 rel32          call rel32
//	ff /2, ff /3      call r/m64, call m16:64
//	c3, c2 imm16      ret
//	50+r              push r64
//	64 .. 04+8r 25 d  any with a memory operand %fs:disp32
//
// behind any legacy and REX prefixes.
func decode(b []byte) instruction {
	const longest = 15
	fs := false
	for i := 0; i < len(b) && i < longest; i++ {
		switch op := b[i]; {
		case op == 0x64:
			fs = true
		case op == 0x66 || op == 0x67 || op == 0x2e || op == 0x36 || op == 0x3e || op == 0x26 || op == 0x65 ||
			op == 0xf2 || op == 0xf3:
		case op&0xf0 == 0x40: // REX
		case op == 0xe8 && i+5 <= len(b):
			return instruction{flow: traceio.Call, direct: true, jump: int32(binary.LittleEndian.Uint32(b[i+1:])), length: i + 5}
		case op == 0xff && i+1 < len(b) && (b[i+1]>>3&7 == 2 || b[i+1]>>3&7 == 3):
			return instruction{flow: traceio.Call}
		case op == 0xc3 || op == 0xc2:
			return instruction{flow: traceio.Return}
		case op&0xf8 == 0x50:
			return instruction{push: true}
		case fs:
			return threadLocal(b[i:])
		default:
			return instruction{}
		}
	}
	return instruction{}
}

// threadLocal reads an instruction from its opcode on, whose segment is the thread's: with an address of its own,
// without registers, it is Fixed.
func threadLocal(b []byte) instruction {
	if len(b) > 0 && b[0] == 0x0f {
		b = b[1:]
	}
	if len(b) < 7 || b[1]&0xc7 != 0x04 || b[2] != 0x25 {
		return instruction{}
	}
	return instruction{flow: traceio.Fixed, jump: int32(binary.LittleEndian.Uint32(b[3:]))}
}
