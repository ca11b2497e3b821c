package session

import (
	"context"
	"fmt"
	"image/color"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/table"
)

// Keys are what references and misses can be counted by.
func Keys() []string { return keys }

// MissTable is what the lines, functions, regions or sets of a recording did in a hierarchy.
type MissTable struct {
	By       string // one of Keys
	Config   cachesim.Config
	Rows     []attribution.Row
	Baseline *BaselineMisses // nil: nothing is compared
}

// BaselineMisses is what another run, named for people, missed in its first level, by the key of the rows.
type BaselineMisses struct {
	Name   string
	Misses map[string]uint64
}

// Baseline is what the second run missed, by line or region; nil for other keys, which the comparison does not count.
func (c *Comparison) Baseline(by string) *BaselineMisses {
	list := map[string][]Change{"line": c.Lines, "region": c.Regions}[by]
	if list == nil || len(c.Levels) == 0 {
		return nil
	}
	out := &BaselineMisses{Name: c.Sides[1].Name, Misses: map[string]uint64{}}
	for i := range list {
		out.Misses[list[i].Key] = list[i].Misses[1][0]
	}
	return out
}

// Beside is the table with the columns of another run, and with rows for what only that one missed; m itself when v is
// nil.
func (m *MissTable) Beside(v *BaselineMisses) *MissTable {
	if v == nil {
		return m
	}
	out := *m
	out.Baseline, out.Rows = v, slices.Clone(m.Rows)
	own := map[string]bool{}
	for i := range m.Rows {
		own[m.Rows[i].Key] = true
	}
	n := len(m.Config.PerCore().Levels)
	for _, key := range slices.Sorted(maps.Keys(v.Misses)) {
		if !own[key] && v.Misses[key] > 0 {
			out.Rows = append(out.Rows, attribution.Row{Key: key, Misses: make([]uint64, n), WriteBacks: make([]uint64, n),
				Hits:    make([]uint64, n),
				Classes: make([][cachesim.NumClasses]uint64, n)})
		}
	}
	return &out
}

// measures are the columns of the comparison; own gives the misses of the run itself.
func (v *BaselineMisses) measures(level string, own func(*attribution.Row, float64) float64) []measure {
	theirs := func(r *attribution.Row, _ float64) float64 { return float64(v.Misses[r.Key]) }
	return []measure{
		{table.Column{Title: "in " + v.Name, Tip: "misses of the first level in " + v.Name, Red: true}, theirs},
		{table.Column{Title: "change", Tip: level + " misses: how many more there are in " + v.Name +
			", below 0 how many fewer"},
			func(r *attribution.Row, uses float64) float64 { return theirs(r, uses) - own(r, uses) }},
	}
}

// FindMissTable counts by one of Keys.
func (r *Recording) FindMissTable(ctx context.Context, c cachesim.Config, by string,
	report func(done, total int64)) (*MissTable, error) {
	rows, err := r.ClassedBy(ctx, c, by, report)
	if err != nil {
		return nil, err
	}
	return &MissTable{By: by, Config: c, Rows: rows}, nil
}

// measure is one column of the table with where its number comes from.
type measure struct {
	table.Column
	of func(row *attribution.Row, uses float64) float64
}

// measures are the columns: what counts most first, the classes and hits of every level after that.
func (m *MissTable) measures() []measure {
	list := []measure{{table.Column{Title: "references", Tip: "loads and stores"},
		func(_ *attribution.Row, uses float64) float64 { return uses }},
		{table.Column{Title: "stores", Tip: "stores among them"}, func(r *attribution.Row, _ float64) float64 {
			return float64(r.Writes)
		}}}
	if m.By == "set" {
		list[0].Tip, list[1].Tip = "requests to the level's set, fetches and write-backs from above among them",
			"writes among them"
	}
	config := m.Config.PerCore()
	way := DataLevels(config)
	misses := func(i int) func(*attribution.Row, float64) float64 {
		return func(r *attribution.Row, _ float64) float64 { return float64(r.Misses[i]) }
	}
	for k, i := range way {
		name := config.Levels[i].Name
		list = append(list, measure{table.Column{Title: name + " misses", Tip: "misses of " + name, Red: true}, misses(i)})
		if k == 0 {
			list = append(list, measure{table.Column{Title: "a 1000", Tip: name + " misses in 1000 references",
				Format: table.Tenths, Red: true},
				func(r *attribution.Row, uses float64) float64 { return 1000 * float64(r.Misses[i]) / max(1, uses) }})
			if m.Baseline != nil {
				list = append(list, m.Baseline.measures(name, misses(i))...)
			}
		}
	}
	for _, i := range way {
		name := config.Levels[i].Name
		for _, c := range missClasses {
			if c.class == cachesim.Coherence && config.Cores < 2 {
				continue
			}
			list = append(list, measure{table.Column{Title: name + " " + c.title, Tip: name + " misses: " + c.tip, Red: true},
				func(r *attribution.Row, _ float64) float64 { return float64(r.Classes[i][c.class]) }})
		}
		list = append(list, measure{table.Column{Title: name + " hits", Tip: "requests that " + name + " answers"},
			func(r *attribution.Row, _ float64) float64 { return float64(r.Hits[i]) }},
			measure{table.Column{Title: name + " write-backs", Tip: "dirty blocks that leave " + name +
				", and stores that go on"},
				func(r *attribution.Row, _ float64) float64 { return float64(r.WriteBacks[i]) }})
	}
	return list
}

