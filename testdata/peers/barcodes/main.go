// Command barcodes compares orrery's barcodes and their cost with those of another program on the same inputs. Arguments come
// in threes: a recording with the first reference and the count, or points:NAME with 0 and the number of points.
//
// As "barcodes cycles ..." it is orrery's command without the window: the memory that it takes is told beside that of orrery,
// which has pages of the window's code, too.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"orrery/app/cli"
	"orrery/traceio"
	"orrery/traceio/store"
)

const window = 10

func main() {
	log.SetFlags(0)
	if len(os.Args) > 1 && os.Args[1] == "cycles" {
		os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, nil))
	}
	orrery := flag.String("orrery", "orrery", "the program to compare")
	work := flag.String("work", ".", "a directory for the distances")
	with := flag.String("peer", "ripser", "the program to compare with: ripser, gudhi or gudhi-collapse")
	runs := flag.Int("runs", 3, "how often each program runs, in turn; the least of its CPU seconds counts")
	flag.Parse()
	p, ok := peers[*with]
	if !ok || *runs < 1 {
		log.Fatalf("there is no peer %s, or nothing to run", *with)
	}
	fmt.Printf("%-28s %6s %6s  %17s  %17s  %6s %6s  %15s\n", "input", "points", "bars", *with+" s, MB", "orrery s, MB", "times", "memory", "no window, MB")
	for args := flag.Args(); len(args) >= 3; args = args[3:] {
		from, err := strconv.Atoi(args[1])
		check(err)
		count, err := strconv.Atoi(args[2])
		check(err)
		p.compare(*orrery, *work, args[0], from, count, *runs)
	}
}

// peer is a program that computes barcodes.
type peer struct {
	program   string
	distances []string // arguments before a file of distances
	points    []string // arguments before a file of points
	separator string   // between distances
	bars      func(out []byte) [][2]float64
}

var peers = map[string]peer{
	"ripser": {"ripser-coeff", []string{"--format", "lower-distance", "--dim", "1", "--modulus", "47"},
		[]string{"--format", "point-cloud", "--dim", "1", "--modulus", "47"}, ",", ripserBars},
	// The edge-collapsing program of Debian 12 computes over Z/3 whatever it is told: bars of inputs with 3-torsion would differ.
	"gudhi": {"gudhi-rips-distance-matrix-persistence", []string{"--cpx-dimension", "2", "--field-charac", "47"}, nil, ";", gudhiBars},
	"gudhi-collapse": {"gudhi-distance-matrix-edge-collapse-rips-persistence", []string{"--cpx-dimension", "2", "--edge-collapse-iterations", "2"},
		nil, ";", gudhiBars},
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// compare runs both programs on one input.
func (p peer) compare(orrery, work, input string, from, count, runs int) {
	file := filepath.Join(work, "input")
	var theirs, ours []string
	var n int
	if name, ok := strings.CutPrefix(input, "points:"); ok {
		if p.points == nil {
			log.Fatalf("%s is compared on recordings only", p.program)
		}
		n = count
		writePoints(file, name, n)
		theirs, ours = p.points, []string{"--points", file}
	} else {
		windows := distinct(read(input, from, count))
		n = len(windows)
		writeDistances(file, p.separator, windows)
		theirs, ours = p.distances, []string{input, "--from", fmt.Sprint(from), "--count", fmt.Sprint(count)}
	}
	alone, err := os.Executable()
	check(err)
	ours = append([]string{"cycles", "--json", "--top", "0"}, ours...)
	a, b, bare := cost{math.Inf(1), 0}, cost{math.Inf(1), 0}, cost{math.Inf(1), 0}
	var bars int
	for range runs { // in turn: what else the machine does hits both
		out, c := run(p.program, append(slices.Clone(theirs), file)...)
		mine, d := run(orrery, ours...)
		_, e := run(alone, ours...)
		want, got := p.bars(out), orreryBars(mine)
		if !same(want, got) {
			log.Fatalf("%s: the bars differ: %s has %d, orrery %d", input, p.program, len(want), len(got))
		}
		bars, a, b, bare = len(got), a.least(c), b.least(d), bare.least(e)
	}
	fmt.Printf("%-28s %6d %6d  %9.2f %7.0f  %9.3f %7.0f  %6.1f %6.1f  %8.0f %6.1f\n", filepath.Base(input), n, bars, a.seconds, a.mb, b.seconds, b.mb,
		a.seconds/b.seconds, a.mb/b.mb, bare.mb, a.mb/bare.mb)
}

type cost struct{ seconds, mb float64 }

// least is the smaller time and the larger memory.
func (c cost) least(d cost) cost { return cost{min(c.seconds, d.seconds), max(c.mb, d.mb)} }

// run gives a program's output, its CPU seconds and its largest memory.
func run(name string, args ...string) ([]byte, cost) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	check(err)
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return out, cost{(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), float64(usage.Maxrss) / 1024}
}

