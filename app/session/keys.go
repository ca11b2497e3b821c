package session

import (
	"cmp"
	"fmt"
	"image/color"
	"path"
	"slices"
	"strings"

	"orrery/analysis/attribution"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/spiral"
)

// ColorBy says what the colours of a picture of cycles show. Function, file and group collapse lines, as in the paper
// (section 5.2).
type ColorBy string

// The choices.
const (
	ByLine     ColorBy = "line"
	ByFunction ColorBy = "function"
	ByFile     ColorBy = "file"
	ByGroup    ColorBy = "group"
	ByRegion   ColorBy = "region"
	ByThread   ColorBy = "thread"
	ByMiss     ColorBy = "miss" // the cache level that had the data
	ByKind     ColorBy = "kind" // load, store
	ByTheta    ColorBy = "theta"
	ByNothing  ColorBy = "single"
)

// ColorChoices are all choices with their titles in menus, in order.
var ColorChoices = []struct {
	By    ColorBy
	Title string
}{
	{ByLine, "source line"}, {ByFunction, "function"}, {ByFile, "file"}, {ByGroup, "group"}, {ByRegion, "region"},
	{ByThread, "thread"},
	{ByMiss, "cache miss"}, {ByKind, "load or store"}, {ByTheta, "angle"}, {ByNothing, "nothing"},
}

// ParseColorBy reads a choice by its name.
func ParseColorBy(s string) (ColorBy, error) {
	var names []string
	for _, c := range ColorChoices {
		if string(c.By) == s {
			return c.By, nil
		}
		names = append(names, string(c.By))
	}
	return "", fmt.Errorf("colour by %q is none of %s", s, strings.Join(names, ", "))
}

// Coloring is what windows are coloured by, with what some choices need.
type Coloring struct {
	By     ColorBy
	Groups []Group           // the user's own; ByGroup
	Served []cachesim.Served // by time index; ByMiss
	Config cachesim.Config   // ByMiss
	Hidden map[string]bool   // labels of keys that are not wanted
}

// Served tells by time index of c which cache level had the data of the reference at which the window begins.
func (r *Recording) Served(c *Cycles, caches *Caches) ([]cachesim.Served, error) {
	out := make([]cachesim.Served, len(c.Seqs))
	const chunk = 1 << 16
	for i := 0; i < len(c.Seqs); {
		from := c.Seqs[i]
		end := i
		for end < len(c.Seqs) && c.Seqs[end] < from+chunk {
			end++
		}
		served, err := caches.ServedBetween(from, c.Seqs[end-1]+1)
		if err != nil {
			return nil, err
		}
		for ; i < end; i++ {
			out[i] = served[c.Seqs[i]-from]
		}
	}
	return out, nil
}

// Color sets what the colours of a picture show.
func (r *Recording) Color(s *spiral.State, c *Cycles, k Coloring) {
	switch k.By {
	case ByLine, "":
		s.Mode = spiral.ByLine
	case ByTheta:
		s.Mode = spiral.ByAngle
	case ByNothing:
		s.Mode = spiral.Single
	default:
		s.Mode = spiral.ByKey
		s.Keys, s.Key = r.keys(s.Theme, c, k)
		for i := range s.Keys {
			s.Keys[i].Hidden = k.Hidden[s.Keys[i].Label]
		}
	}
}

// Tints are the colours of the lines, by number, where the colours collapse lines by function, file or group; nil where
// they do not, and lines have their own.
func (r *Recording) Tints(theme palette.Theme, c *Cycles, k Coloring) []color.NRGBA {
	if k.By != ByFunction && k.By != ByFile && k.By != ByGroup {
		return nil
	}
	keys, _ := r.keys(theme, c, k)
	of := map[string]color.NRGBA{}
	for _, key := range keys {
		of[key.Label] = key.Color
	}
	out := make([]color.NRGBA, r.Lines.Len())
	for id := range out {
		out[id] = palette.Others(theme)
		if ink, ok := of[k.label(r.Lines.At(int32(id)))]; ok {
			out[id] = ink
		}
	}
	return out
}

