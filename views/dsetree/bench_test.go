package dsetree

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"

	"orrery/analysis/dse"
	"orrery/traceio/designs"
	"orrery/views/palette"
	"orrery/views/scene"
)

// million is a tree of a million points with three objectives in a thousand subspaces.
var million = sync.OnceValue(func() *dse.Tree {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(7, 9))
	set := &designs.Set{N: n}
	for k := range 3 {
		p := designs.Parameter{Name: fmt.Sprint("p", k), At: make([]int32, n)}
		for v := range 10 {
			p.Values = append(p.Values, fmt.Sprint(v))
		}
		for i := range p.At {
			p.At[i] = int32(r.IntN(10))
		}
		set.Parameters = append(set.Parameters, p)
	}
	for k := range 3 {
		o := designs.Objective{Name: fmt.Sprint("f", k), Values: make([]float64, n)}
		for i := range o.Values {
			o.Values[i] = r.ExpFloat64() + 0.1*float64(set.Parameters[k].At[i])
		}
		set.Objectives = append(set.Objectives, o)
	}
	s, err := dse.New(context.Background(), set)
	if err != nil {
		panic(err)
	}
	t, err := dse.NewTree(s, nil, dse.DefaultThreshold)
	if err != nil {
		panic(err)
	}
	return t
})

// spend runs work as often as the benchmark asks and reports what it took of the processor, in the median: on a loaded
// machine wall time is long, and now and then others take the caches.
func spend(b *testing.B, work func(i int)) {
	b.ReportAllocs()
	var took []float64
	for b.Loop() {
		from := processor()
		work(len(took))
		took = append(took, float64(processor()-from)/1e6)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "cpu-ms/op")
	b.ReportMetric(took[0], "least-cpu-ms/op")
}

func processor() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

// A frame of a million points, from the whole tree to single nodes.
func BenchmarkFrameMillion(b *testing.B) {
	t := million()
	look := DefaultLook(t.Space)
	l := t.Layout(dse.Hide{UpTo: -1})
	s := State{Theme: palette.Dark(), Look: look, Counted: -1, Edge: -1, Hover: -1, Focus: -1, Top: 28, Paper: new(Paper),
		Satellite: true, Shade: NewShade(l, NewColumns(t, look, nil))}
	size := scene.Size{W: 1920, H: 1000, Scale: 1}
	for _, zoom := range []float64{1, 10, 100, 1000, 10000} {
		for _, bird := range []bool{false, true} {
			b.Run(fmt.Sprintf("zoom=%g/lens=%v", zoom, bird), func(b *testing.B) {
				s.Zoom, s.Origin, s.Bird, s.Pointer = zoom, l.Width*0.4, bird, scene.Point{X: 900, Y: 500}
				spend(b, func(int) { Scene(s, size) })
			})
		}
	}
}

// From a criterion that changes to the picture: the points that pass, how many of them each node has, the frame.
func BenchmarkFilterToPictureMillion(b *testing.B) {
	t := million()
	look := DefaultLook(t.Space)
	s := State{Theme: palette.Dark(), Look: look, Zoom: 1, Counted: -1, Edge: -1, Hover: -1, Focus: -1, Top: 28,
		Paper: new(Paper), Shade: NewShade(t.Layout(dse.Hide{UpTo: -1}), NewColumns(t, look, nil))}
	size := scene.Size{W: 1920, H: 1000, Scale: 1}
	f := dse.NewFilter(t.Space)
	spend(b, func(i int) {
		f.Normalised(i%3, 0, 0.3+0.01*float64(i%40))
		s.Passing = t.Passing(f.Pass(), s.Passing)
		Scene(s, size)
	})
}

// What a job does beside the frame: layout, colours, sums.
func BenchmarkArrangeMillion(b *testing.B) {
	t := million()
	look := DefaultLook(t.Space)
	f := dse.NewFilter(t.Space)
	f.Normalised(0, 0, 0.5)
	h := f.Hide(t)
	all := dse.Hide{UpTo: -1}
	b.Run("layout", func(b *testing.B) { spend(b, func(int) { t.Layout(h) }) })
	b.Run("layout of all", func(b *testing.B) { spend(b, func(int) { t.Layout(all) }) })
	l := t.Layout(h)
	b.Run("columns", func(b *testing.B) { spend(b, func(int) { NewColumns(t, look, f.Pass()) }) })
	c := NewColumns(t, look, f.Pass())
	b.Run("columns for another filter", func(b *testing.B) { spend(b, func(int) { c.Again(look, f.Pass()) }) })
	b.Run("sums", func(b *testing.B) { spend(b, func(int) { NewShade(l, c) }) })
}
