package digest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/traceio/store"
)

// slow is the obvious way: reference by reference into maps.
func slow(t testing.TB, rec *store.Recording, m *region.Map) *Digest {
	t.Helper()
	d := empty(rec.Len())
	type key struct {
		piece int
		id    uint64
	}
	code, data := map[key][2]uint32{}, map[key][2]uint32{}
	d.Fine = []uint64{0}
	stores := uint64(0)
	look := m.Lookup()
	regions := make([]int32, traceio.MaxBlock)
	for i := range rec.Blocks() {
		b, err := rec.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		look.Classify(b, regions[:b.Len()], nil)
		for row := range b.Len() {
			if b.Kind[row] == traceio.Fetch {
				continue
			}
			p := int(d.Seen / d.Grain)
			d.Pieces[p].Low, d.Pieces[p].High = min(d.Pieces[p].Low, b.Addr[row]), max(d.Pieces[p].High, b.Addr[row])
			c, x := code[key{p, uint64(b.PC[row])}], data[key{p, uint64(regions[row])}]
			c[b.Kind[row]]++
			x[b.Kind[row]]++
			code[key{p, uint64(b.PC[row])}], data[key{p, uint64(regions[row])}] = c, x
			if b.Kind[row] == traceio.Store {
				stores++
				d.Pieces[p].Stores++
			} else {
				d.Pieces[p].Loads++
			}
			if d.Seen++; d.Seen%d.Bin == 0 {
				d.Fine = append(d.Fine, stores)
			}
		}
	}
	if d.Seen%d.Bin != 0 {
		d.Fine = append(d.Fine, stores)
	}
	for k, n := range code {
		d.Pieces[k.piece].Code = append(d.Pieces[k.piece].Code, Code{traceio.Addr(k.id), n[0], n[1]})
	}
	for k, n := range data {
		d.Pieces[k.piece].Data = append(d.Pieces[k.piece].Data, Data{int32(k.id), n[0], n[1]})
	}
	for i := range d.Pieces {
		d.Pieces[i].settle()
	}
	return d
}

