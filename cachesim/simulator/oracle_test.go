package simulator

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	. "orrery/cachesim"
	"orrery/traceio"
	"orrery/traceio/readtest"
)

// readLackey reads a compressed lackey recording the obvious way, as one list of references.
func readLackey(t testing.TB, path string) []traceio.Access {
	t.Helper()
	var refs []traceio.Access
	kinds := map[string][]traceio.Kind{"I  ": {traceio.Fetch}, " L ": {traceio.Load}, " S ": {traceio.Store},
		" M ": {traceio.Load, traceio.Store}}
	for s := bufio.NewScanner(bytes.NewReader(readtest.Gunzip(t, path))); s.Scan(); {
		if len(s.Text()) < 3 || kinds[s.Text()[:3]] == nil {
			continue // valgrind's own lines
		}
		addrText, sizeText, _ := strings.Cut(s.Text()[3:], ",")
		addr, err := strconv.ParseUint(addrText, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		size, err := strconv.Atoi(sizeText)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range kinds[s.Text()[:3]] {
			refs = append(refs, traceio.Access{Addr: traceio.Addr(addr), Size: uint16(size), Kind: k})
		}
	}
	return refs
}

// blocksOf cuts references into blocks of the given number of rows.
func blocksOf(refs []traceio.Access, rows int) []*traceio.Block {
	var blocks []*traceio.Block
	seq := traceio.Seq(0)
	for len(refs) > 0 {
		n := min(rows, len(refs))
		b := new(traceio.Block)
		b.Reset(seq)
		for _, a := range refs[:n] {
			b.Append(a)
		}
		seq += traceio.Seq(b.Data())
		blocks = append(blocks, b)
		refs = refs[n:]
	}
	return blocks
}

// TestDinero holds the counts against Dinero IV's, every field that the yardsticks have.
func TestDinero(t *testing.T) {
	refs := readLackey(t, "../../testdata/oracles/quicksort.lk.gz")
	files, err := filepath.Glob("../../testdata/oracles/quicksort.cache-*.json")
	if err != nil || len(files) != 3 {
		t.Fatalf("want three yardsticks, found %v (%v)", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			h := fresh(t, yardstickConfig(t, file))
			h.Classify()
			for _, b := range blocksOf(refs, traceio.MaxBlock) {
				h.Run(b)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want struct {
				References uint64
				Levels     []map[string]any
			}
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			totals := h.Totals()
			if totals.References != want.References {
				t.Errorf("%d references, want %d", totals.References, want.References)
			}
			for i, l := range want.Levels {
				var got map[string]any
				text, err := json.Marshal(totals.Levels[i])
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(text, &got); err != nil {
					t.Fatal(err)
				}
				for key, value := range l {
					if key != "name" && got[key] != value {
						t.Errorf("%s: %s = %v, want %v", l["name"], key, got[key], value)
					}
				}
			}
		})
	}
}

// yardstickConfig reads the hierarchy from the file's name: quicksort.cache-4K-2w-32K-4w-32B-lru.json.
func yardstickConfig(t *testing.T, file string) Config {
	t.Helper()
	f := strings.Split(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "quicksort.cache-"), ".json"), "-")
	if len(f) != 6 {
		t.Fatalf("cannot read the configuration from %s", file)
	}
	level := func(name string, k Kind, size, ways string) Level {
		n, err := strconv.Atoi(strings.TrimSuffix(ways, "w"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseSize(size)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ParseSize(f[4])
		if err != nil {
			t.Fatal(err)
		}
		return Level{Name: name, Kind: k, Size: s, Ways: n, Block: block, Policy: Policy(f[5])}
	}
	return Config{Name: file, Levels: []Level{
		level("L1I", Instruction, f[0], f[1]), level("L1D", Data, f[0], f[1]), level("L2", Unified, f[2], f[3]),
	}}
}
