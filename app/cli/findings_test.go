package cli

import (
	"strings"
	"testing"
)

func TestFindingsCommand(t *testing.T) {
	var got findingsJSON
	object(t, &got, "findings", "../../testdata/recordings/matmul-standard.orr")
	if len(got.Findings) != 2 || got.Hierarchy != "default" || got.Findings[0].Line != 16 || got.Findings[0].Range.To == 0 || len(got.Findings[0].Evidence) == 0 || got.Findings[0].Cost.Misses != 4096 {
		t.Errorf("%+v", got)
	}
	object(t, &got, "findings", "../../testdata/recordings/matmul-standard.orr", "--preset", "skylake-sp")
	if got.Findings == nil || len(got.Findings) != 0 || got.Hierarchy != "skylake-sp" {
		t.Errorf("everything fits a large cache: %+v", got)
	}
	status, out, stderr := run(t, "findings", "../../testdata/recordings/matmul-transposed.orr")
	if status != Done || !strings.HasPrefix(out, "nothing found: in default") {
		t.Errorf("status %d, %s%s", status, out, stderr)
	}
	if status, _, stderr := run(t, "findings", "../../testdata/recordings/list.orr", "--preset", "no-such"); status != Usage || !strings.Contains(stderr, "no-such") {
		t.Errorf("status %d, %s", status, stderr)
	}
}