var missClasses = []struct {
	class      cachesim.Class
	title, tip string
}{
	{cachesim.Compulsory, "first", "the block was never asked for before (compulsory)"},
	{cachesim.Capacity, "capacity", "a fully associative cache of this size misses too"},
	{cachesim.Conflict, "conflict", "a fully associative cache of this size would have hit"},
	{cachesim.Coherence, "coherence", "another core's write had taken the block away"},
}

// Table is the table as a view, sorted by the misses of the first level. colors are those that lines have in the other
// views.
func (r *Recording) Table(theme palette.Theme, m *MissTable, colors LineColors) table.State {
	s := table.State{Theme: theme, Title: m.By, Words: keys, Over: -1}
	list := m.measures()
	for _, c := range list {
		s.Columns = append(s.Columns, c.Column)
	}
	s.Sort = min(2, len(list)-1)
	things := r.things(theme, m.By, colors)
	for i := range m.Rows {
		row := &m.Rows[i]
		uses := float64(row.Reads + row.Writes)
		if m.By == "set" {
			uses += float64(row.Fetches)
		}
		t := table.Row{Name: row.Key, Values: make([]float64, len(list))}
		for k, c := range list {
			t.Values[k] = c.of(row, uses)
		}
		if row.Key != attribution.Other {
			t.Thing, t.Color = things(row.Key)
			if t.Thing.What == link.Line {
				t.Short = fmt.Sprintf("%s:%d", path.Base(t.Thing.File), t.Thing.Line)
				t.Note = strings.TrimSpace(r.LineText(t.Thing.File, t.Thing.Line))
			}
		}
		s.Rows = append(s.Rows, t)
	}
	return s
}

// things tells what a key of the table means to the other views, and its colour there.
func (r *Recording) things(theme palette.Theme, by string,
	colors LineColors) func(key string) (link.Thing, color.NRGBA) {
	switch by {
	case "line":
		ids := map[string]int32{}
		for i := range int32(r.Lines.Len()) {
			if name := r.Lines.At(i).Name(); ids[name] == 0 {
				ids[name] = i + 1
			}
		}
		return func(key string) (link.Thing, color.NRGBA) {
			id := ids[key] - 1
			if id < 0 {
				return link.Thing{}, color.NRGBA{}
			}
			l := r.Lines.At(id)
			if l.Line == 0 {
				return functionThing(l.Function), colors.Of(theme, id)
			}
			return link.OfLine(l.File, l.Line), colors.Of(theme, id)
		}
	case "function":
		return func(key string) (link.Thing, color.NRGBA) {
			name, _, _ := strings.Cut(key, " (")
			return functionThing(name), color.NRGBA{}
		}
	case "region":
		ids := map[string]int{}
		for i, g := range r.Regions.Regions() {
			ids[g.Name] = i
		}
		return func(key string) (link.Thing, color.NRGBA) {
			return link.OfRegion(key), r.RegionColor(theme, ids[key])
		}
	}
	return func(key string) (link.Thing, color.NRGBA) {
		at := strings.LastIndexByte(key, '/')
		set, err := strconv.Atoi(key[at+1:])
		if at < 0 || err != nil {
			return link.Thing{}, color.NRGBA{}
		}
		return link.OfSet(key[:at], set), color.NRGBA{}
	}
}

func functionThing(name string) link.Thing {
	if name == "" {
		return link.Thing{}
	}
	return link.OfFunction(name)
}
