package readtest

import (
	"os"
	"path/filepath"
	"testing"
)

// seedLen is as long as a seed of a fuzz target is: short ones are changed more often in the same time. It is a whole
// number of the records of every binary format.
const seedLen = 1152

// Seeds gives the beginnings of the sample traces in testdata/traces whose names a pattern fits, in the order of their
// names, to fuzz targets of packages right below traceio.
func Seeds(t testing.TB, pattern string) (seeds [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../../testdata/traces", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no sample fits %s: %v", pattern, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, data[:min(len(data), seedLen)])
	}
	return seeds
}
