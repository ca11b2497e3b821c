package simulator

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "orrery/cachesim"
)

var dinero = flag.String("dinero", "", "Dinero IV's core as testdata/peers/dinero.sh builds it")

// BenchmarkDinero runs the same references through Dinero IV and through this package, holds every count of every level
// against the other's and compares the processor time of both cores. Each recording is run, in each round, until 4
// million rows are done.
func BenchmarkDinero(b *testing.B) {
	if *dinero == "" {
		b.Skip("Dinero IV is not free to ship: run testdata/peers/dinero.sh")
	}
	for _, name := range Presets() {
		c, err := Preset(name)
		if err != nil {
			b.Fatal(err)
		}
		c.TLBs, c.Walk = nil, MainMemory{} // Dinero has none
		if !likeDinero(c) {
			continue
		}
		for _, w := range workloads {
			b.Run(w.name+"/"+name, func(b *testing.B) { sideBySide(b, c, collect(4<<20, w.refs)) })
		}
		paths, err := filepath.Glob("../../testdata/recordings/*.orr")
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range paths {
			b.Run(strings.TrimSuffix(filepath.Base(path), ".orr")+"/"+name, func(b *testing.B) {
				rec := inMemory(b, path)
				if rec.rows() == 0 {
					b.Skip("no references")
				}
				sideBySide(b, c, rec)
			})
		}
	}
}

// inMemory is all blocks of a stored recording.
func inMemory(b *testing.B, path string) (rec recording) {
	stored := open(b, path)
	for i := range stored.Blocks() {
		x, err := stored.Block(i)
		if err != nil {
			b.Fatal(err)
		}
		rec = append(rec, x)
	}
	return rec
}

// likeDinero tells whether Dinero can simulate the hierarchy: plain levels under LRU, of sizes that are powers of two.
func likeDinero(c Config) bool {
	return !slices.ContainsFunc(c.Levels, func(l Level) bool {
		return l.Policy != LRU && l.Policy != "" || l.Size&(l.Size-1) != 0 || l.Inclusion == Inclusive ||
			l.Inclusion == Exclusive ||
			l.Write == WriteThrough || l.NoAllocate || l.Prefetch != NoPrefetch || l.VictimBlocks > 0
	})
}

// sideBySide is one row of the comparison: as many rounds as asked, the one behind the other in each, so that a machine
// that is busy elsewhere slows down both. The ratio of the fastest rounds is told, and the median of the rounds' own.
func sideBySide(b *testing.B, c Config, rec recording) {
	passes := (4<<20 + rec.rows() - 1) / rec.rows()
	dinero := newDinero(b, c, rec, passes)
	var ours, theirs, ratios []float64
	for range b.N {
		counts, seconds := dinero.run(b)
		h := fresh(b, c)
		start := cpuSeconds(b)
		for range passes {
			for _, x := range rec {
				h.Run(x)
			}
		}
		ours = append(ours, cpuSeconds(b)-start)
		theirs = append(theirs, seconds)
		ratios = append(ratios, seconds/ours[len(ours)-1])
		if got := dineroCounts(h.Totals()); got != counts {
			b.Fatalf("counts differ\nours:\n%sDinero's:\n%s", got, counts)
		}
	}
	slices.Sort(ratios)
	refs := float64(rec.rows()) * float64(passes) / 1e6
	b.ReportMetric(refs/slices.Min(ours), "Mref/cpu-s")
	b.ReportMetric(refs/slices.Min(theirs), "Dinero-Mref/cpu-s")
	b.ReportMetric(slices.Min(theirs)/slices.Min(ours), "ratio")
	b.ReportMetric(ratios[len(ratios)/2], "median-ratio")
	b.ReportMetric(0, "ns/op")
}

// dineroRun is what Dinero is to be started with.
type dineroRun []string

func newDinero(b *testing.B, c Config, rec recording, passes int) dineroRun {
	b.Helper()
	var records []byte
	for _, x := range rec {
		for i, a := range x.Addr {
			records = binary.LittleEndian.AppendUint64(records, uint64(a))
			records = binary.LittleEndian.AppendUint16(records, max(x.Size[i], 1))
			records = append(records, byte(x.Kind[i]), 0, 0, 0, 0, 0)
		}
	}
	path := filepath.Join(b.TempDir(), "trace")
	if err := os.WriteFile(path, records, 0o600); err != nil {
		b.Fatal(err)
	}
	args := dineroRun{path, fmt.Sprint(passes)}
	for i, l := range c.Levels {
		args = append(args, fmt.Sprintf("%s,%s,%d,%d,%d,%d", l.Name, l.Kind, c.Next(i), l.Size.Log2(),
			l.Ways, l.Block.Log2()))
	}
	return args
}

// run gives Dinero's counts, as text, and its CPU seconds.
func (d dineroRun) run(b *testing.B) (counts string, seconds float64) {
	b.Helper()
	var out, log bytes.Buffer
	cmd := exec.Command(*dinero, d...)
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %s", err, log.String())
	}
	lines := strings.SplitAfter(strings.TrimSpace(out.String()), "\n")
	if _, err := fmt.Sscan(lines[len(lines)-1], &seconds); err != nil {
		b.Fatal(err)
	}
	return strings.Join(lines[:len(lines)-1], ""), seconds
}

// dineroCounts is what Dinero counts too, as its driver writes it.
func dineroCounts(t Totals) string {
	var s strings.Builder
	for _, l := range t.Levels {
		fmt.Fprintln(&s, l.Fetches, l.Reads, l.Writes, l.FetchMisses, l.ReadMisses, l.WriteMisses, l.WriteBacks)
	}
	fmt.Fprintln(&s, t.Memory.Reads, t.Memory.Writes)
	return s.String()
}
