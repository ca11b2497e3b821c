package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"orrery/traceio/orr"
	"orrery/traceio/resultcache"
)

// keeping opens a file that is kept however short it is.
func keeping(t *testing.T, path string, check bool) *Recording {
	t.Helper()
	r, err := Open(context.Background(), path, Options{Check: check, keepFrom: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// equal compares all that a recording tells.
func equal(t *testing.T, what string, got, want *Recording) {
	t.Helper()
	if got.Format() != want.Format() || got.Path() != want.Path() || got.Len() != want.Len() ||
		got.Counts() != want.Counts() || got.Extent() != want.Extent() {
		t.Errorf("%s: %s %s with %d references, %+v; want %s %s with %d, %+v", what, got.Format(), got.Path(), got.Len(),
			got.Counts(), want.Format(), want.Path(), want.Len(), want.Counts())
	}
	if !reflect.DeepEqual(got.Loss(), want.Loss()) && len(got.Loss())+len(want.Loss()) > 0 {
		t.Errorf("%s: loss %+v, want %+v", what, got.Loss(), want.Loss())
	}
	p, err1 := json.Marshal(got.Program())
	q, err2 := json.Marshal(want.Program())
	if err1 != nil || err2 != nil || !bytes.Equal(p, q) {
		t.Errorf("%s: program %s, want %s (%v, %v)", what, p, q, err1, err2)
	}
	if !reflect.DeepEqual(got.Summaries(), want.Summaries()) || !reflect.DeepEqual(got.PCs(), want.PCs()) &&
		len(got.PCs())+len(want.PCs()) > 0 {
		t.Errorf("%s: the summaries or instructions differ", what)
	}
	a, allocs, marks := rows(t, got.Source(0, got.Extent()))
	b, allocs2, marks2 := rows(t, want.Source(0, want.Extent()))
	if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(allocs, allocs2) || !reflect.DeepEqual(marks, marks2) {
		t.Errorf("%s: the references or events differ", what)
	}
}

// TestKeptFilesAreTheSame opens a sample of every foreign format fresh, for keeping and from the result cache.
func TestKeptFilesAreTheSame(t *testing.T) {
	all := samples(t)
	text := all["lackey"]
	all["lackey+gzip"] = zipped(t, text)
	all["lackey with losses"] = append(bytes.Clone(text), "hello\n L zz,4\n"...)
	packed, err := os.ReadFile(oracle)
	if err != nil {
		t.Fatal(err)
	}
	all["cut"] = packed[:len(packed)/2]
	own, err := os.ReadFile("../../testdata/recordings/list.orr")
	if err != nil {
		t.Fatal(err)
	}
	all["orr+gzip"] = zipped(t, own)
	for _, log := range []string{"heaptrack", "ltrace", "mtrace", "valgrind"} {
		if all[log], err = os.ReadFile("../heaplog/testdata/sample." + log); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range all {
		t.Run(name, func(t *testing.T) {
			path := write(t, "x", data)
			t.Setenv(resultcache.Variable, "off")
			fresh := keeping(t, path, false)
			kept := resultcache.At(t.TempDir())
			t.Setenv(resultcache.Variable, kept.Dir())
			equal(t, "first", keeping(t, path, false), fresh)
			if n, _ := kept.Usage(); n != 1 {
				t.Fatalf("%d entries in the result cache", n)
			}
			again := keeping(t, path, false)
			if again.damaged == nil {
				t.Fatal("the second time it does not come from the result cache")
			}
			equal(t, "again", again, fresh)
		})
	}
}

// TestChangedFilesAreReadAnew changes a file behind the result cache's back, and the result cache behind the file's.
func TestChangedFilesAreReadAnew(t *testing.T) {
	kept := resultcache.At(t.TempDir())
	t.Setenv(resultcache.Variable, kept.Dir())
	path := write(t, "x.lk", []byte("I  401000,3\n L 10,8\n S 20,4\n"))
	if n := keeping(t, path, false).Len(); n != 2 {
		t.Fatalf("%d references", n)
	}
	if err := os.WriteFile(path, []byte("I  401000,3\n L 10,8\n S 20,4\n L 30,8\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Now(), time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if n := keeping(t, path, false).Len(); n != 3 {
		t.Errorf("%d references of the changed file", n)
	}
	for _, spoil := range []func([]byte) []byte{
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func(b []byte) []byte { return b[:len(b)/2] },
		func([]byte) []byte { return nil },
	} {
		files, err := filepath.Glob(filepath.Join(kept.Dir(), "*.orr"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f, spoil(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if n := keeping(t, path, false).Len(); n != 3 {
			t.Errorf("%d references with a damaged entry", n)
		}
	}
}

// TestDamagedEntryIsDropped spoils the references in an entry that is open already, as in one too long to be verified:
// the error says what to do, and doing it helps.
func TestDamagedEntryIsDropped(t *testing.T) {
	kept := resultcache.At(t.TempDir())
	t.Setenv(resultcache.Variable, kept.Dir())
	path := write(t, "x.lk", []byte("I  401000,3\n L 10,8\n S 20,4\n"))
	keeping(t, path, false)
	r := keeping(t, path, false)
	files, err := filepath.Glob(filepath.Join(kept.Dir(), "*.orr"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(make([]byte, 400), 150); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Block(0); !errors.Is(err, orr.ErrDamaged) {
		t.Fatalf("a block of a damaged entry: %v", err)
	}
	if n, _ := kept.Usage(); n != 0 {
		t.Error("the damaged entry stays")
	}
	if _, err := keeping(t, path, false).Block(0); err != nil {
		t.Error(err)
	}
	if _, err := keeping(t, path, true).Block(0); err != nil {
		t.Error(err)
	}
}

// TestResultCacheThatCannotBeWrittenTo changes nothing for who opens a file.
func TestResultCacheThatCannotBeWrittenTo(t *testing.T) {
	t.Setenv(resultcache.Variable, filepath.Join(write(t, "file", nil), "results"))
	if n := keeping(t, write(t, "x.lk", []byte(" L 10,8\n")), false).Len(); n != 1 {
		t.Errorf("%d references", n)
	}
}
