package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/timeline"
)

// Simulate runs the whole recording through a hierarchy, from cold; classes asks for the kinds of misses.
func (r *Recording) Simulate(ctx context.Context, c cachesim.Config, classes bool,
	report func(done, total int64)) (cachesim.Totals, error) {
	c, err := simulator.Foresee(ctx, r, c, nil)
	if err != nil {
		return cachesim.Totals{}, err
	}
	h, err := simulator.New(c)
	if err != nil {
		return cachesim.Totals{}, err
	}
	if classes {
		h.Classify()
	}
	if err := r.eachBlock(ctx, report, h.Run); err != nil {
		return cachesim.Totals{}, err
	}
	return h.Totals(), nil
}

// Keys are what misses can be counted by.
var keys = []string{"line", "function", "region", "set"}

// MissesBy counts references and misses by "line", "function", "region" or "set".
func (r *Recording) MissesBy(ctx context.Context, c cachesim.Config, by string,
	report func(done, total int64)) ([]attribution.Row, error) {
	if by == "set" {
		return attribution.Sets(ctx, r, c, report)
	}
	k, err := r.keysOf(by)
	if err != nil {
		return nil, err
	}
	return attribution.Misses(ctx, r, c, k.number, k.classify, k.name, report)
}

// ClassedBy is MissesBy with the classes of the misses and the hits, which takes two to three times as long.
func (r *Recording) ClassedBy(ctx context.Context, c cachesim.Config, by string,
	report func(done, total int64)) ([]attribution.Row, error) {
	if by == "set" {
		return attribution.ClassedSets(ctx, r, c, report)
	}
	k, err := r.keysOf(by)
	if err != nil {
		return nil, err
	}
	return attribution.ClassedMisses(ctx, r, c, k.number, k.classify, k.name, report)
}

// counted is what references are counted by: so many keys, which rows have which, and their names.
type counted struct {
	number   int
	classify attribution.Classify
	name     func(id int32) string
}

func (r *Recording) keysOf(by string) (counted, error) {
	switch by {
	case "line":
		return counted{r.Lines.Len(), r.Lines.Lookup().Classify, func(id int32) string { return r.Lines.At(id).Name() }}, nil
	case "function":
		functions, of := r.functions()
		look := r.Lines.Lookup()
		classify := func(b *traceio.Block, ids []int32) {
			look.Classify(b, ids)
			for i, id := range ids {
				if id >= 0 {
					ids[i] = of[id]
				}
			}
		}
		return counted{len(functions), classify, func(id int32) string { return functions[id] }}, nil
	case "region":
		regions := r.Regions.Regions()
		return counted{len(regions), r.classifyRegions(), func(id int32) string { return regions[id].Name }}, nil
	}
	return counted{}, fmt.Errorf("misses cannot be counted by %q; choose one of %v", by, keys)
}

func (r *Recording) classifyRegions() attribution.Classify {
	look := r.Regions.Lookup()
	return func(b *traceio.Block, ids []int32) { look.Classify(b, ids, nil) }
}

// LineMisses counts the misses of the first level that data references reach, by number of the source line.
func (r *Recording) LineMisses(ctx context.Context, c cachesim.Config,
	report func(done, total int64)) ([]uint64, error) {
	out := make([]uint64, r.Lines.Len())
	first := c.Entry(traceio.Load)
	if first < 0 {
		return out, nil
	}
	rows, err := attribution.Misses(ctx, r, c, r.Lines.Len(), r.Lines.Lookup().Classify,
		func(id int32) string { return strconv.Itoa(int(id)) }, report)
	for _, row := range rows {
		if id, err := strconv.Atoi(row.Key); err == nil { // not attribution.Other
			out[id] = row.Misses[first]
		}
	}
	return out, err
}

// functions lists the functions of the recording's lines, those of libraries with their library, and tells which one
// each line belongs to.
func (r *Recording) functions() (names []string, of []int32) {
	ids := map[string]int32{}
	of = make([]int32, r.Lines.Len())
	for i := range of {
		f := r.Lines.At(int32(i)).Code()
		if f == "" {
			of[i] = attribution.Unknown
			continue
		}
		id, ok := ids[f]
		if !ok {
			id = int32(len(names))
			ids[f] = id
			names = append(names, f)
		}
		of[i] = id
	}
	return names, of
}

// fewBytes is what a recording may touch to count as tiny: the first level of the default hierarchy holds all of it,
// and nothing would ever miss twice.
const fewBytes = 1 << 10

// SuggestedPreset is the shipped hierarchy in which there is something to see: a tiny one for the algorithms of
// textbooks on a handful of numbers, else the default.
func (r *Recording) SuggestedPreset() string {
	if s := r.Summaries(); len(s) == 1 && s[0].Lines*64 <= fewBytes && slices.Contains(cachesim.Presets(), "tiny") {
		return "tiny"
	}
	return cachesim.DefaultPreset
}

// lanes are the misses of every level on the way of data, in percent of the references that reach it, fastest first.
func (c *Caches) lanes(view link.Range, theme palette.Theme) []timeline.Lane {
	config := c.Config()
	step, n := grid(view, c.Resolution())
	first := view.From / step * step
	bars := make([]simulator.Bar, n)
	var out []timeline.Lane
	for i := config.Entry(traceio.Load); i >= 0 && i < len(config.Levels); i = config.Next(i) {
		c.Lane(i, first, first+step*traceio.Seq(n), bars)
		l := timeline.Lane{Name: config.Levels[i].Name + " misses", Unit: "% of its references", First: first, Step: step,
			Values: make([]float64, n),
			Color:  palette.Mix(theme.Miss, theme.Dim, float64(len(out))*0.45)}
		for k, b := range bars {
			if all := b.Hits + b.Misses; all > 0 {
				l.Values[k] = 100 * float64(b.Misses) / float64(all)
			}
		}
		out = append(out, l)
	}
	return out
}
