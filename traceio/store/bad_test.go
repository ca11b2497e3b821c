package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"

	"orrery/traceio"
)

func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestRefusals opens what is no recording; each is named for what it is, in one sentence.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.lk", "", "the file is empty; record again with `orrery record -- PROGRAM`"},
		{"a.gz", string(zipped(t, nil)), "the file is empty; record again"},
		{"prog", "\x7fELF\x02\x01\x01",
			"this is an ELF program or library, not a recording; record it with `orrery record -- "},
		{"a.sh", "#!/bin/sh\necho\n",
			"this is a script, not a recording; record its interpreter with `orrery record -- INTERPRETER "},
		{"windows.lk", "\xff\xfe \x00L\x00 \x001\x000\x00,\x004\x00", "this is text in UTF-16"},
		{"a.jpg", "\xff\xd8\xff\xe0xx", "this is a JPEG picture"},
		{"perf.data", "PERFILE2xxxx", "this is perf data"},
		{"a.zip", "PK\x03\x04xxxx", "this is a zip archive"},
		{"a.png", "\x89PNG\r\n\x1a\n", "this is a PNG picture"},
		{"a.orr", "\x89ORR\n\x1a\n", "first bytes were changed by a copy as text"},
		{"a.gz", string(zipped(t, zipped(t, []byte("x")))), "this is compressed twice"},
		{"a.orr.gz", string(zipped(t, []byte("\x89ORR\r\n\x1a\nxxx"))),
			"the file ends inside its header, after 11 of 32 bytes"},
		{"bomb.orr.gz", string(zipped(t, append([]byte("\x89ORR\r\n\x1a\n"), make([]byte, spoolFree+1)...))),
			"this begins like an Orrery recording, but it unpacks to far more than a recording can"},
		{"raw.raw", "\x40\x02\x00\x00\x00\x00\x07\xc4\x67\x12\x00\x00\x00\x00\x00\x40",
			"this is a raw trace of DynamoRIO's drmemtrace"},
		{"heap.pprof", string(zipped(t, []byte("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04"))),
			"this is a profile for pprof, which holds samples"},
		{"a.parquet", "PAR1\x15\x04", "this is a Parquet table, which Orrery writes but does not read"},
		{"callgrind.out", "# callgrind format\nversion: 1\n", "this is a profile by callgrind"},
		{"inst.pb", "gem5\x0e\x0a\x03cpu\x18\x80\xa0\x94\xa5\x8d\x1d\x20\x01",
			"this is a gem5 trace of instructions or dependencies"},
		{"a.gz", "\x1f\x8b\x08", "begins like gzip but cannot be decompressed"},
		{"mem.log", "==12== Memcheck, a memory error detector\n==12== Copyright\n", "the output of valgrind's tool Memcheck"},
		{"notes.txt", "Dear diary,\ntoday\n",
			`the file is text but no recording; it begins with "Dear diary,"; Orrery reads`},
		{"long.txt", strings.Repeat("ä", 500), `it begins with "ääää`},
		{"blob", "\x00\x01\x02\x03\x04\x05\x06\x07\x08", "the first bytes, 00 01 02 03 04 05 06 07, belong to no format"},
		{"spaces", " \n \n", "spaces: the file begins with 4 blanks and line ends and is no recording; Orrery reads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.name, []byte(c.data))
			_, err := Open(context.Background(), path, Options{}, nil)
			var e *traceio.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			if !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	dir := t.TempDir()
	if _, err := Open(context.Background(), dir, Options{}, nil); err == nil ||
		!strings.Contains(err.Error(), "this is a directory") {
		t.Errorf("directory: %v", err)
	}
	missing := filepath.Join(dir, "x")
	if _, err := Open(context.Background(), missing, Options{}, nil); err == nil || err.Error() != missing+
		": no such file or directory" {
		t.Errorf("missing: %v", err)
	}
}

