package symbols

import (
	"debug/elf"
	"encoding/binary"
	"strings"
)

// readPairs finds the pairs of the global offset table that stand for variables of each thread, and the offset in the
// file's block that each is for: the loader fills a pair with the number of a module (R_X86_64_DTPMOD64) and an offset
// (R_X86_64_DTPOFF64, or what the linker has written there). See Drepper, "ELF Handling For Thread-Local Storage", 3.4.
func (o *object) readPairs() {
	rel := o.file.Section(".rela.dyn")
	if o.file.Machine != elf.EM_X86_64 || rel == nil || rel.Size > 1<<28 {
		return
	}
	if _, has := o.threadBlock(); !has {
		return
	}
	table, err := contents(rel)
	if err != nil {
		return
	}
	syms := symbolsOf(o.file, elf.SHT_DYNSYM)
	pairs, offsets := map[uint64]uint64{}, map[uint64]uint64{}
	for ; len(table) >= 24; table = table[24:] {
		at, info, value := binary.LittleEndian.Uint64(table), binary.LittleEndian.Uint64(table[8:]),
			binary.LittleEndian.Uint64(table[16:])
		sym := info >> 32
		if sym > uint64(len(syms)) || sym > 0 && syms[sym-1].Section == elf.SHN_UNDEF { // another module's variable
			continue
		}
		if sym > 0 {
			value += syms[sym-1].Value
		}
		switch elf.R_X86_64(info & 0xffffffff) {
		case elf.R_X86_64_DTPMOD64:
			pairs[at] = o.wordAt(at + 8)
		case elf.R_X86_64_DTPOFF64:
			offsets[at] = value
		}
	}
	for at := range pairs {
		if v, ok := offsets[at+8]; ok {
			pairs[at] = v
		}
	}
	o.pairs = pairs
}

// wordAt is what the file has at a link-time address, 0 where it has nothing.
func (o *object) wordAt(at uint64) uint64 {
	for _, s := range o.file.Sections {
		if s.Type != elf.SHT_PROGBITS || s.Flags&elf.SHF_ALLOC == 0 || at < s.Addr || at-s.Addr > s.Size ||
			s.Size-(at-s.Addr) < 8 {
			continue
		}
		var b [8]byte
		if _, err := s.ReadAt(b[:], int64(at-s.Addr)); err == nil {
			return binary.LittleEndian.Uint64(b[:])
		}
	}
	return 0
}

// tlsCalls are the ways to call __tls_get_addr, which gives the address of a thread's variable: an instruction that
// takes the address of the pair in the global offset table, 4 bytes of its distance, the call, 4 bytes of what it
// calls.
var tlsCalls = []struct{ lea, call string }{
	{"\x66\x48\x8d\x3d", "\x66\x66\x48\xe8"}, // data16 lea pair(%rip),%rdi; data16 data16 rex.W call
	{"\x66\x48\x8d\x3d", "\x66\x48\xff\x15"}, // the same through the global offset table
	{"\x48\x8d\x3d", "\xe8"},                 // for a file's own variables: one call for all of them
	{"\x48\x8d\x3d", "\xff\x15"},
}

// placed tells for the instruction at pc the offset in the block of thread-local variables that it uses, if that is
// certain: behind a call of __tls_get_addr it uses the memory that rax, the result, points to; between the two rax may
// be copied.
func (o *object) placed(pc uint64) (offset uint64, ok bool) {
	if len(o.pairs) == 0 {
		return 0, false
	}
	disp, ok := throughRax(o.bytesAt(pc))
	if !ok {
		return 0, false
	}
	for _, gap := range []uint64{0, 3, 4, 5, 7} {
		if b := o.bytesAt(pc - gap); gap > 0 && (len(b) < int(gap) || !copiesRax(b[:gap])) {
			continue
		}
		if at, ok := o.asked(pc - gap); ok {
			return at + uint64(int64(disp)), true
		}
	}
	return 0, false
}

// copiesRax tells whether b is one instruction that copies rax, into a register or a place in the frame.
func copiesRax(b []byte) bool {
	if len(b) < 3 || b[0]&0xf8 != 0x48 || b[0]&4 != 0 || b[1] != 0x89 || b[2]>>3&7 != 0 {
		return false
	}
	switch mod, rm := b[2]>>6, b[2]&7; {
	case mod == 3:
		return len(b) == 3
	case mod == 1 && rm == 5:
		return len(b) == 4
	case mod == 1 && rm == 4:
		return len(b) == 5
	case mod == 2 && rm == 5:
		return len(b) == 7
	}
	return false
}

// asked is the offset that a call of __tls_get_addr that ends at pc asks for.
func (o *object) asked(pc uint64) (offset uint64, ok bool) {
	for _, form := range tlsCalls {
		n := len(form.lea) + 4 + len(form.call) + 4
		low := pc - uint64(n)
		b := o.bytesAt(low)
		if low > pc || len(b) < n || !strings.HasPrefix(string(b[:n]), form.lea) ||
			!strings.HasPrefix(string(b[len(form.lea)+4:n]), form.call) {
			continue
		}
		behind := low + uint64(len(form.lea)) + 4
		if at, ok := o.pairs[behind+uint64(int64(int32(binary.LittleEndian.Uint32(b[len(form.lea):]))))]; ok {
			return at, true
		}
	}
	return 0, false
}

// throughRax is the displacement of an instruction whose memory operand is disp(%rax), for the usual ways to load,
// store and compute.
func throughRax(b []byte) (disp int32, ok bool) {
	for len(b) > 0 && (b[0] == 0x66 || b[0] == 0xf2 || b[0] == 0xf3) {
		b = b[1:]
	}
	if len(b) > 0 && b[0]&0xf0 == 0x40 { // REX, whose lowest bit makes rax another register
		if b[0]&1 != 0 {
			return 0, false
		}
		b = b[1:]
	}
	switch {
	case len(b) < 3:
		return 0, false
	case b[0] == 0x0f && usualLong(b[1]):
		b = b[2:]
	case b[0] != 0x0f && usual(b[0]):
		b = b[1:]
	default:
		return 0, false
	}
	switch {
	case b[0]&7 != 0: // not rax
	case b[0]>>6 == 0:
		return 0, true
	case b[0]>>6 == 1:
		return int32(int8(b[1])), true
	case b[0]>>6 == 2 && len(b) >= 5:
		return int32(binary.LittleEndian.Uint32(b[1:])), true
	}
	return 0, false
}

// usual tells whether an instruction with this opcode uses the memory of its operand: arithmetic, moves and their
// likes.
func usual(op byte) bool {
	return op < 0x40 && op&7 <= 3 || op == 0x63 || op&0xfc == 0x80 && op != 0x82 || op&0xfc == 0x88 || op&0xfe == 0xc6 ||
		op&0xfe == 0xf6 || op&0xfe == 0xfe
}

// usualLong is usual for opcodes behind 0f: moves of vectors and with extension, arithmetic of floating point.
func usualLong(op byte) bool {
	switch op >> 4 {
	case 0x1, 0x2, 0x5, 0x6, 0x7, 0xb, 0xd, 0xe, 0xf:
		return true
	}
	return false
}
