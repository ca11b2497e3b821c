package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// TestCacheCSV: the file has a row for each region, whose misses add up to what the command prints.
func TestCacheCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "regions.csv")
	run := func(args ...string) (int, string, string) {
		var out, wrong bytes.Buffer
		status := Main(context.Background(), append([]string{"cache", "../../testdata/recordings/matmul-standard.orr"},
			args...), Streams{nil, &out, &wrong}, nil)
		return status, out.String(), wrong.String()
	}
	if status, _, said := run("--csv", path); status != Usage ||
		said != "orrery: --csv applies only with --by, which says what its rows are; see orrery cache --help\n" {
		t.Errorf("without --by: status %d, %s", status, said)
	}
	if status, _, said := run("--by", "region", "--csv", path); status != Done {
		t.Fatalf("status %d, %s", status, said)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]int{}
	for _, row := range rows[1:] {
		for k, title := range rows[0][1:] {
			if n, err := strconv.Atoi(row[k+1]); err == nil {
				sum[title] += n
			}
		}
	}
	if i := slices.IndexFunc(rows, func(r []string) bool { return r[0] == "B" }); i < 0 || rows[0][0] != "region" {
		t.Errorf("there is no row of the matrix B among %q", rows)
	}
	if sum["L1D misses"] == 0 || sum["L1D misses"] != sum["L1D first"]+sum["L1D capacity"]+sum["L1D conflict"] ||
		sum["references"] != 47701 {
		t.Errorf("the columns add up to %v", sum)
	}
}
