package heapmap

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"orrery/analysis/heap"
)

// What the assembly takes for granted, beside the offsets that go_asm.h gives it: offsets are read four at a time and
// strokes stored in two halves, so that their fields follow each other as they do; a cell is a register of eight
// numbers, hues are pairs of cells; shares go to their powers by a shift.
var (
	_ [16]struct{} = [unsafe.Sizeof(heap.Offset{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(heap.Offset{}.Low)]struct{}{}
	_ [4]struct{}  = [unsafe.Offsetof(heap.Offset{}.Size)]struct{}{}
	_ [8]struct{}  = [unsafe.Offsetof(heap.Offset{}.From)]struct{}{}
	_ [12]struct{} = [unsafe.Offsetof(heap.Offset{}.Span)]struct{}{}

	_ [28]struct{} = [unsafe.Sizeof(stroke{})]struct{}{}
	_ [0]struct{}  = [unsafe.Offsetof(stroke{}.a)]struct{}{}
	_ [2]struct{}  = [unsafe.Offsetof(stroke{}.b)]struct{}{}
	_ [4]struct{}  = [unsafe.Offsetof(stroke{}.f0)]struct{}{}
	_ [8]struct{}  = [unsafe.Offsetof(stroke{}.f1)]struct{}{}
	_ [12]struct{} = [unsafe.Offsetof(stroke{}.fy)]struct{}{}
	_ [16]struct{} = [unsafe.Offsetof(stroke{}.light)]struct{}{}
	_ [20]struct{} = [unsafe.Offsetof(stroke{}.value)]struct{}{}
	_ [24]struct{} = [unsafe.Offsetof(stroke{}.row)]struct{}{}
	_ [25]struct{} = [unsafe.Offsetof(stroke{}.class)]struct{}{}
	_ [26]struct{} = [unsafe.Offsetof(stroke{}.dither)]struct{}{}

	_ [32]struct{}                                              = [unsafe.Sizeof(cell{})]struct{}{}
	_ [23 - 15]struct{}                                         = [mantissa]struct{}{}
	_ [unsafe.Sizeof(float32(0)) * (127<<mantissa + 1)]struct{} = [unsafe.Sizeof(power{})]struct{}{}
)

// vectors reports whether the processor has AVX2, which stroke_amd64.s, weigh_amd64.s and resolve_amd64.s are written
// in.
var vectors = cpu.X86.HasAVX2

// strokesByFour makes strokes of the blocks of n, four at a time, as long as there are four, none of them needs a
// relief and none is in more than two rows. It is what blocks does with them, to the last bit.
//
//go:noescape
func strokesByFour(n *strokeArgs)

// scatterClasses is scatterAny for classes of blocks, to the last bit.
//
//go:noescape
func scatterClasses(b *brush)

// scatterAmounts is scatterAny for amounts, to the last bit.
//
//go:noescape
func scatterAmounts(b *brush)

// resolveClasses makes pixels of a stretch of cells of classes, which it leaves zero, as resolveAny does, to the last
// bit.
//
//go:noescape
func resolveClasses(n *line)

// rows adds blocks of n, of which there are at most leafBlocks, to the cells, four at a time, as long as there are four
// and all of them are narrow. It is what strokes of theirs do, to the last bit.
//
//go:noescape
func rows(n *level)
