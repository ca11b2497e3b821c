package heapmap

import "golang.org/x/sys/cpu"

// vectors tells whether the processor has AVX2, which stroke_amd64.s, weigh_amd64.s and resolve_amd64.s are written in.
var vectors = cpu.X86.HasAVX2

// fours leaves strokes of the blocks of n, four at a time, as long as there are four, none of them needs a relief and none is in
// more than two rows. It is what blocks does with them, to the last bit.
//
//go:noescape
func fours(n *lens)

// scatterClasses is scatterAny for classes of blocks, to the last bit.
//
//go:noescape
func scatterClasses(b *brush)

// scatterAmounts is scatterAny for amounts, to the last bit.
//
//go:noescape
func scatterAmounts(b *brush)

// resolveClasses makes pixels of a stretch of cells of classes, which it leaves zero, as resolveAny does, to the last bit.
//
//go:noescape
func resolveClasses(n *line)

// rows adds blocks of n, of which there are at most leafBlocks, to the cells, four at a time, as long as there are four and all of them are narrow. It is what strokes of
// theirs do, to the last bit.
//
//go:noescape
func rows(n *level)
