package palette

import "image/color"

// The sets begin at the colours of Okabe and Ito ("Color Universal Design", 2008: sky blue, orange, bluish green,
// reddish purple, yellow), darkened for the light theme, with brown, blue and pale green added. Each was then moved by
// at most 0.045 in OKLab to make the smallest distance between any two of them and the shared grey, as seen with full,
// without red and without green cones, as large as it gets, away from the red that means a miss. The tests measure that
// distance.
var (
	onDark  = [...]uint32{0x4bb8fe, 0xef9912, 0x34c37f, 0xdd8cc9, 0xeed953, 0xbc7233, 0x6f84e9, 0xa8e4ac}
	onLight = [...]uint32{0x0582d3, 0xdf7500, 0x188062, 0xac52a1, 0x856b00, 0x743801, 0x5b3fbc, 0x31a85d}
)

// The sets for all were found by a search for the largest such distance without blue cones as well, with a chroma of
// 0.07 to 0.165 and a lightness of 0.60 to 0.90 on dark panels, 0.36 to 0.68 on light ones.
var (
	allOnDark  = [Distinct]uint32{0x1e97f0, 0xecc017, 0x01d2ab, 0xb8b4ff, 0xb26f05, 0x36fcf8, 0xbfefa1, 0xcc9803}
	allOnLight = [Distinct]uint32{0x557bc6, 0xc28403, 0xa43c75, 0x716600, 0x4c4eb8, 0x830800, 0x542e4e, 0x36278c}
)

// Distinct is the number of distinct colours of Qualitative; further ranks share a grey.
const Distinct = len(onDark)

// Qualitative is the colour of the thing of rank i (0 is the most frequent), as a filled shape or a line on the theme's
// panel. Ranks below 0 and from Distinct on get the shared grey.
func Qualitative(t Theme, i int) color.NRGBA {
	set := &onLight
	switch {
	case t.Universal && t.Dark:
		set = &allOnDark
	case t.Universal:
		set = &allOnLight
	case t.Dark:
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