// keys gives every window its key. The most frequent is first and has the first colour, except where keys have colours
// of their own in all views.
func (r *Recording) keys(theme palette.Theme, c *Cycles, k Coloring) ([]spiral.Key, []int32) {
	switch k.By {
	case ByRegion:
		return r.regionKeys(theme, c)
	case ByMiss:
		return missKeys(theme, c, k)
	}
	t := tally{theme: theme, place: map[string]int32{}}
	for i, id := range c.Lines {
		a := &c.First[i]
		switch k.By {
		case ByThread:
			t.add(fmt.Sprintf("thread %d", a.Thread), link.Thing{})
		case ByKind:
			t.add(a.Kind.String(), link.Thing{})
		default:
			l := attribution.Line{}
			if id >= 0 {
				l = r.Lines.At(id)
			}
			t.addLine(l, k)
		}
	}
	return t.ranked()
}

// tally gives labels numbers in order of their frequency.
type tally struct {
	theme palette.Theme
	place map[string]int32
	keys  []spiral.Key
	count []int
	key   []int32
}

func (t *tally) add(label string, thing link.Thing) {
	if label == "" {
		t.key = append(t.key, -1)
		return
	}
	i, ok := t.place[label]
	if !ok {
		i = int32(len(t.keys))
		t.place[label] = i
		t.keys, t.count = append(t.keys, spiral.Key{Label: label, Thing: thing}), append(t.count, 0)
	}
	t.count[i]++
	t.key = append(t.key, i)
}

func (t *tally) addLine(l attribution.Line, k Coloring) {
	thing := link.Thing{}
	if k.By == ByFunction {
		thing = link.OfFunction(l.Function)
	}
	t.add(k.label(l), thing)
}

// label is the key of a line where lines are collapsed; "" for none.
func (k *Coloring) label(l attribution.Line) string {
	switch {
	case k.By == ByFunction:
		return l.Function
	case k.By == ByFile && l.File != "":
		return path.Base(l.File)
	case k.By == ByGroup:
		for i := range k.Groups {
			if k.Groups[i].Has(l) {
				return k.Groups[i].Name
			}
		}
	}
	return ""
}

func (t *tally) ranked() ([]spiral.Key, []int32) {
	order := make([]int32, len(t.keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(t.count[b], t.count[a]) })
	keys, rank := make([]spiral.Key, len(order)), make([]int32, len(order))
	for i, o := range order {
		keys[i] = t.keys[o]
		keys[i].Color = palette.Qualitative(t.theme, i)
		rank[o] = int32(i)
	}
	for i, k := range t.key {
		if k >= 0 {
			t.key[i] = rank[k]
		}
	}
	return keys, t.key
}

func (r *Recording) regionKeys(theme palette.Theme, c *Cycles) ([]spiral.Key, []int32) {
	t := tally{theme: theme, place: map[string]int32{}}
	look, regions := r.Regions.Lookup(), r.Regions.Regions()
	ids := map[string]int{}
	for _, a := range c.First {
		id, _ := look.Locate(a.Addr, a.Seq)
		if id < 0 {
			t.add("", link.Thing{})
			continue
		}
		name := regions[id].Name
		ids[name] = int(id)
		t.add(name, link.OfRegion(name))
	}
	keys, key := t.ranked()
	for i := range keys {
		keys[i].Color = r.RegionColor(theme, ids[keys[i].Label])
	}
	return keys, key
}

// missKeys has a key for each cache level and one for memory: the farther the data came from, the redder.
func missKeys(theme palette.Theme, c *Cycles, k Coloring) ([]spiral.Key, []int32) {
	first := k.Config.Entry(traceio.Load)
	n := len(k.Config.Levels)
	var keys []spiral.Key
	place := map[int]int32{}
	for level := max(0, first); level <= n; level++ {
		if level < n && level > first && k.Config.Entry(traceio.Fetch) == level {
			continue // takes only fetches
		}
		label := "memory"
		if level < n {
			label = k.Config.Levels[level].Name
		}
		place[level] = int32(len(keys))
		keys = append(keys, spiral.Key{Label: label})
	}
	for i := range keys {
		keys[i].Color = palette.Mix(palette.Others(theme), theme.Miss, float64(i)/float64(max(1, len(keys)-1)))
	}
	key := make([]int32, len(c.Seqs))
	for i := range key {
		key[i] = -1
		if i < len(k.Served) && k.Served[i] != cachesim.Unserved {
			level := k.Served[i].Level()
			if k.Served[i].Whole() {
				level++ // a miss of that level, though nobody below was asked
			}
			if at, ok := place[level]; ok {
				key[i] = at
			}
		}
	}
	return keys, key
}
