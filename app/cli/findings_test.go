package cli

import (
	"strings"
	"testing"
)

func TestFindingsCommand(t *testing.T) {
	var got findingsJSON
	object(t, &got, "findings", "../../testdata/recordings/matmul-standard.orr")
	if len(got.Findings) != 2 || got.Hierarchy.Name != "default" || got.Hierarchy.Source != "preset" ||
		len(got.Hierarchy.Levels) != 3 {
		t.Fatalf("%+v", got)
	}
	if f := got.Findings[0]; f.Line != 16 || f.To == 0 || len(f.Evidence) == 0 || f.Details.Misses != 4096 ||
		f.Cost != f.Details.Nanoseconds || f.Unit != "ns" {
		t.Errorf("%+v", f)
	}
	object(t, &got, "findings", "../../testdata/recordings/matmul-standard.orr", "--preset", "skylake-sp")
	if got.Findings == nil || len(got.Findings) != 0 || got.Hierarchy.Name != "skylake-sp" {
		t.Errorf("everything fits a large cache: %+v", got)
	}
	status, out, stderr := run(t, "findings", "../../testdata/recordings/matmul-transposed.orr")
	if status != Done || !strings.HasPrefix(out, "nothing found: in default") {
		t.Errorf("status %d, %s%s", status, out, stderr)
	}
	if status, _, stderr := run(t, "findings", "../../testdata/recordings/list.orr", "--preset", "no-such"); status !=
		Usage || !strings.Contains(stderr, "no-such") {
		t.Errorf("status %d, %s", status, stderr)
	}
}
