package session

import (
	"context"
	"image/color"
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
	By     string // one of Keys
	Config cachesim.Config
	Rows   []attribution.Row
}

// FindMissTable counts by one of Keys.
func (r *Recording) FindMissTable(ctx context.Context, c cachesim.Config, by string, report func(done, total int64)) (*MissTable, error) {
	rows, err := r.MissesBy(ctx, c, by, report)
	if err != nil {
		return nil, err
	}
	return &MissTable{By: by, Config: c, Rows: rows}, nil
}

// Table is the table as a view, sorted by the misses of the first level.
func (r *Recording) Table(theme palette.Theme, m *MissTable) table.State {
	s := table.State{Theme: theme, Title: m.By, Words: keys, Over: -1}
	way := dataWay(m.Config)
	s.Columns = []table.Column{{Title: "references", Tip: "loads and stores"}, {Title: "stores", Tip: "stores among them"}}
	if m.By == "set" {
		s.Columns[0].Tip, s.Columns[1].Tip = "requests of the level's set, fetches and write-backs from above among them", "writes among them"
	}
	for _, i := range way {
		name := m.Config.Levels[i].Name
		s.Columns = append(s.Columns, table.Column{Title: name + " misses", Tip: "misses of " + name, Red: true})
	}
	if len(way) > 0 {
		s.Sort = 2
		s.Columns = append(s.Columns, table.Column{Title: "a 1000", Tip: m.Config.Levels[way[0]].Name + " misses in 1000 references", Format: table.Tenths, Red: true})
	}
	things := r.things(theme, m.By)
	for _, row := range m.Rows {
		uses := row.Reads + row.Writes
		if m.By == "set" {
			uses += row.Fetches
		}
		v := []float64{float64(uses), float64(row.Writes)}
		for _, i := range way {
			v = append(v, float64(row.Misses[i]))
		}
		if len(way) > 0 {
			v = append(v, 1000*float64(row.Misses[way[0]])/float64(max(1, uses)))
		}
		t := table.Row{Name: row.Key, Values: v}
		if row.Key != attribution.Other {
			t.Thing, t.Color = things(row.Key)
			if t.Thing.What == link.Line {
				t.Note = strings.TrimSpace(r.LineText(t.Thing.File, t.Thing.Line))
			}
		}
		s.Rows = append(s.Rows, t)
	}
	return s
}

// things tells what a key of the table means to the other views, and its colour there.
func (r *Recording) things(theme palette.Theme, by string) func(key string) (link.Thing, color.NRGBA) {
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
				return functionThing(l.Function), LineColors(nil).Of(theme, id)
			}
			return link.Thing{What: link.Line, File: l.File, Line: l.Line}, LineColors(nil).Of(theme, id)
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
			return link.Thing{What: link.Region, Name: key}, r.RegionColor(theme, ids[key])
		}
	}
	return func(key string) (link.Thing, color.NRGBA) {
		at := strings.LastIndexByte(key, '/')
		set, err := strconv.Atoi(key[at+1:])
		if at < 0 || err != nil {
			return link.Thing{}, color.NRGBA{}
		}
		return link.Thing{What: link.Set, Name: key[:at], ID: set}, color.NRGBA{}
	}
}

func functionThing(name string) link.Thing {
	if name == "" {
		return link.Thing{}
	}
	return link.Thing{What: link.Function, Name: name}
}
