package orr

import processor "golang.org/x/sys/cpu"

// vectors tells whether the processor has AVX2.
var vectors = processor.X86.HasAVX2

// followRows is followAny.
func followRows(x *following) {
	if vectors {
		followVectors(x)
	} else {
		followAny(x)
	}
}

//go:noescape
func followVectors(x *following)

// residentRows is residentAny.
//
//go:noescape
func residentRows(x *residing)

// goOn is goOnAny.
func goOn(rows []Row, round int) int {
	if vectors {
		return goOnVectors(rows, round)
	}
	return goOnAny(rows, round)
}

//go:noescape
func goOnVectors(rows []Row, round int) (n int)

// compareRows is compareAny.
//
//go:noescape
func compareRows(x *comparing)

// succeedRows is succeedAny.
//
//go:noescape
func succeedRows(x *succession)
