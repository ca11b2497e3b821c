//go:build !amd64

package orr

func followRows(x *following) { followAny(x) }

func residentRows(x *residing) { residentAny(x) }
