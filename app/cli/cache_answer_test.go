package cli

import (
	"strings"
	"testing"
)

// TestCacheQuestions asks for everything that `cache` tells beside the counts, and looks for the figures that the
// program's own arithmetic gives.
func TestCacheQuestions(t *testing.T) {
	var got cacheAnswer
	object(t, &got, "cache", recordings+"matmul-standard.orr", "--curve", "--bound", "--by", "region")
	level := got.Levels[1]
	if level.Name != "L1D" || level.Bound == nil || *level.Bound > level.Misses() || *level.Bound < got.Details.Curve.Cold/2 {
		t.Errorf("L1D: %+v, MIN %v", level, level.Bound)
	}
	if n := got.Details.Curve.ByWays[7]; n != level.Misses() {
		t.Errorf("the curve of the level's own ways has %d misses, the level %d", n, level.Misses())
	}
	requests := uint64(0)
	for _, s := range got.Details.Curve.Pressure {
		requests += s.Requests
	}
	if requests != level.Requests() || requests != got.Details.Curve.Requests {
		t.Errorf("%d requests by set, %d in the curve, %d in the level", requests, got.Details.Curve.Requests, level.Requests())
	}
	for i, p := range got.Details.Curve.Points {
		if got.Curve[i] != [2]float64{float64(p.Size), p.Ratio} {
			t.Errorf("point %d of the curve is %v, want %v", i, got.Curve[i], p)
		}
	}
	writeBacks := uint64(0)
	for _, r := range got.Rows {
		writeBacks += r.WriteBacks["L1D"]
	}
	if writeBacks != level.WriteBacks {
		t.Errorf("%d write-backs by region, %d in all", writeBacks, level.WriteBacks)
	}

	got = cacheAnswer{}
	object(t, &got, "cache", recordings+"sharing-packed.orr", "--preset", "desktop", "--cores", "4", "--sharing")
	if len(got.Sharing) == 0 || got.Sharing[0].Region != "packed" || got.Sharing[0].False < 1000 || len(got.Sharing[0].Threads) != 5 || len(got.Levels) != 13 {
		t.Errorf("%d levels, sharing %+v", len(got.Levels), got.Sharing)
	}
	if parts := got.Sharing[0].Threads[2].Parts; len(parts) != 1 || parts[0] != "packed[1].count" {
		t.Errorf("thread 2 touches %v", parts)
	}
	for _, tt := range []struct{ args, want string }{
		{"sharing-packed.orr --preset desktop --cores 4 --sharing --classes", "false sharing in 1 blocks"},
		{"sharing-padded.orr --preset desktop --cores 4 --sharing", "no false sharing"},
		{"matmul-standard.orr --curve", "the size of L1D"},
		{"matmul-standard.orr --bound", "MIN misses"},
	} {
		if status, stdout, stderr := run(t, append([]string{"cache"}, strings.Fields(recordings+tt.args)...)...); status != Done || !strings.Contains(stdout, tt.want) {
			t.Errorf("%s: %d, %s%s", tt.args, status, stdout, stderr)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"matmul-standard.orr --sharing", "two or more"}, {"matmul-standard.orr --cores 33", "from 1 to 32"}, {"matmul-standard.orr --preset tiny --cores 2", "16B or more"},
	} {
		if status, _, stderr := run(t, append([]string{"cache"}, strings.Fields(recordings+tt.args)...)...); status != Usage || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: %d, %s", tt.args, status, stderr)
		}
	}
}
