package raster

import "unsafe"

// What the assembly takes for granted of columns: it finds them by shifts, reads eight shares behind four that are
// clear, and knows of no longer ones; and of lights: four pixels' dither, and steps of one word.
var (
	_ [32]struct{} = [unsafe.Sizeof(column{})]struct{}{}
	_ [4]struct{}  = [before]struct{}{}
	_ [8]struct{}  = [tallest]struct{}{}
	_ [32]struct{} = [passages]struct{}{}
	_ [16]struct{} = [unsafe.Sizeof(light{}.dither)]struct{}{}
	_ [4]struct{}  = [unsafe.Sizeof(light{}.strength[0])]struct{}{}
)

// byFour paints the strip: four columns at a time, or eight pixels of a row. It touches more pixels than it changes,
// see within.
func (s *strip) byFour(pix []uint8, stride int, flat bool) {
	f := stripArgs{
		pix: &pix[0], at: s.at, stride: stride, passage: &s.across.passage, rows: s.across.n,
		middle: s.middle, step: s.step, count: s.count,
		ink: s.brush.word(), opacity: min(s.brush.opacity, 65535),
	}
	if flat {
		paintFlat(&f)
	} else {
		paintSteep(&f)
	}
}

// stripArgs is a strip as the assembly takes it.
type stripArgs struct {
	pix     *uint8
	at      int
	stride  int
	passage *[passages]column
	rows    int
	middle  int64
	step    int64
	count   int
	ink     uint32 // as a pixel has it in memory
	opacity uint32 // in 1/65536, below 65536: what that takes away is rounded off
}

// paintFlat takes four columns or more.
//
//go:noescape
func paintFlat(f *stripArgs)

//go:noescape
func paintSteep(f *stripArgs)
