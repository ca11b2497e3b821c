// Command ripser compares orrery's barcodes and their cost with the program ripser-coeff on the same inputs. Arguments come
// in threes: a recording with the first reference and the count, or points:NAME with 0 and the number of points.
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

	"orrery/traceio"
	"orrery/traceio/store"
)

const window = 10

func main() {
	log.SetFlags(0)
	orrery := flag.String("orrery", "orrery", "the program to compare")
	work := flag.String("work", ".", "a directory for the distances")
	flag.Parse()
	fmt.Printf("%-28s %6s %6s  %17s  %17s  %s\n", "input", "points", "bars", "ripser s, MB", "orrery s, MB", "ratio")
	for args := flag.Args(); len(args) >= 3; args = args[3:] {
		from, err := strconv.Atoi(args[1])
		check(err)
		count, err := strconv.Atoi(args[2])
		check(err)
		compare(*orrery, *work, args[0], from, count)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// compare runs both programs on one input.
func compare(orrery, work, input string, from, count int) {
	file := filepath.Join(work, "input")
	var peer, ours []string
	var n int
	if name, ok := strings.CutPrefix(input, "points:"); ok {
		n = count
		writePoints(file, name, n)
		peer = []string{"--format", "point-cloud"}
		ours = []string{"--points", file}
	} else {
		windows := distinct(read(input, from, count))
		n = len(windows)
		writeDistances(file, windows)
		peer = []string{"--format", "lower-distance"}
		ours = []string{input, "--from", fmt.Sprint(from), "--count", fmt.Sprint(count)}
	}
	theirs, cost1 := run("ripser-coeff", append(peer, "--dim", "1", "--modulus", "47", file)...)
	mine, cost2 := run(orrery, append([]string{"cycles", "--json", "--top", "0"}, ours...)...)
	want, got := ripserBars(theirs), orreryBars(mine)
	if !same(want, got) {
		log.Fatalf("%s: the bars differ: ripser has %d, orrery %d", input, len(want), len(got))
	}
	fmt.Printf("%-28s %6d %6d  %9.2f %7.0f  %9.2f %7.0f  %.1f\n", filepath.Base(input), n, len(got),
		cost1.seconds, cost1.mb, cost2.seconds, cost2.mb, cost1.seconds/cost2.seconds)
}

type cost struct{ seconds, mb float64 }

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

func writeDistances(path string, windows [][]traceio.Addr) {
	f, err := os.Create(path)
	check(err)
	w := bufio.NewWriter(f)
	for i := 1; i < len(windows); i++ {
		for j := range i {
			fmt.Fprintf(w, "%d,", levenshtein(windows[i], windows[j]))
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
