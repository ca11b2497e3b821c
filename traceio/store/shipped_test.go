package store

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"orrery/traceio"
)

const traces = "../../testdata/traces"

// TestShippedTraces opens the samples in testdata/traces: all are of one program, whose counts are those of its text.
func TestShippedTraces(t *testing.T) {
	const fetches, loads, stores = 123, 30, 6 // of a thread
	names := map[string]bool{}
	for _, row := range []struct {
		name, format string
		threads      uint64
		fetches      uint64
		sizes        bool
	}{
		{"sum64.champsim", "champsim", 1, fetches, false},
		{"sum72.champsim", "champsim", 1, fetches, false},
		{"sum96.champsim", "champsim", 1, fetches, false},
		{"sum.drmemtrace", "drmemtrace", 2, fetches, true},
		{"sum.drmemtrace.zip", "drmemtrace-zip", 2, fetches, true},
		{"sum.gem5", "gem5", 2, fetches, true},
		{"sum.pinatrace", "pinatrace", 1, 0, false},
		{"sum.din", "din", 1, fetches, false},
		{"sum.csv", "csv", 2, fetches, true},
	} {
		names[row.name] = true
		r, err := Open(context.Background(), filepath.Join(traces, row.name), Options{}, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		n := r.Counts()
		if r.Format() != row.format || n.Loads != row.threads*loads || n.Stores != row.threads*stores ||
			n.Fetches != row.threads*row.fetches ||
			n.Threads != int(row.threads) || len(r.Loss()) > 0 {
			t.Errorf("%s: %s, %+v, loss %+v", row.name, r.Format(), n, r.Loss())
		}
		bytes, array := uint64(0), 0
		for i := range r.Blocks() {
			b, err := r.Block(i)
			if err != nil {
				t.Fatal(err)
			}
			for k, a := range b.Addr {
				if b.Kind[k] != traceio.Fetch {
					bytes += uint64(b.Size[k])
					if a >= 0x404060 && a < 0x404080 && b.Kind[k] == traceio.Load {
						array++
					}
				}
			}
		}
		// A round reads eight numbers and two return addresses, and writes the sum and one of them.
		if want := row.threads * 3 * (8*4 + 2*8 + 4 + 8); row.sizes && bytes != want || array != int(row.threads)*3*8 {
			t.Errorf("%s: %d bytes, want %d; %d references to the array", row.name, bytes, want, array)
		}
		r.Close()
	}
	found, err := filepath.Glob(filepath.Join(traces, "sum*"))
	if err != nil || len(found) != len(names) {
		t.Errorf("%d samples are tested of %q, %v", len(names), found, err)
	}
}

// TestShippedTracesAreMade makes the samples again.
func TestShippedTracesAreMade(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./testdata/traces/make", dir)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	made, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(made) == 0 {
		t.Fatalf("made %q, %v", made, err)
	}
	for _, path := range made {
		if name := filepath.Base(path); !bytes.Equal(unzipped(t, path), unzipped(t, filepath.Join(traces, name))) {
			t.Errorf("%s is made otherwise: go run ./testdata/traces/make testdata/traces", name)
		}
	}
}

// unzipped is a file, or what is in its archive: how that is packed is up to the library.
func unzipped(t *testing.T, path string) (all []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return data
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, f.Name...), part...)
	}
	return all
}