// TestPipes opens what comes out of a pipe: foreign formats are read as they come, ours goes through a temporary file.
func TestPipes(t *testing.T) {
	open := func(data []byte) (*Recording, error) {
		path := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		go os.WriteFile(path, data, 0)
		return Open(context.Background(), path, Options{}, nil)
	}
	packed, err := os.ReadFile(oracle)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := open(packed); err != nil || r.Len() != 46597 {
		t.Errorf("lackey: %v", err)
	}
	_, mem := fromFake(t, 2, 1000)
	var own bytes.Buffer
	if err := Write(context.Background(), mem, &own, nil); err != nil {
		t.Fatal(err)
	}
	r, err := open(own.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Format() != "orr" || r.Len() != mem.Len() || len(r.Loss()) > 0 {
		t.Errorf("own: %s, %d references, want %d, loss %+v", r.Format(), r.Len(), mem.Len(), r.Loss())
	}
}

// TestCutForeignFile cuts the packed oracle: what decompresses is used, the loss is told.
func TestCutForeignFile(t *testing.T) {
	data, err := os.ReadFile(oracle)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(context.Background(), write(t, "cut.lk.gz", data[:len(data)/2]), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kinds := ""
	for _, l := range r.Loss() {
		kinds += l.Kind + " "
	}
	if r.Len() < 10000 || r.Len() > 40000 || !strings.Contains(kinds, "unreadable-tail") {
		t.Errorf("%d references, loss %q", r.Len(), kinds)
	}
}

// TestRandomFiles opens noise under all names and with all beginnings that the detector knows.
func TestRandomFiles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	starts := []string{"", "\x1f\x8b\x08\x00", "\x28\xb5\x2f\xfd", "\xfd7zXZ\x00", "\x89ORR\r\n\x1a\n", "I  04001234,3\n",
		"\x7fELF", "==1== Lackey, an example Valgrind tool\n",
		"gem5\x0c\x0a\x03cpu\x18\x80\xa0\x94\xa5\x8d\x1d", string(samples(t)["drmemtrace"]),
		string(samples(t)["drmemtrace-zip"][:60]), string(samples(t)["champsim"]),
		"0x401000: R 0x10\n", "2 401000\n0 10\n", "address,kind\n0x10,R\n"}
	var before, after runtime.MemStats
	for i := range 150 {
		data := []byte(starts[i%len(starts)])
		for range rnd.IntN(3000) {
			data = append(data, byte(rnd.Uint32()))
		}
		path := write(t, "x", data)
		runtime.ReadMemStats(&before)
		r, err := Open(context.Background(), path, Options{}, nil)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
			t.Errorf("%q...: %d bytes allocated", data[:min(20, len(data))], n)
		}
		if err != nil {
			var e *traceio.Error
			if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("%q...: %v", data[:min(20, len(data))], err)
			}
			continue
		}
		if len(r.Loss()) == 0 {
			t.Errorf("%q...: opened without a loss", data[:min(20, len(data))])
		}
		r.Close()
	}
}

// TestLossOfADamagedOwnFile flips a bit in a saved recording and opens it again.
func TestLossOfADamagedOwnFile(t *testing.T) {
	_, mem := fromFake(t, 2, 150000)
	var buf bytes.Buffer
	if err := Write(context.Background(), mem, &buf, nil); err != nil {
		t.Fatal(err)
	}
	data := buf.Bytes()
	data[len(data)/2] ^= 4
	r, err := Open(context.Background(), write(t, "x.orr", data), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if len(r.Loss()) == 0 || r.Len() >= mem.Len() || r.Len() == 0 {
		t.Errorf("%d of %d references, loss %+v", r.Len(), mem.Len(), r.Loss())
	}
	got, _, _ := rows(t, r.Source(0, r.Len()))
	if n := r.Counts(); uint64(len(got)) != n.Loads+n.Stores+n.Fetches {
		t.Errorf("%d rows, counts %+v", len(got), n)
	}
	gaps := 0
	for _, m := range r.Marks() {
		if m.Kind == traceio.Gap {
			gaps++
		}
	}
	if gaps != 1 {
		t.Errorf("%d gaps", gaps)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("I  04001234,3\n L 1fff000688,8\n"))
	f.Add([]byte("\x7fELF\x02\x01"))
	f.Add(zipped(f, []byte(" L 10,1\n")))
	all := samples(f)
	for i := range formats {
		if data, ok := all[formats[i].name]; ok {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := write(t, "x", data)
		r, err := Open(context.Background(), path, Options{}, nil)
		if err != nil {
			var e *traceio.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v is no *traceio.Error", err)
			}
			return
		}
		defer r.Close()
		for i := range r.Blocks() {
			if _, err := r.Block(i); err != nil {
				t.Fatal(err)
			}
		}
	})
}
