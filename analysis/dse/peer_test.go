package dse

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

var pointsDir = flag.String("points", "",
	"write the sets of the benchmarks to this directory, for testdata/peers/pagmo.sh")

// peerSets are sets of points in the unit cube by kind, objectives and size.
var peerSets = []struct {
	kind string
	m, n int
}{
	{"sphere", 2, 100000}, {"sphere", 3, 1000}, {"sphere", 3, 10000}, {"sphere", 3, 100000}, {"sphere", 4, 100},
	{"sphere", 4, 1000}, {"sphere", 5, 200}, {"sphere", 6, 100},
	{"cloud", 2, 10000}, {"cloud", 3, 10001}, {"cloud", 4, 10000},
}

func benchmarkPeers(b *testing.B, compute func(f [][]float64, m int)) {
	for _, c := range peerSets {
		r := rand.New(rand.NewPCG(11, 12))
		f := sphere(r, c.n, c.m)
		if c.kind == "cloud" {
			f = cloud(r, c.n, c.m, 0)
		}
		b.Run(fmt.Sprintf("m=%d/n=%d", c.m, c.n), func(b *testing.B) {
			b.ReportAllocs()
			from := processor()
			n := 0
			for b.Loop() {
				compute(f, c.m)
				n++
			}
			b.ReportMetric(float64(processor()-from)/float64(n), "cpu-ns/op")
		})
		if *pointsDir != "" {
			if err := writePoints(filepath.Join(*pointsDir, fmt.Sprintf("%d-%d.points", c.m, c.n)), f); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// processor is the time that this process has computed.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func writePoints(path string, f [][]float64) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d %d %.17g %d\n", len(f), len(f[0]), Hypervolume(f, nil, ones(len(f))), len(Front(f, nil)))
	for i := range f[0] {
		for j := range f {
			fmt.Fprintf(w, "%.17g ", f[j][i])
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return out.Close()
}

func BenchmarkHypervolume(b *testing.B) {
	benchmarkPeers(b, func(f [][]float64, m int) { Hypervolume(f, nil, ones(m)) })
}

func BenchmarkFront(b *testing.B) {
	benchmarkPeers(b, func(f [][]float64, m int) { Front(f, nil) })
}
