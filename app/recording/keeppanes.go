package recording

import (
	"maps"
	"slices"
	"sort"

	"orrery/analysis/topology"
	"orrery/app/panes"
	flamepane "orrery/app/recording/flame"
	heappane "orrery/app/recording/heap"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/curve"
	"orrery/views/link"
)

// chosenKeys are the keys of what is on, in order, so that the same choices make the same file.
func chosenKeys[K int | string](m map[K]bool) []K {
	var out []K
	for k, on := range m {
		if on {
			out = append(out, k)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// chosenSet is the set of some keys; nil for none.
func chosenSet[K comparable](list []K) map[K]bool {
	if len(list) == 0 {
		return nil
	}
	m := map[K]bool{}
	for _, k := range list {
		m[k] = true
	}
	return m
}

// called finds what has a name among the values from 0 to most; fallback where nothing has.
func called[T interface {
	~uint8
	String() string
}](name string, most, fallback T) T {
	for v := T(0); v <= most; v++ {
		if v.String() == name {
			return v
		}
	}
	return fallback
}

func (v *cyclesView) keep() keptCycles {
	c, l, t := &v.d.cycles, &v.d.cycles.lens, &v.d.cycles.thinned
	k := keptCycles{Picture: pictureNames[v.shown.picture], Color: string(v.shown.colours.by),
		Groups: keptGroup(v.shown.colours.groups), Hidden: chosenKeys(v.shown.colours.hidden),
		Spliced: chosenKeys(v.shown.spliced), Rank: c.to, Alphabet: l.alphabet.String(), Window: l.window, Eps: l.eps,
		Every: l.every, Scale: c.scale, Camera: keepCamera(v.camera)}
	if n := t.count(); n > 0 {
		k.Accepted, k.Thin, k.From, k.Count = slices.Clone(t.steps[:n]), t.keep, t.of.From, t.of.Count
	}
	if k.Looked = c.opened; c.asOne.lens == *l {
		k.AsOne = keptSpan{c.asOne.window.From, c.asOne.window.To}
	}
	return k
}

func (v *cyclesView) restore(k keptCycles) {
	c, l := &v.d.cycles, &v.d.cycles.lens
	if i := slices.Index(pictureNames, k.Picture); i >= 0 {
		v.shown.picture = cyclesPicture(i)
	}
	if by, err := session.ParseColorBy(k.Color); err == nil {
		v.shown.colours = colours{by: by, groups: readGroups(k.Groups), hidden: chosenSet(k.Hidden)}
	}
	v.shown.spliced, v.amount = chosenSet(k.Spliced), map[int]float64{}
	for rank := range v.shown.spliced {
		v.amount[rank] = 1
	}
	l.alphabet, l.window, l.eps, l.every = alphabetOf(k.Alphabet), within(k.Window, 0, 4096), max(0, k.Eps),
		within(k.Every, 0, 1<<20)
	c.scale, v.camera = k.Scale, k.Camera.camera()
	c.stop()
	c.to, c.morph = max(0, k.Rank), 1
	if c.found != nil {
		c.to = max(0, min(c.to, c.count()-1))
	}
	c.from = c.to
	c.thinned = thinned{}
	if n := len(k.Accepted); n > 0 && n <= session.MostAccepted && k.Thin > 0 && !slices.Contains(k.Accepted, 0) {
		c.thinned = thinned{keep: k.Thin, of: session.CyclesRequest{From: k.From, Count: k.Count, Every: max(1, l.every),
			Alphabet: l.alphabet,
			Options:  topology.Options{Window: l.window, Eps: l.eps}}}
		copy(c.thinned.steps[:], k.Accepted)
	}
	c.opened, c.asOne = k.Looked, asOne{}
	if w := (link.Range{From: k.AsOne.From, To: min(k.AsOne.To, v.d.rec.Extent())}); !w.Empty() &&
		w.To-w.From <= session.MostWhole*traceio.Seq(max(1, l.every)) {
		c.asOne = asOne{w, *l}
	}
	v.recolour()
}

// within keeps a number of a file between bounds.
func within(n, least, most int) int { return max(least, min(n, most)) }

func (v *cacheView) keep() keptCache {
	c := &v.shown
	return keptCache{Tail: c.tail, Mean: c.mean, Weights: c.weights, Hidden: chosenKeys(c.hidden),
		Filter: c.filter.String(), Grain: session.GrainNames[c.grain], Core: c.core,
		Preset: c.against.preset, File: c.against.file, Camera: keepCamera(v.camera)}
}

func (v *cacheView) restore(k keptCache) {
	c := firstChoices()
	c.tail, c.mean, c.core = within(k.Tail, 0, tails[len(tails)-1]), within(k.Mean, 1, 1<<20), within(k.Core, 0, 1<<10)
	if len(k.Weights) > 0 {
		c.weights = slices.Clone(k.Weights)
	}
	c.hidden, c.filter = chosenSet(k.Hidden), session.ParseCacheFilter(k.Filter)
	if !c.filter.All() && v.d.rec.CheckFilter(c.filter) != nil {
		c.filter = session.CacheFilter{}
	}
	if i := slices.Index(session.GrainNames, k.Grain); i >= 0 {
		c.grain = session.Grain(i)
	}
	if c.against = (against{preset: k.Preset, file: k.File}); c.against.preset != "" &&
		!slices.Contains(cachesim.Presets(), c.against.preset) {
		c.against = against{}
	}
	v.shown, v.camera = c, k.Camera.camera()
	v.d.grain = c.grain
}

func (v *heapView) keep() panes.Said {
	c, b := &v.shown.Now, &v.base
	k := heappane.Options.Keep(c)
	k.Put("bin", c.Bin)
	k.Put("hidden", chosenKeys(c.Hidden))
	k.Put("cursors", c.Cursors)
	k.Put("levels", c.Levels)
	k.Put("from", b.From)
	k.Put("to", b.To)
	k.Put("low", b.Low)
	k.Put("high", b.High)
	k.Put("row", b.Row)
	baseline := ""
	if v.second != nil {
		baseline = v.second.run.Path
	}
	k.Put("baseline", baseline)
	return k
}

func (v *heapView) restore(k panes.Said) {
	c := v.shown.Now
	heappane.Options.Restore(&c, k)
	var hidden []int
	k.Get("bin", &c.Bin)
	k.Get("hidden", &hidden)
	k.Get("cursors", &c.Cursors)
	k.Get("levels", &c.Levels)
	c.Bin, c.Hidden = max(0, c.Bin), chosenSet(hidden)
	maps.DeleteFunc(c.Hidden, func(i int, _ bool) bool { return i < 0 || i > 1<<16 })
	pair := c.Page == heappane.Pair && v.second == nil
	if pair {
		c.Page = heappane.Map
	}
	v.shown.Now = c
	k.Get("from", &v.base.From)
	k.Get("to", &v.base.To)
	k.Get("low", &v.base.Low)
	k.Get("high", &v.base.High)
	k.Get("row", &v.base.Row)
	v.base.Row = max(0, v.base.Row)
	baseline := ""
	if !k.Get("baseline", &baseline) {
		k.Get("rival", &baseline) // what earlier sessions call it
	}
	if pair && baseline != "" {
		v.compareWith(baseline)
	}
}

func (v *curveView) restore(k keptCurve) {
	v.shown.By, v.shown.Log = curve.Measure(within(k.By, 0, len(curve.Measures)-1)), k.Log
}

func (v *tableView) keep() keptTable {
	c := &v.shown
	return keptTable{What: c.by, Sort: c.sort, Upward: c.upward, Sorted: c.set, Filter: v.Filter.Content, Scroll: v.Scroll}
}

func (v *tableView) restore(k keptTable) {
	if slices.Contains(session.Keys(), k.What) {
		v.shown = tableChoices{by: k.What, sort: max(-1, k.Sort), upward: k.Upward, set: k.Sorted}
	}
	v.Filter.Content, v.Scroll = k.Filter, k.Scroll
}

func (v *sitesView) keep() keptTable {
	c := &v.shown
	return keptTable{What: c.table, Than: c.than, Sort: c.sort, Upward: c.upward, Sorted: c.set,
		Filter: v.Filter.Content, Scroll: v.Scroll}
}

func (v *sitesView) restore(k keptTable) {
	for _, t := range session.AllocationTables {
		if t.Key == k.What {
			v.shown = sitesChoices{table: k.What, than: k.Than, sort: max(-1, k.Sort), upward: k.Upward, set: k.Sorted}
		}
	}
	v.Filter.Content, v.Scroll = k.Filter, k.Scroll
	v.ordered = false
}

func (v *flameView) keep() panes.Said {
	k := flamepane.Options.Keep(&v.shown.Now)
	k.Put("focus", v.shown.Now.Focus)
	k.Put("filter", v.filter.Content)
	k.Put("scroll", v.scroll)
	return k
}

func (v *flameView) restore(k panes.Said) {
	c := v.shown.Now
	flamepane.Options.Restore(&c, k)
	var focus []int
	k.Get("focus", &focus)
	c.Focus = focus
	v.shown.Now, v.of = c, nil
	k.Get("filter", &v.filter.Content)
	k.Get("scroll", &v.scroll)
}

func (v *sourceView) keep() keptSource {
	return keptSource{File: v.file, Misses: v.misses, Folded: chosenKeys(v.folded), Scroll: v.scroll}
}

func (v *sourceView) restore(k keptSource) {
	if k.File == "" || v.d.rec.Text(k.File) != "" {
		v.file = k.File
	}
	v.misses, v.folded, v.scroll = k.Misses, chosenSet(k.Folded), k.Scroll
}
