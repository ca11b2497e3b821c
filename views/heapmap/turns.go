package heapmap

import "math/rand/v2"

// Blocks thinner than a pixel often lie in turns, a list's nodes and their texts, say: wherever two classes share a pixel half and
// half, their mean is neither's colour, and all such places look alike. So thin blocks of different classes take turns in
// who has most of the say: in each row of pixels there is an order of all classes, another one in each row, and a class says a
// third of what the one before it says. A stack of thin blocks is then drawn as thin stripes in the colours of
// the legend, as it looks from near by. The order belongs to the row's address, so that nothing flickers while the map moves.

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

// turn is how much a class has to say in a row, counted upward from the pool's beginning: 1 for a block that has room for its
// own pixels, and at an alpha of 1.
func (c *look) turn(row int64, class uint8, side float64) float32 {
	t := max(0, min(1, (thin-side)/2)) * max(0, min(1, 4*(1-c.alpha)))
	return 1 + (turns[len(c.colors.entries)][row&(turnRows-1)][class]-1)*float32(t)
}

// leastSay keeps the say of thick blocks above what rounding leaves of sums.
const leastSay = 1.0 / 256
