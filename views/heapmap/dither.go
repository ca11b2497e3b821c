package heapmap

import "math/rand/v2"

// Ordered dithering of classes. Blocks thinner than a pixel often alternate, for example a list's nodes and their
// texts: wherever two classes share a pixel half and half, their mean is neither's colour, and all such places look
// alike. So each row of pixels has an order of all classes of its own, and in that row a class weighs a third of the
// one before it in the order. A stack of thin blocks is then drawn as thin stripes in the colours of the legend, as it
// looks from near by. A block that has room for its own pixels is not dithered. The order belongs to the row's address,
// so that nothing flickers while the map moves.
//
//	row 0   A 1    B 1/3  C 1/9
//	row 1   C 1    A 1/3  B 1/9

const (
	ditherRows  = 64
	ditherRanks = 6 // ranks beyond count as the last of these
)

// dither is the weight of each class in each row where there are n of them: dither[n][row][class].
var dither = func() (t [maxClasses + 2][ditherRows][maxClasses + 1]float32) {
	for n := range t {
		r := rand.New(rand.NewPCG(20070611, uint64(n)))
		for row := range t[n] {
			for class, rank := range r.Perm(min(n, maxClasses+1)) {
				t[n][row][class] = 1
				for range min(rank, ditherRanks-1) {
					t[n][row][class] /= 3
				}
			}
		}
	}
	return t
}()

// ditherLoss is how much weight a class of n loses in each row, for 1/255 of a stroke's dither: nothing at an alpha of
// 1.
func ditherLoss(n int, alpha float64) (t [ditherRows][maxClasses + 1]float32) {
	share := max(0, min(1, 4*(1-alpha))) / 255
	for row := range t {
		for class := range t[row] {
			t[row][class] = (1 - dither[n][row][class]) * float32(share)
		}
	}
	return t
}

// leastWeight keeps the weight of thick blocks above what rounding leaves of sums.
const leastWeight = 1.0 / 256

// number is that of a row of pixels, counted upward from the pool's beginning.
func (g *segment) number(row int) int64 {
	return int64(g.under) + int64(g.rows[1]) - 1 - int64(row)
}
