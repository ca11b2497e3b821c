package palette

import "image/color"

// The sets begin at the colours of Okabe and Ito ("Color Universal Design", 2008: sky blue, orange, bluish green, reddish
// purple, yellow), darkened for the light theme, with brown, blue and pale green added. Each was then moved by at most
// 0.045 in OKLab to make the smallest distance between any two of them and the shared grey, as seen with full, without red
// and without green cones, as large as it gets, away from the red that means a miss. The tests measure that distance.
var (
	onDark  = [...]uint32{0x4bb8fe, 0xef9912, 0x34c37f, 0xdd8cc9, 0xeed953, 0xbc7233, 0x6f84e9, 0xa8e4ac}
	onLight = [...]uint32{0x0582d3, 0xdf7500, 0x188062, 0xac52a1, 0x856b00, 0x743801, 0x5b3fbc, 0x31a85d}
)

// Distinct is the number of colours that Qualitative tells apart; further ranks share a grey.
const Distinct = len(onDark)

// Qualitative is the colour of the thing of rank i (0 is the most frequent), as a filled shape or a line on the theme's
// panel. Ranks below 0 and from Distinct on get the shared grey.
func Qualitative(t Theme, i int) color.NRGBA {
	set := &onLight
	if t.Dark {
		set = &onDark
	}
	if i < 0 || i >= Distinct {
		return Others(t)
	}
	return rgb(set[i])
}

// Others is the grey that everything beyond the qualitative set shares.
func Others(t Theme) color.NRGBA {
	if t.Dark {
		return rgb(0x7d8796)
	}
	return rgb(0x8a94a3)
}
