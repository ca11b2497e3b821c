package session

import (
	"context"
	"fmt"
	"path"
	"slices"
	"testing"

	"orrery/analysis/findings"
	"orrery/cachesim"
)

// TestFindingsAreTrue: programs whose habits are known are told of them, at the line and for the data that have them,
// and of nothing else; programs that do the same work well are told of nothing.
func TestFindingsAreTrue(t *testing.T) {
	type found struct {
		kind    findings.Kind
		line    string
		regions string // the first
	}
	for name, want := range map[string][]found{
		"matmul-standard":   {{findings.Spatial, "matmul.c:16", "B"}, {findings.Spatial, "matmul.c:17", "C"}},
		"matmul-transposed": nil,
		"matmul-blocked":    nil,
		"gomatmul":          {{findings.Spatial, "gomatmul.go:18", "main.right"}},
		"golist":            {{findings.Thrashing, "golist.go:35", "main.storage"}},
		"sharing-packed":    {{findings.FalseSharing, "sharing.c:21", "packed"}},
		"sharing-padded":    nil,
		"list":              {{findings.Leak, "list.c:29", "list.c:29"}, {findings.Spatial, "list.c:91", "*make_word:w"}},
		"habits-loops":      {{findings.Fusion, "habits.c:23", "b"}},
		"habits-fused":      nil,
		"habits-stream":     {{findings.Spatial, "habits.c:43", "table"}, {findings.Pollution, "habits.c:43", "table"}},
		"habits-structs":    {{findings.Spatial, "habits.c:55", "particle"}},
		"habits-arrays":     nil,
		"habits-hoard": {{findings.Untouched, "habits.c:76", "habits.c:76"}, {findings.Thrashing, "habits.c:85",
			"*hoard:large"}, {findings.Fusion, "habits.c:82", "*hoard:kept"}, {findings.Drag, "habits.c:75", "habits.c:75"}},
		"bubble-array-sorted": nil,
		"fill":                nil,
		"mpm-5":               nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t, shipped+name+".orr")
			config, err := cachesim.Preset(r.SuggestedPreset())
			if err != nil {
				t.Fatal(err)
			}
			list, err := r.Findings(context.Background(), config, func(_, _ int64) {})
			if err != nil {
				t.Fatal(err)
			}
			var got []found
			for _, f := range list {
				got = append(got, found{f.Kind, fmt.Sprintf("%s:%d", path.Base(f.File), f.Line), f.Regions[0]})
				if f.Cost.Share < findings.LeastShare || f.Title == "" || f.Advice == "" || len(f.Evidence) < 2 ||
					f.Range.From >= f.Range.To || f.Range.To > r.Len()+1 {
					t.Errorf("%+v", f)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// TestCostsAreSaidAsTheyAre: all is said of all only, and what is held on average is not what there is.
func TestCostsAreSaidAsTheyAre(t *testing.T) {
	for _, row := range []struct {
		f    findings.Finding
		want string
	}{
		{findings.Finding{Kind: findings.Untouched, Cost: findings.Cost{Share: 0.998, Bytes: 4087, Of: "it"}},
			"costs 99 % of it, up to 4 KiB at once"},
		{findings.Finding{Kind: findings.Leak, Cost: findings.Cost{Share: 1, Bytes: 100, Of: "it"}},
			"costs 100 % of it: 100 B"},
		{findings.Finding{Kind: findings.Drag, Cost: findings.Cost{Share: 0.864, Bytes: 65, Of: "it"}},
			"costs 86 % of it: 65 B on average"},
		{findings.Finding{Kind: findings.Conflict, Cost: findings.Cost{Share: 0.119, Misses: 39919, Of: "it"}},
			"costs about 12 % of it: 39 919 misses"},
	} {
		if got := CostOf(&row.f); got != row.want {
			t.Errorf("%s: got %q, want %q", row.f.Kind, got, row.want)
		}
	}
}