func result(t testing.TB, rec *store.Recording) (*Result, *heap.Heap) {
	t.Helper()
	ctx := context.Background()
	h, err := heap.Analyze(ctx, rec.Allocs(), rec.Len(), rec.Program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	hints, err := Hints(ctx, rec, rec.Program(), h, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Count(ctx, rec, rec.Program(), h, hints, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, h
}

func check(t *testing.T, rec *store.Recording) {
	t.Helper()
	r, h := result(t, rec)
	want := slow(t, rec, r.Regions)
	if !r.Exact() || !reflect.DeepEqual(r.Digest, want) {
		t.Errorf("the digest differs from the slow one")
	}
	byCode, sums := map[traceio.Addr]Totals{}, make([]region.Use, len(r.Regions.Regions()))
	for _, p := range want.Pieces {
		for _, c := range p.Code {
			x := byCode[c.PC]
			byCode[c.PC] = Totals{c.PC, region.Use{Loads: x.Loads + uint64(c.Loads), Stores: x.Stores + uint64(c.Stores)}}
		}
		for _, x := range p.Data {
			sums[x.Region].Loads += uint64(x.Loads)
			sums[x.Region].Stores += uint64(x.Stores)
		}
	}
	if got := r.ByCode(); len(got) != len(byCode) {
		t.Errorf("%d instructions, want %d", len(got), len(byCode))
	} else {
		for _, c := range got {
			if byCode[c.PC] != c {
				t.Errorf("%v: %+v, want %+v", c.PC, c, byCode[c.PC])
			}
		}
	}
	each := map[traceio.Addr]Totals{}
	r.EachCode(func(pc traceio.Addr, loads, stores uint64) {
		x := each[pc]
		each[pc] = Totals{pc, region.Use{Loads: x.Loads + loads, Stores: x.Stores + stores}}
	})
	if !reflect.DeepEqual(each, byCode) {
		t.Errorf("the instructions one by one differ from their sums")
	}
	if !reflect.DeepEqual(sums, r.Use.Regions) {
		t.Errorf("the pieces' regions add up to\n%v, want\n%v", sums, r.Use.Regions)
	}

	kept, err := r.Keep()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Restore(rec, rec.Program(), h, kept)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(*back.Digest) != fmt.Sprint(*r.Digest) || !reflect.DeepEqual(back.Regions.Regions(),
		r.Regions.Regions()) || fmt.Sprint(*back.Use) != fmt.Sprint(*r.Use) {
		t.Errorf("what was kept comes back as something else")
	}
	again, err := back.Keep()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, kept) {
		t.Errorf("kept twice, %d and %d bytes differ", len(kept), len(again))
	}
}

// TestCountAgainstSlow digests shipped recordings, and keeps and restores what it finds.
func TestCountAgainstSlow(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/recordings/*.orr")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, path := range paths {
		switch filepath.Base(path) {
		case "containers.orr", "lua-queens.orr", "mpm-60.orr", "sort-bubble.orr", "sort-merge.orr":
			continue // as long as all others together; list has a heap, too, and mpm-5 the same variables
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			rec, err := store.Open(context.Background(), path, store.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			check(t, rec)
		})
	}
}

func write(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.lk")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// lackeyText writes n random references of a few dozen instructions, among them modifications, and fetches.
func lackeyText(seed uint64, n int) []byte {
	rnd := rand.New(rand.NewPCG(seed, 2))
	var out bytes.Buffer
	for range n {
		fmt.Fprintf(&out, "I  %08x,%d\n", 0x401000+8*rnd.IntN(40), 1+rnd.IntN(8))
		for range rnd.IntN(4) {
			fmt.Fprintf(&out, " %c %x,%d\n", "LSM"[rnd.IntN(3)], 0x1fff000000+rnd.IntN(1<<16), 1<<rnd.IntN(4))
		}
	}
	return out.Bytes()
}

// TestRandomAgainstSlow has several blocks, with fetches, that do not begin where pieces do.
func TestRandomAgainstSlow(t *testing.T) {
	for seed, n := range []int{0, 1, 7, 3000, 60000} {
		rec, err := store.Open(context.Background(),
			write(t, append([]byte("I  401000,1\n"), lackeyText(uint64(seed), n)...)), store.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		check(t, rec)
	}
}

// TestGlimpse looks at a part of a recording: regions have the numbers of the whole, and nothing is counted twice.
func TestGlimpse(t *testing.T) {
	rec, err := store.Open(context.Background(), write(t, lackeyText(5, 100000)), store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, h := result(t, rec)
	g, err := Glimpse(context.Background(), rec, rec.Program(), h, r.hints)
	if err != nil {
		t.Fatal(err)
	}
	if !g.Exact() || g.Seen != rec.Len() { // all of its few blocks
		t.Errorf("%d of %d references seen", g.Seen, rec.Len())
	}
	if g.Head == 0 || !reflect.DeepEqual(g.Pieces, r.Pieces) || !reflect.DeepEqual(g.Use.Regions, r.Use.Regions) {
		t.Error("a glimpse of all blocks differs from the whole")
	}
}

// TestDamageIsRefused flips each of many bytes of what was kept and cuts it: it is refused, or still of one piece.
func TestDamageIsRefused(t *testing.T) {
	rec, err := store.Open(context.Background(), write(t, lackeyText(6, 500)), store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, h := result(t, rec)
	kept, err := r.Keep()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(kept); i += 1 + len(kept)/100 {
		bad := bytes.Clone(kept)
		bad[i] ^= 0x55
		if _, err := Restore(rec, rec.Program(), h, bad); err == nil {
			t.Errorf("byte %d changed and restored", i)
		}
		if _, err := Restore(rec, rec.Program(), h, kept[:i]); err == nil {
			t.Errorf("cut at %d of %d and restored", i, len(kept))
		}
	}
}

// FuzzRestore gives Restore anything.
func FuzzRestore(f *testing.F) {
	rec, err := store.Open(context.Background(), write(f, lackeyText(6, 50)), store.Options{}, nil)
	if err != nil {
		f.Fatal(err)
	}
	r, h := result(f, rec)
	kept, err := r.Keep()
	if err != nil {
		f.Fatal(err)
	}
	raw, err := unpack(kept)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Fuzz(func(t *testing.T, raw []byte) {
		back, err := restoreRaw(rec, rec.Program(), h, raw)
		if err == nil && back.Seen != rec.Len() {
			t.Error("restored a part")
		}
	})
}
