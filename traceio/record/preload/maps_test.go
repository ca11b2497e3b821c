package preload

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/store"
)

// TestMappings records memory that a program maps and unmaps, whole and in parts, beside its allocations, and without.
func TestMappings(t *testing.T) {
	program, dir := compiled(t, "maps.c"), t.TempDir()
	for _, row := range []struct {
		without bool
		want    string
	}{
		{false, "+40000 +40960 -40000 -40960 +16384 +16384 -16384 -16384 +12288 -12288 +1228800 -1228800 +1224704 -1224704 " +
			"+78 -78"},
		{true, "+78 -78"},
	} {
		path := filepath.Join(dir, "maps.orr")
		res, err := run(context.Background(), record.Options{Program: program, Output: path, NoMappings: row.without},
			unnamed, nil)
		if err != nil || res.ExitCode != 0 {
			t.Fatal(res, err)
		}
		r, err := store.Open(context.Background(), path, store.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var got []string
		size := map[traceio.Addr]uint64{}
		for _, a := range ours(r) {
			sign := "-"
			if a.Op == traceio.Malloc {
				sign, size[a.Addr] = "+", a.Size
			}
			got = append(got, fmt.Sprint(sign, size[a.Addr]))
		}
		if s := strings.Join(got, " "); s != row.want {
			t.Errorf("without mappings %v: got %s, want %s", row.without, s, row.want)
		}
	}
}
