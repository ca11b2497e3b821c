//go:build !amd64

package orr

func followRows(x *following) { followAny(x) }

func residentRows(x *residing) { residentAny(x) }

func goOn(rows []Row, round int) int { return goOnAny(rows, round) }

func compareRows(x *comparing) { compareAny(x) }

func succeedRows(x *succession) { succeedAny(x) }