// read gives the addresses of a stretch of data references.
func read(path string, from, count int) []traceio.Addr {
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	check(err)
	defer rec.Close()
	var out []traceio.Addr
	for s := traceio.Seq(from); s < min(rec.Len(), traceio.Seq(from+count)); s++ {
		b, err := rec.Block(rec.Find(s))
		check(err)
		out = append(out, b.At(s).Addr)
	}
	return out
}

// distinct gives each different window once.
func distinct(addrs []traceio.Addr) [][]traceio.Addr {
	seen := map[string]bool{}
	var out [][]traceio.Addr
	for i := 0; i+window <= len(addrs); i++ {
		w := addrs[i : i+window]
		if key := fmt.Sprint(w); !seen[key] {
			seen[key] = true
			out = append(out, w)
		}
	}
	return out
}

func writeDistances(path, separator string, windows [][]traceio.Addr) {
	f, err := os.Create(path)
	check(err)
	w := bufio.NewWriter(f)
	fmt.Fprintln(w) // the first row, above the diagonal
	for i := 1; i < len(windows); i++ {
		for j := range i {
			if j > 0 {
				w.WriteString(separator)
			}
			fmt.Fprint(w, levenshtein(windows[i], windows[j]))
		}
		fmt.Fprintln(w)
	}
	check(w.Flush())
	check(f.Close())
}

// levenshtein is the textbook's, so that a mistake of ours is not handed to both.
func levenshtein(a, b []traceio.Addr) int {
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, row[j]+1, above[j+1]+1)
		}
		above = row
	}
	return above[len(b)]
}

// writePoints writes n random points: on the sphere, or rotations of space as their nine matrix entries.
func writePoints(path, name string, n int) {
	r := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for range n {
		a, b, c, d := r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		var p []float64
		switch s := math.Sqrt(a*a + b*b + c*c); name {
		case "sphere":
			p = []float64{a / s, b / s, c / s}
		case "rotations":
			s = math.Sqrt(a*a + b*b + c*c + d*d)
			a, b, c, d = a/s, b/s, c/s, d/s
			p = []float64{a*a + b*b - c*c - d*d, 2 * (b*c - a*d), 2 * (b*d + a*c), 2 * (b*c + a*d), a*a - b*b + c*c - d*d,
				2 * (c*d - a*b), 2 * (b*d - a*c), 2 * (c*d + a*b), a*a - b*b - c*c + d*d}
		default:
			log.Fatalf("there are no points named %s", name)
		}
		for i, x := range p {
			if i > 0 {
				text.WriteByte(' ')
			}
			fmt.Fprintf(&text, "%.9g", x)
		}
		text.WriteByte('\n')
	}
	check(os.WriteFile(path, []byte(text.String()), 0o600))
}

// ripserBars reads "[birth,death)" lines of dimension 1.
func ripserBars(out []byte) (bars [][2]float64) {
	_, dim1, ok := strings.Cut(string(out), "intervals in dim 1:")
	if !ok {
		log.Fatalf("ripser says nothing of dimension 1:\n%s", out)
	}
	for _, line := range strings.Split(dim1, "\n") {
		birth, death, ok := strings.Cut(strings.Trim(line, " [)"), ",")
		if !ok {
			continue
		}
		b, err := strconv.ParseFloat(birth, 64)
		check(err)
		d, err := strconv.ParseFloat(strings.TrimSpace(death), 64)
		check(err)
		bars = append(bars, [2]float64{b, d})
	}
	return bars
}

// gudhiBars reads lines "p dim birth death" of dimension 1; deaths may be inf where Rips complexes end.
func gudhiBars(out []byte) (bars [][2]float64) {
	for _, line := range strings.Split(string(out), "\n") {
		f := strings.Fields(line)
		if len(f) != 4 || f[1] != "1" {
			continue
		}
		b, err := strconv.ParseFloat(f[2], 64)
		check(err)
		d, err := strconv.ParseFloat(f[3], 64)
		check(err)
		bars = append(bars, [2]float64{b, d})
	}
	return bars
}

func orreryBars(out []byte) (bars [][2]float64) {
	var object struct{ Barcode [][2]float64 }
	check(json.Unmarshal(out, &object))
	return object.Barcode
}

// same pairs the bars up; ripser computes with 24 bits and prints six digits.
func same(a, b [][2]float64) bool {
	left := slices.Clone(b)
	for _, x := range a {
		i := slices.IndexFunc(left, func(y [2]float64) bool {
			return math.Abs(x[0]-y[0]) < 2e-5 && math.Abs(x[1]-y[1]) < 2e-5
		})
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}
