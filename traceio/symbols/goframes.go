package symbols

import (
	"context"
	"debug/dwarf"
	"encoding/binary"
	"slices"
	"sort"

	"orrery/traceio"
)

// frameTable tells of instructions of Go code how far the stack pointer is below the canonical frame address. Go keeps
// that distance for all of its code in .debug_frame, and uses its variables by the stack pointer: so an instruction
// like
//
//	mov 0x18(%rsp), %rax
//
// tells by the address that it uses where its frame is, whichever stack the goroutine has just now.
type frameTable struct {
	pcs  []uint64 // of Go code, ascending, at link time
	deep []int64  // by pc; 0: not known
}

// goFrames reads the distances of those of pcs (ascending, at link time) that lie in Go code; empty for files without
// any.
func (o *object) goFrames(ctx context.Context, pcs []uint64) (frameTable, error) {
	var t frameTable
	err := o.units(ctx, func(e *dwarf.Entry, ranges [][2]uint64) error {
		if lang, _ := e.Val(dwarf.AttrLanguage).(int64); lang == golang {
			for _, i := range within(pcs, ranges) {
				t.pcs = append(t.pcs, pcs[i])
			}
		}
		return nil
	})
	s := o.file.Section(".debug_frame")
	if err != nil || len(t.pcs) == 0 || s == nil {
		return frameTable{}, err
	}
	slices.Sort(t.pcs)
	t.deep = make([]int64, len(t.pcs))
	_ = guard(o.path, func() error { // damage keeps what was before it
		b, err := contents(s)
		if err == nil {
			t.read(b)
		}
		return err
	})
	return t, nil
}

// at is the distance at an instruction, 0 where it is not known.
func (t *frameTable) at(pc uint64) int64 {
	if i, ok := slices.BinarySearch(t.pcs, pc); ok {
		return t.deep[i]
	}
	return 0
}

// cie is what frames have in common, DWARF 5 section 6.4.1.
type cie struct {
	code uint64
	data int64
	head []byte // instructions
}

// read takes in a .debug_frame section of 32-bit DWARF.
func (t *frameTable) read(b []byte) {
	const isCIE = 1<<32 - 1
	commons := map[uint32]*cie{}
	for at := 0; at+8 <= len(b); {
		size := binary.LittleEndian.Uint32(b[at:])
		if size < 4 || uint64(size) > uint64(len(b)-at-4) {
			return
		}
		l := &list{b: b[at+8 : at+4+int(size)]}
		switch id := binary.LittleEndian.Uint32(b[at+4:]); {
		case id == isCIE:
			commons[uint32(at)] = readCIE(l)
		case commons[id] != nil:
			low := l.word()
			if high := low + l.word(); !l.bad && low < high {
				t.frame(commons[id], low, high, l.b)
			}
		}
		at += 4 + int(size)
	}
}

// readCIE gives nil for what Go does not write.
func readCIE(l *list) *cie {
	head := l.take(2)
	if l.bad || head[0] != 3 || head[1] != 0 { // version 3, no augmentation
		return nil
	}
	c := &cie{code: l.uleb()}
	n := 0
	if c.data, n = sleb(l.b); n == 0 {
		return nil
	}
	l.take(uint64(n))
	l.uleb() // the column of the return address
	c.head = l.b
	if l.bad {
		return nil
	}
	return c
}

// Instructions about frames, DWARF 5 section 7.24; the first three have an operand in their low six bits.
const (
	cfaAdvance     = 1
	cfaOffset      = 2
	cfaRestore     = 3
	cfaNop         = 0x00
	cfaAdvance1    = 0x02
	cfaAdvance2    = 0x03
	cfaAdvance4    = 0x04
	cfaOffsetExt   = 0x05
	cfaDefCfa      = 0x0c
	cfaDefOffset   = 0x0e
	cfaDefOffsetSF = 0x13
)

