package heapmap

import "math/rand/v2"

// Blocks thinner than a pixel often lie in turns, a list's nodes and their texts, say: wherever two classes share a
// pixel half and half, their mean is neither's colour, and all such places look alike. So thin blocks of different
// classes take turns in who has most of the say: in each row of pixels there is an order of all classes, another one in
// each row, and a class says a third of what the one before it says. A stack of thin blocks is then drawn as thin
// stripes in the colours of the legend, as it looks from near by. A block that has room for its own pixels takes no
// turns. The order belongs to the row's address, so that nothing flickers while the map moves.

const (
	turnRows  = 64
	turnRanks = 6 // ranks beyond count as the last of these
)

// turns is the weight of each class in each row where there are n of them.
var turns = func() (t [maxClasses + 2][turnRows][maxClasses + 1]float32) {
	for n := range t {
		r := rand.New(rand.NewPCG(20070611, uint64(n)))
		for row := range t[n] {
			for class, rank := range r.Perm(min(n, maxClasses+1)) {
				t[n][row][class] = 1
				for range min(rank, turnRanks-1) {
					t[n][row][class] /= 3
				}
			}
		}
	}
	return t
}()

// ranks is how much a class loses of its say in each row at the full share of taking turns, for n classes and 1/255 of
// a stroke's share: nothing at an alpha of 1.
func ranks(n int, alpha float64) (t [turnRows][maxClasses + 1]float32) {
	share := max(0, min(1, 4*(1-alpha))) / 255
	for row := range t {
		for class := range t[row] {
			t[row][class] = (1 - turns[n][row][class]) * float32(share)
		}
	}
	return t
}

// leastSay keeps the say of thick blocks above what rounding leaves of sums.
const leastSay = 1.0 / 256

// number is that of a row of pixels, counted upward from the pool's beginning.
func (g *segment) number(row int) int64 {
	return int64(g.under) + int64(g.rows[1]) - 1 - int64(row)
}
