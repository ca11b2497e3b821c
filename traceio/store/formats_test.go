package store

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"orrery/traceio"
)

// packings make every packing that is taken off.
var packings = map[string]func(t testing.TB, data []byte) []byte{
	"":      func(_ testing.TB, data []byte) []byte { return data },
	"+gzip": zipped,
	"+zstd": func(t testing.TB, data []byte) []byte {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		return w.EncodeAll(data, nil)
	},
	"+xz": func(t testing.TB, data []byte) []byte {
		var buf bytes.Buffer
		w, err := xz.NewWriter(&buf)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return buf.Bytes()
	},
}

// samples are three instructions, a load of 8 bytes at 0x7ffe10 and a store at 0x7ffe18, in every format.
func samples(t testing.TB) map[string][]byte {
	le := binary.LittleEndian
	var champ, dr []byte
	for i, memory := range [][2]uint64{{0, 0x7ffe10}, {0x7ffe18, 0}, {0, 0}} {
		champ = le.AppendUint64(champ, 0x401000+uint64(i)*4)
		champ = le.AppendUint64(champ, 0)
		for k := range 6 {
			v := uint64(0)
			if k == 0 {
				v = memory[0]
			} else if k == 2 {
				v = memory[1]
			}
			champ = le.AppendUint64(champ, v)
		}
	}
	for _, e := range [][3]uint64{{25, 0, 5}, {28, 12, 5}, {22, 8, 7}, {10, 4, 0x401000}, {0, 8, 0x7ffe10},
		{10, 4, 0x401004}, {1, 8, 0x7ffe18}, {10, 4, 0x401008}, {26, 0, 0}} {
		dr = le.AppendUint16(dr, uint16(e[0]))
		dr = le.AppendUint16(dr, uint16(e[1]))
		dr = le.AppendUint64(dr, e[2])
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for i, part := range [][]byte{dr[:50], dr[50:]} {
		w, err := z.Create(fmt.Sprintf("chunk.%04d", i))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	packet := func(cmd byte, addr uint64) []byte {
		p := binary.AppendUvarint([]byte{8, 1, 16, cmd, 24}, addr)
		p = append(p, 32, 8)
		return append([]byte{byte(len(p))}, p...)
	}
	return map[string][]byte{
		"lackey":         []byte("I  00401000,4\n L 7ffe10,8\nI  00401004,4\n S 7ffe18,8\nI  00401008,4\n"),
		"pinatrace":      []byte("0x401000: R 0x7ffe10\n0x401004: W 0x7ffe18\n#eof\n"),
		"din":            []byte("2 401000 4\n0 7ffe10\n2 401004 4\n1 7ffe18\n2 401008 4\n"),
		"csv":            []byte("pc,kind,address,size\n0x401000,load,0x7ffe10,8\n0x401004,store,0x7ffe18,8\n"),
		"champsim":       champ,
		"drmemtrace":     dr,
		"drmemtrace-zip": archive.Bytes(),
		"gem5": slices.Concat([]byte("gem5\x0c\x0a\x03cpu\x18\x80\xa0\x94\xa5\x8d\x1d"), packet(1, 0x7ffe10),
			packet(4, 0x7ffe18)),
	}
}

// TestFormats opens every format in every packing under a name that says nothing, and saves and opens it again.
func TestFormats(t *testing.T) {
	all := samples(t)
	for i := range formats {
		f := &formats[i]
		data, ok := all[f.name]
		if !ok {
			continue // has its sample elsewhere
		}
		delete(all, f.name)
		if got := recognise(data); got == nil || got.name != f.name {
			t.Errorf("%s is recognised as %+v", f.name, got)
		}
		for suffix, pack := range packings {
			r, err := Open(context.Background(), write(t, "x", pack(t, data)), Options{}, nil)
			if err != nil {
				t.Errorf("%s%s: %v", f.name, suffix, err)
				continue
			}
			if r.Format() != f.name+suffix || r.Len() != 2 || len(r.Loss()) > 0 {
				t.Errorf("%s%s: opened as %s with %d references, loss %+v", f.name, suffix, r.Format(), r.Len(), r.Loss())
			}
			load, _ := r.At(0)
			store, _ := r.At(1)
			if load.Addr != 0x7ffe10 || load.Size != 8 || load.Kind != traceio.Load || store.Addr != 0x7ffe18 ||
				store.Size != 8 || store.Kind != traceio.Store {
				t.Errorf("%s%s: %+v, %+v", f.name, suffix, load, store)
			}
			var own bytes.Buffer
			if err := Write(context.Background(), r, &own, nil); err != nil {
				t.Fatal(err)
			}
			again, err := Open(context.Background(), write(t, "x", pack(t, own.Bytes())), Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			a, _, _ := rows(t, r.Source(0, r.Len()))
			b, _, _ := rows(t, again.Source(0, again.Len()))
			if again.Format() != "orr"+suffix || !slices.Equal(a, b) {
				t.Errorf("%s%s: saved and opened as %s with %d rows, want %d", f.name, suffix, again.Format(), len(b), len(a))
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for name := range all {
		t.Errorf("%s is not in the table of formats", name)
	}
}

// TestLossSurvivesConversion saves what was read in part: the file goes on telling the loss, however often it is saved.
func TestLossSurvivesConversion(t *testing.T) {
	r, err := Open(context.Background(),
		write(t, "x.lk", []byte("I  00401000,4\n L 7ffe10,8\nhello\n L zz,8\n L 7ffe10,8\n S 7ffe10,8\n")), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := r.Loss()
	if len(want) != 2 {
		t.Fatalf("loss %+v", want)
	}
	for range 2 {
		var own bytes.Buffer
		if err := Write(context.Background(), r, &own, nil); err != nil {
			t.Fatal(err)
		}
		if r, err = Open(context.Background(), write(t, "x.orr", own.Bytes()), Options{}, nil); err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if !slices.Equal(r.Loss(), want) {
			t.Errorf("loss %+v\nwant %+v", r.Loss(), want)
		}
	}
}

// TestCutPackedOwn cuts a recording of ours inside gzip: what is there is used, the loss is told.
func TestCutPackedOwn(t *testing.T) {
	_, mem := fromFake(t, 2, 300000)
	var own bytes.Buffer
	if err := Write(context.Background(), mem, &own, nil); err != nil {
		t.Fatal(err)
	}
	packed := zipped(t, own.Bytes())
	r, err := Open(context.Background(), write(t, "x", packed[:len(packed)*3/4]), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Len() == 0 || r.Len() >= mem.Len() || len(r.Loss()) == 0 || !strings.HasPrefix(r.Format(), "orr+") {
		t.Errorf("%s, %d of %d references, loss %+v", r.Format(), r.Len(), mem.Len(), r.Loss())
	}
}

// TestAbsurdClaims opens small files that claim to hold enormous things: nothing is allocated for them.
func TestAbsurdClaims(t *testing.T) {
	le := binary.LittleEndian
	all := samples(t)
	stored := []byte(
		"PK\x03\x04-\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x0a\x00\x14" +
			"\x00chunk.0000\x01\x00\x10\x00")
	stored = le.AppendUint64(le.AppendUint64(stored, 1<<61), 1<<61)
	bundles := slices.Clone(all["drmemtrace"])
	for range 100 {
		bundles = append(bundles, 17, 0, 0xff, 0xff, 1, 1, 1, 1, 1, 1, 1, 1)
	}
	for name, data := range map[string][]byte{
		"a message of 2^60 bytes":        binary.AppendUvarint(slices.Clone(all["gem5"]), 1<<60),
		"a header of 2^31 bytes":         binary.AppendUvarint([]byte("gem5"), 1<<31),
		"a stored member of 2^61 bytes":  slices.Concat(stored, all["drmemtrace"]),
		"bundles of 65535 instructions":  bundles,
		"a line of 8 MiB":                slices.Concat(all["csv"], bytes.Repeat([]byte("1,"), 4<<20)),
		"a field of 8 MiB":               slices.Concat(all["din"], bytes.Repeat([]byte("0"), 8<<20)),
		"a jump of 2^63 in a seq column": []byte("seq,address\n0,0x10\n9223372036854775808,0x10\n"),
		"threads without number":         []byte("tid,address\n0,0x10\n9223372036854775808,0x10\n"),
	} {
		path := write(t, "x", data)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := Open(context.Background(), path, Options{}, nil)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 24<<20 {
			t.Errorf("%s: %d MiB allocated", name, n>>20)
		}
		if err == nil {
			if n := r.Counts(); n.Fetches > 1000 || r.Len() > 10 {
				t.Errorf("%s: %+v", name, n)
			}
			r.Close()
		}
	}
}
