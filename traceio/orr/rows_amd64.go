package orr

// followRows is followAny.
//
//go:noescape
func followRows(x *following)

// residentRows is residentAny.
//
//go:noescape
func residentRows(x *residing)
