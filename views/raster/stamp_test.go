package raster

import (
	"bytes"
	"image/color"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"orrery/views/scene"
)

// stamped is one disc among so many of its size, all of them far outside, that it is drawn by a stamp.
func stamped(cx, cy, r float64) scene.Discs {
	d := scene.Discs{Centers: make([]scene.Point, repeated), Radii: []float64{r}, Colors: []color.NRGBA{one}}
	for i := range d.Centers {
		d.Centers[i] = scene.Point{X: 1000, Y: float64(i)}
	}
	d.Centers[7] = scene.Point{X: cx, Y: cy}
	return d
}

// Tolerance: that of discs without stamps, and a thirty-second of a pixel along an edge.
func TestStampedDiscCoverageAgreesWithSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	for _, r := range []float64{0.2, 0.3, 0.5, 0.75, 1, 1.39, 2, 3, 4.5, largest} {
		for try := range 6 {
			cx, cy := 9+rng.Float64(), 9+rng.Float64()
			if try == 0 {
				cx, cy = 9.98, 9.999 // the position rounds to the next pixel
			}
			d := stamped(cx, cy, r)
			if s := newStamps(d, 1); s == nil || s[sizeOf(r)] == nil {
				t.Fatalf("radius %v has no stamps", r)
			}
			got := white(20, 20, d)
			want := coverage(20, 20, func(x, y float64) bool { return math.Hypot(x-cx, y-cy) <= r })
			if worst, mean := apart(got, want); worst > 0.1 || mean > 0.03 {
				t.Errorf("stamp of radius %v at %.3f,%.3f: pixels differ by %.3f at most and %.4f on average", r,
					cx, cy, worst, mean)
			}
			gx, gy, sum := mass(got, 20)
			wx, wy, _ := mass(want, 20)
			if area := math.Pi * r * r; math.Abs(sum-area) > 0.03*area+0.03 {
				t.Errorf("stamp of radius %v at %.3f,%.3f: covers %.3f pixels, its area is %.3f", r, cx, cy, sum, area)
			}
			if math.Hypot(gx-wx, gy-wy) > 0.05+0.02/r {
				t.Errorf("stamp of radius %v at %.3f,%.3f: its centre of mass lies at %.3f,%.3f, want %.3f,%.3f", r, cx,
					cy, gx, gy, wx, wy)
			}
		}
	}
}

// mass is the sum of the pixels' coverage and its centre.
func mass(coverage []float64, w int) (x, y, sum float64) {
	for i, v := range coverage {
		sum, x, y = sum+v, x+v*(float64(i%w)+0.5), y+v*(float64(i/w)+0.5)
	}
	return x / sum, y / sum, sum
}

// A stamp must look like the disc without one wherever it is cut: by the picture's edges and by the bands'.
func TestStampsAreCutAtEdges(t *testing.T) {
	for _, r := range []float64{0.8, 2.5} {
		for x := -4.0; x < 36; x += 3.25 {
			for y := -4.0; y < 28; y += 3.5 {
				got := white(32, 24, stamped(x, y, r))
				want := white(32, 24, scene.Discs{Centers: []scene.Point{{X: x, Y: y}}, Radii: []float64{r},
					Colors: []color.NRGBA{one}})
				if worst, _ := apart(got, want); worst > 0.03 {
					t.Errorf("radius %v at %v,%v: pixels differ by %.3f", r, x, y, worst)
				}
			}
		}
	}
}

func TestStampsAgreeWithOneGoroutine(t *testing.T) {
	d := manyDiscs(20_000, 1.7)
	before := runtime.GOMAXPROCS(1)
	single := Render(d, 1.25, nil)
	runtime.GOMAXPROCS(8)
	eight := Render(d, 1.25, nil)
	runtime.GOMAXPROCS(before)
	for i := range single.Pix {
		if single.Pix[i] != eight.Pix[i] {
			t.Fatalf("byte %d: %d with one processor, %d with eight", i, single.Pix[i], eight.Pix[i])
		}
	}
}

// TestStampsBlendLikeSingleDiscs lays the same coverage over the same pixels in both ways.
func TestStampsBlendLikeSingleDiscs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 20_000 {
		k := inkOf(color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(4) * 85)})
		p := [4]uint8{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256))}
		got, want, c := p, p, uint16(rng.IntN(257))
		layAny(got[:], 4, []uint16{c}, 1, k.word(), k.opacity())
		k.blend(want[:], float32(c)/256)
		for i := range got {
			if d := int(got[i]) - int(want[i]); d < -1 || d > 1 {
				t.Fatalf("%+v over %v at %d/256: %v, want %v", k, p, c, got, want)
			}
		}
	}
}

// TestFoursAreLaidLikeSinglePixels holds the processor's kernel against the plain one.
func TestFoursAreLaidLikeSinglePixels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for range 2000 {
		across, rows, spare := 4+4*rng.IntN(3), 1+rng.IntN(5), 4*rng.IntN(3)
		stride := 4*across + spare
		got := make([]uint8, rows*stride-spare)
		for i := range got {
			got[i] = uint8(rng.IntN(256))
		}
		coverage := make([]uint16, across*rows)
		for i := range coverage {
			coverage[i] = uint16([]int{0, 256, rng.IntN(257)}[rng.IntN(3)])
		}
		word, opacity := rng.Uint32(), []uint32{0, opaque, rng.Uint32N(opaque + 1)}[rng.IntN(3)]
		want := bytes.Clone(got)
		lay(got, stride, coverage, across, word, opacity)
		layAny(want, stride, coverage, across, word, opacity)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d x %d pixels of %08x, opacity %d, coverage %v: %v, want %v", across, rows, word, opacity,
				coverage, got, want)
		}
	}
}
