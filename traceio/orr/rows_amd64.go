package orr

import processor "golang.org/x/sys/cpu"

// vectors tells whether the processor has what followVectors is written in.
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
