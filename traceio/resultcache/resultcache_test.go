package resultcache

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func put(t *testing.T, s *Cache, key string, data []byte) {
	t.Helper()
	if err := s.Put(key, int64(len(data)), func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s *Cache, key string) []byte {
	t.Helper()
	e, err := s.Get(key)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: %v", key, err)
		}
		return nil
	}
	defer e.Close()
	data := make([]byte, e.Size)
	if _, err := e.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	return data
}

func random(seed uint64, n int) []byte {
	rnd := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(rnd.Uint32())
	}
	return out
}

func TestWhatIsPutIsGot(t *testing.T) {
	s := At(filepath.Join(t.TempDir(), "results"))
	if got := get(t, s, "a.x"); got != nil {
		t.Errorf("%d bytes on an empty cache", len(got))
	}
	for _, n := range []int{1, 1000, 1 << 20} {
		data := random(uint64(n), n)
		put(t, s, "a.x", data)
		if got := get(t, s, "a.x"); !bytes.Equal(got, data) {
			t.Errorf("%d bytes came back as %d", n, len(got))
		}
	}
	if n, size := s.Usage(); n != 1 || size != 1<<20+trailerLen {
		t.Errorf("%d entries, %d bytes", n, size)
	}
	s.Clear()
	if n, _ := s.Usage(); n != 0 || get(t, s, "a.x") != nil {
		t.Errorf("%d entries in a cache that was cleared", n)
	}
}

// TestDamageIsNoticed flips, cuts and lengthens an entry: it is gone, and another can be put in its place.
func TestDamageIsNoticed(t *testing.T) {
	s := At(t.TempDir())
	data := random(7, 5000)
	for _, c := range []struct {
		name string
		harm func([]byte) []byte
	}{
		{"a bit", func(b []byte) []byte { b[2500] ^= 16; return b }},
		{"a bit of the trailer", func(b []byte) []byte { b[5003] ^= 1; return b }},
		{"cut", func(b []byte) []byte { return b[:3000] }},
		{"empty", func([]byte) []byte { return nil }},
		{"longer", func(b []byte) []byte { return append(b, 0) }},
		{"zeros", func(b []byte) []byte { return make([]byte, len(b)) }},
	} {
		put(t, s, "k.x", data)
		path := filepath.Join(s.Dir(), "k.x")
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, c.harm(whole), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := get(t, s, "k.x"); got != nil {
			t.Errorf("%s: %d bytes of a damaged entry", c.name, len(got))
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: the damaged entry stays", c.name)
		}
	}
}

// TestOldestGoesFirst fills a cache beyond its limit; what was used last stays.
func TestOldestGoesFirst(t *testing.T) {
	s := At(t.TempDir())
	if err := s.SetLimit(3 * 1100); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for i, key := range []string{"a.x", "b.x", "c.x"} {
		put(t, s, key, random(1, 1000))
		at := old.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(filepath.Join(s.Dir(), key), at, at); err != nil {
			t.Fatal(err)
		}
	}
	get(t, s, "a.x")
	put(t, s, "d.x", random(2, 1000))
	for key, want := range map[string]bool{"a.x": true, "b.x": false, "c.x": true, "d.x": true} {
		if got := get(t, s, key) != nil; got != want {
			t.Errorf("%s is there: %v", key, got)
		}
	}
	put(t, s, "big.x", random(3, 2000))
	if get(t, s, "big.x") != nil || get(t, s, "d.x") == nil {
		t.Error("one entry took more than half of the result cache")
	}
	if err := s.SetLimit(0); err != nil {
		t.Fatal(err)
	}
	put(t, s, "e.x", random(1, 10))
	if n, _ := s.Usage(); n != 0 {
		t.Errorf("%d entries in a cache without room", n)
	}
}

// TestFailuresLeaveNothing: a writer that fails, a place that cannot be written to, no cache at all.
func TestFailuresLeaveNothing(t *testing.T) {
	s := At(t.TempDir())
	full := errors.New("disk full")
	err := s.Put("a.x", 10, func(w io.Writer) error { w.Write([]byte("half")); return full })
	if files, _ := os.ReadDir(s.Dir()); !errors.Is(err, full) || len(files) > 0 {
		t.Errorf("%v, %d files left", err, len(files))
	}
	if err := s.Put("a.x", 1<<60, func(io.Writer) error { t.Error("written"); return nil }); err != nil {
		t.Errorf("far too large: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	bad := At(filepath.Join(file, "results"))
	if err := bad.Put("a.x", 1, func(io.Writer) error { return nil }); err == nil {
		t.Error("a cache inside of a file was written to")
	}
	var none *Cache
	if err := none.Put("a.x", 1, nil); err != nil || get(t, none, "a.x") != nil {
		t.Errorf("no cache: %v", err)
	}
	none.Clear()
	none.Remove("a.x")
	stale := filepath.Join(s.Dir(), tempPrefix+"1")
	if err := os.WriteFile(stale, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * tempLife)
	if err := os.Chtimes(stale, old, old); err != nil {
		t.Fatal(err)
	}
	put(t, s, "a.x", []byte("x"))
	if _, err := os.Stat(stale); err == nil {
		t.Error("what a killed writer left stays")
	}
}

func TestVariable(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Variable, dir)
	if s := Open(); s == nil || s.Dir() != dir {
		t.Errorf("a directory: %+v", s)
	}
	t.Setenv(Variable, "off")
	if s := Open(); s != nil {
		t.Errorf("off: %+v", s)
	}
	t.Setenv(Variable, "")
	t.Setenv("XDG_CACHE_HOME", dir)
	if s := Open(); s == nil || s.Dir() != filepath.Join(dir, "orrery", "results") {
		t.Errorf("unset: %+v", s)
	}
}

// TestIdentity changes a file in every way that matters.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	data := random(9, 3*ends)
	seen := map[string]string{}
	when := time.Now()
	id := func(name, path string, data []byte, at time.Time) string {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got := Identity(f, path)
		if other, ok := seen[got]; ok || got == "" {
			t.Errorf("%s has the identity %q of %s", name, got, other)
		}
		seen[got] = name
		return got
	}
	first := id("first", path, data, when)
	id("later", path, data, when.Add(1))
	id("longer", path, append(bytes.Clone(data), 1), when)
	data[0]++
	id("head", path, data, when)
	data[len(data)-1]++
	id("tail", path, data, when)
	id("elsewhere", filepath.Join(dir, "y"), data, when)
	if a, b := Key(first, "orr", "x", "yz"), Key(first, "orr", "xy", "z"); a == b || !strings.HasPrefix(a, first) ||
		Key("", "orr") != "" {
		t.Errorf("keys %q and %q", a, b)
	}
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := Identity(f, dir); got != "" {
		t.Errorf("a directory is %q", got)
	}
}
