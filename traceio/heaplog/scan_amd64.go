package heaplog

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"orrery/traceio"
)

// vectors tells whether the processor has what scan_amd64.s is written in.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// scanLines takes in lines of events as long as each is like nearly all: numbers of one to eight digits for the size
// and the trace, one whose stack is known, and an address of twelve digits that is not 0. It is what line does with
// them.
//
//go:noescape
func scanLines(s *scan)

// What the assembly has to know of an event and of a trace.
const (
	allocTicks = unsafe.Offsetof(traceio.Alloc{}.Ticks)
	allocAddr  = unsafe.Offsetof(traceio.Alloc{}.Addr)
	allocSize  = unsafe.Offsetof(traceio.Alloc{}.Size)
	allocStack = unsafe.Offsetof(traceio.Alloc{}.Stack)
	allocOp    = unsafe.Offsetof(traceio.Alloc{}.Op)
	allocBytes = unsafe.Sizeof(traceio.Alloc{})
	nodeShift  = 4
)

var _ [1 << nodeShift]struct{} = [unsafe.Sizeof(node{})]struct{}{}

// An event is cleared by two stores of 32 bytes, one at either end: it has as many at least, and no more than twice
// that.
var (
	_ [allocBytes - 32]struct{}
	_ [64 - allocBytes]struct{}
)

// gathers is, for a number of n digits, a blank, and another number whose blank is e bytes behind the first digit,
// which digits belong into the eight bytes of one and into those of the other, at index 16n+e; noGather begins what is
// no such pair.
var gathers = func() (t [256][16]uint8) {
	for i := range t {
		n, m := i>>4, i&15-i>>4-1
		for k := range 8 {
			t[i][k], t[i][8+k] = uint8(n-8+k), uint8(n+1+m-8+k)
			if k < 8-n {
				t[i][k] = 0x80
			}
			if k < 8-m {
				t[i][8+k] = 0x80
			}
		}
		if n < 1 || n > 8 || m < 1 || m > 8 {
			t[i][0] = noGather
		}
	}
	return t
}()

const noGather = 0x40
