package layout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// centerLayers moves a block by the mean, over its layers, of how far the layer's mean coordinate is from the middle.
func TestCenterLayersTakesOutTheMeansOfLayers(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 3))
	tall := 0
	for range 30 {
		b := randomLevels(r, 5+r.IntN(60)).newBlockOrder()
		n := float64(len(b.blocks))
		for i := range b.coord {
			b.coord[i] = n * r.Float64()
		}
		before := slices.Clone(b.coord)
		over := make([]float64, len(b.layering.order))
		for row := range over {
			for _, v := range b.layering.order[row] {
				over[row] += before[b.of[v]] / float64(len(b.layering.order[row]))
			}
			over[row] -= n / 2
		}
		b.centerLayers(b.coord, 0)
		for i, x := range b.blocks {
			sum := 0.0
			for row := x.top; row <= x.bottom; row++ {
				sum += over[row]
			}
			want := min(max(before[i]-sum/float64(x.bottom-x.top+1), 0), n-0.5)
			if math.Abs(b.coord[i]-want) > 1e-9*n {
				t.Fatalf("block %d in layers %d to %d went from %g to %g, want %g", i, x.top, x.bottom, before[i], b.coord[i], want)
			}
			if x.bottom > x.top {
				tall++
			}
		}
	}
	if tall == 0 {
		t.Error("no block was in several layers: the test tests little")
	}
}

// Blocks at their barycenters have each place once, and cross far less often than in the order a search finds.
func TestBarycentersCrossLess(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 3))
	before, after := int64(0), int64(0)
	for range 10 {
		b := shownBlocks(r, 60)
		before += slowCrossings(b.layering)
		b.globalBarycenter(4, 4, 2, 0)
		b.writeLayers()
		after += slowCrossings(b.layering)
		for i, at := range b.place {
			if b.order[at] != int32(i) || b.coord[i] != float64(at) {
				t.Fatalf("block %d is at %d, where %d stands", i, at, b.order[at])
			}
		}
	}
	if after >= before*3/4 {
		t.Errorf("%d crossings became %d", before, after)
	}
}

// Sums of four at a time move blocks where a plain loop over their neighbours does.
func TestPaddedSumsMoveBlocksToBarycenters(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	many := 0
	for range 30 {
		b := randomLevels(r, 5+r.IntN(80)).newBlockOrder()
		for i := range b.coord {
			b.coord[i] = float64(len(b.blocks)) * r.Float64()
		}
		want := slices.Clone(b.coord)
		for range 3 {
			for i := range b.blocks {
				sum, weight := 0.0, 0.0
				for _, y := range b.neighbours(&b.blocks[i]) {
					sum += want[y.block] * float64(y.weight)
					weight += float64(y.weight)
				}
				if weight > 0 {
					want[i] = sum / weight
				}
				if len(b.neighbours(&b.blocks[i])) > 4 {
					many++
				}
			}
		}
		b.moveToBarycenters(b.paddedSums(), 3)
		for i := range want {
			if math.Abs(b.coord[i]-want[i]) > 1e-9*float64(len(want)) {
				t.Fatalf("block %d of %d goes to %g, want %g", i, len(want), b.coord[i], want[i])
			}
		}
	}
	if many == 0 {
		t.Error("no block has more than four neighbours: the test tests little")
	}
}
