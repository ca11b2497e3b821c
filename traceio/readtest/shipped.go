package readtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shipped gives the sample traces in testdata/traces whose names a pattern fits, in the order of their names, to tests of packages
// right below traceio.
func Shipped(t testing.TB, pattern string) (samples [][]byte) {
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
		samples = append(samples, data)
	}
	return samples
}