// frame follows the distance through the code in [low, high).
func (t *frameTable) frame(c *cie, low, high uint64, body []byte) {
	i := sort.Search(len(t.pcs), func(i int) bool { return t.pcs[i] >= low })
	deep := int64(0)
	upTo := func(pc uint64) {
		for ; i < len(t.pcs) && t.pcs[i] < min(pc, high); i++ {
			t.deep[i] = deep
		}
	}
	if i == len(t.pcs) || t.pcs[i] >= high {
		return
	}
	at := low
	for _, part := range [][]byte{c.head, body} {
		for l := (&list{b: part}); len(l.b) > 0 && !l.bad; {
			op := l.take(1)[0]
			step := uint64(0)
			switch {
			case op>>6 == cfaAdvance:
				step = uint64(op & 63)
			case op>>6 == cfaOffset:
				l.uleb()
			case op>>6 == cfaRestore, op == cfaNop:
			case op == cfaAdvance1 || op == cfaAdvance2 || op == cfaAdvance4:
				for k, x := range l.take(1 << (op - cfaAdvance1)) {
					step |= uint64(x) << (8 * k)
				}
			case op == cfaOffsetExt:
				l.uleb()
				l.uleb()
			case op == cfaDefCfa:
				l.uleb()
				deep = int64(l.uleb())
			case op == cfaDefOffset:
				deep = int64(l.uleb())
			case op == cfaDefOffsetSF:
				v, n := sleb(l.b)
				l.take(uint64(n))
				deep, l.bad = v*c.data, l.bad || n == 0
			default: // another register, or something else that Go does not do
				return
			}
			if step > 0 {
				upTo(at + step*c.code)
				at += step * c.code
			}
		}
	}
	upTo(high)
}

// frames tells of the sites of Go code where in their frames their references are.
func (t *frameTable) frames(o *object, sites []*traceio.Site, bias traceio.Addr) {
	for _, s := range sites {
		pc := uint64(s.PC - bias)
		if deep := t.at(pc); deep > 0 {
			if above, ok := byStackPointer(o.bytesAt(pc)); ok {
				s.Place = above - deep + 8
			}
		}
	}
}

// byStackPointer reads the x86-64 instruction at the beginning of b, and tells where its memory operand begins relative
// to the stack pointer before it, for those that use that alone: pushes, pops, calls, and operands like 0x18(%rsp).
func byStackPointer(b []byte) (above int64, ok bool) {
	const longest = 15
	const rexB, rexX = 1, 2
	rex := byte(0)
	for i := 0; i < min(len(b), longest); i++ {
		switch op := b[i]; {
		case op == 0x66 || op == 0xf2 || op == 0xf3 || op == 0xf0:
		case op&0xf0 == 0x40:
			rex = op
		case op == 0xe8, op&0xf8 == 0x50: // call rel32, push r64
			return -8, true
		case op&0xf8 == 0x58: // pop r64
			return 0, true
		case op == 0xff && i+1 < len(b) && b[i+1]>>3&7 == 2: // call r/m64: the store
			return -8, true
		case op == 0xff && i+1 < len(b) && b[i+1]>>3&7 > 2, op == 0x8f:
			return 0, false
		case op == 0xc5 && i+3 < len(b): // VEX of two bytes
			return plainOperand(b[i+3:], false)
		case op == 0xc4 && i+4 < len(b): // VEX of three bytes, where the bits of REX are inverted
			return plainOperand(b[i+4:], b[i+1]&0x60 != 0x60)
		case op == 0x0f && i+1 < len(b) && (b[i+1] == 0x38 || b[i+1] == 0x3a):
			return plainOperand(b[min(i+3, len(b)):], rex&(rexB|rexX) != 0)
		case op == 0x0f && i+1 < len(b):
			return plainOperand(b[i+2:], rex&(rexB|rexX) != 0)
		case op < 0x40 && op&7 < 4, op == 0x63, op == 0x69, op == 0x6b, op >= 0x80 && op < 0x8d, op == 0xc0, op == 0xc1,
			op == 0xc6, op == 0xc7,
			op >= 0xd0 && op < 0xd4, op >= 0xd8 && op < 0xe0, op == 0xf6, op == 0xf7, op == 0xfe, op == 0xff:
			return plainOperand(b[i+1:], rex&(rexB|rexX) != 0)
		default:
			return 0, false
		}
	}
	return 0, false
}

// plainOperand reads a ModRM byte and what follows: a memory operand of the stack pointer and a distance. With extended
// the base or index is one of the upper eight registers.
func plainOperand(b []byte, extended bool) (above int64, ok bool) {
	const stackPointer = 0x24 // as SIB: base rsp, no index
	if len(b) < 2 || extended || b[0]&7 != 4 || b[1] != stackPointer {
		return 0, false
	}
	switch b[0] >> 6 {
	case 0:
		return 0, true
	case 1:
		if len(b) > 2 {
			return int64(int8(b[2])), true
		}
	case 2:
		if len(b) > 5 {
			return int64(int32(binary.LittleEndian.Uint32(b[2:]))), true
		}
	}
	return 0, false
}
