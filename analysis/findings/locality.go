package findings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"orrery/analysis/region"
	"orrery/cachesim"
)

// weighs tells whether misses are worth a finding.
func (f *flow) weighs(t *tally) bool {
	return t.misses >= LeastMisses && t.time >= LeastShare*f.time
}

func (f *flow) cost(t *tally) Cost {
	if !f.in.Config.Timed() {
		return Cost{Misses: t.misses, Share: t.time / max(1, f.time), Of: fmt.Sprintf("the misses of %s in %s", f.level.Name,
			f.in.Config.Brief())}
	}
	return Cost{Misses: t.misses, Nanoseconds: t.time, Share: t.time / max(1, f.time), Of: timeOf(f.in.Config)}
}

// timeOf is the whole that the time of misses is a part of.
func timeOf(c cachesim.Config) string { return "the time of all references in " + c.Brief() }

// names are what a line and a region are called.
func (f *flow) code(line int32) string {
	if line < 0 {
		return "unknown code"
	}
	return f.in.Lines.At(line).Name()
}

func (f *flow) data(region int32) string {
	if list := f.in.Regions.Regions(); region >= 0 && int(region) < len(list) {
		return list[region].Name
	}
	return "unknown memory"
}

// named tells whether a region is a variable, or the blocks of one place: something that can be laid out in another
// way.
func (f *flow) named(r int32) bool {
	list := f.in.Regions.Regions()
	return r >= 0 && int(r) < len(list) && (list[r].Kind == region.Global || list[r].Kind == region.Heap)
}

// placed gives a finding its line, its data and its time.
func (f *flow) placed(d Finding, line int32, regions ...int32) Finding {
	if line >= 0 {
		l := f.in.Lines.At(line)
		d.File, d.Line, d.Function = l.File, l.Line, l.Function
	}
	for _, r := range regions {
		if name := f.data(r); !slices.Contains(d.Regions, name) {
			d.Regions = append(d.Regions, name)
		}
	}
	if list := f.in.Regions.Regions(); len(regions) == 1 && regions[0] >= 0 {
		d.Low, d.High = list[regions[0]].Low, list[regions[0]].High
	}
	d.Site = -1
	return d
}

// places and pairs are the keys of a table in order, so that nothing depends on the order of a map.
func places(m map[place]*fetched) []place {
	return slices.SortedFunc(maps.Keys(m), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.region, b.region))
	})
}

func pairs(m map[pair]*returned) []pair { return slices.SortedFunc(maps.Keys(m), comparePairs) }

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second))
}

// The shares of a block of which fewer are few, and of which more are all.
const (
	fewBytes = 0.3
	allBytes = 0.75
)

// wastes tells whether few bytes are used of the blocks that a line fetches of a region.
func (f *flow) wastes(p place) bool {
	s := f.fetched[p]
	return s != nil && s.fills > 0 && f.level.Block >= 16 &&
		float64(s.used) <= fewBytes*float64(f.level.Block)*float64(s.fills)
}

// spatial finds fetched blocks of which few bytes are used before they go.
func (f *flow) spatial() (list []Finding) {
	block := float64(f.level.Block)
	for _, p := range places(f.fetched) {
		s := f.fetched[p]
		if !f.weighs(&s.tally) || !f.wastes(p) {
			continue
		}
		used := float64(s.used) / float64(s.fills)
		d := Finding{Kind: Spatial, Cost: f.cost(&s.tally), Range: s.span, Evidence: []Evidence{
			{"bytes of each block of " + f.data(p.region) + " used before it goes", used, "bytes"},
			{"bytes fetched for them", block, "bytes"},
			{"fetches", float64(s.misses), ""},
			{"of them at the same step as the one before", 100 * float64(s.even) / float64(max(1, s.misses)), "%"}}}
		k := f.of(p.region)
		ever, again := float64(k.ever)/float64(max(1, k.blocks)), float64(s.misses)/float64(max(1, k.blocks))
		d.Evidence = append(d.Evidence, Evidence{"bytes of each block used in the whole run", ever, "bytes"})
		name := f.data(p.region)
		switch {
		case 2*s.even < s.misses:
			d.Title = "blocks of " + name + " are used in no regular order"
			d.Advice = fmt.Sprintf("%s uses %.3g of %g bytes of a block of %s before it goes, and from one fetch to the next "+
				"goes no fixed way, as look-ups in a table or a walk along pointers do: place together what is used together, or "+
				"make what is in use smaller than %s.",
				f.code(p.line), used, block, name, f.level.Name)
		case ever >= allBytes*block && again >= 2 && 2*s.near < s.misses:
			d.Title = name + " is walked across its blocks"
			transposed := ""
			if f.named(p.region) {
				transposed = fmt.Sprintf(", or store %s transposed", name)
			}
			d.Advice = fmt.Sprintf("Each block of %s is fetched %.3g times for %.3g of its %g bytes at a time: at %s "+
				"interchange the loops, work in tiles that fit %s%s, so that neighbours are used together.",
				name, again, used, block, f.code(p.line), f.level.Name, transposed)
		case ever <= 0.5*block:
			d.Title = "few bytes of each block of " + name + " are ever used"
			d.Advice = fmt.Sprintf("Only %.3g of the %g bytes of a block of %s are used in the whole run: keep the fields "+
				"that %s uses in an array of their own (structure of arrays), or pack them together.",
				ever, block, name, f.code(p.line))
		default:
			d.Title = "blocks of " + name + " go before much of them is used"
			d.Advice = fmt.Sprintf("%s uses %.3g of %g bytes of a block of %s before it goes: place together what is used "+
				"together, or visit it in order of address.",
				f.code(p.line), used, block, name)
		}
		d.within = []int32{p.region}
		list = append(list, f.placed(d, p.line, p.region))
	}
	return list
}

// steady is the largest spread of the time between two uses that is still one rhythm, and resting the part of that time
// in which the line that had the block before did not run, from which on another loop is at work.
const (
	steady  = 0.25
	resting = 0.25
)

// shortLoop is how many blocks a loop fetches at least before the other one runs again: two lines that take turns over
// fewer are in one loop.
const shortLoop = 8

// fusion finds loops that fetch again, in the same order, what another loop has just had: the time since the block was
// last touched is nearly the same for all of them, and the other loop was over for most of it.
func (f *flow) fusion() (list []Finding) {
	ofLine := map[int32]uint64{}
	for p, s := range f.fetched {
		ofLine[p.line] += s.misses
	}
	for _, p := range pairs(f.again) {
		r := f.again[p]
		if other := f.again[pair{p.second, p.first}]; other != nil && (other.misses > r.misses || other.misses == r.misses &&
			p.first > p.second) {
			continue // the other way round is told
		}
		if !f.weighs(&r.tally) || 2*r.misses < ofLine[p.second] {
			continue
		}
		mean, spread := r.regular()
		if spread > steady || r.idle < resting*r.gap || shortLoop*r.turns > r.misses {
			continue
		}
		name, a, b := f.data(r.region), f.code(p.first), f.code(p.second)
		d := Finding{Kind: Fusion, Cost: f.cost(&r.tally), Range: r.span,
			Title: fmt.Sprintf("%s fetches again what %s has just had", b, a),
			Advice: fmt.Sprintf("%s goes over the same blocks of %s in the same order as %s, %.0f references later: do both "+
				"in one loop, or in turns over pieces that fit %s, if nothing in between forbids it.",
				b, name, a, mean, f.level.Name),
			Evidence: []Evidence{{"misses on blocks that the other loop had", float64(r.misses), ""},
				{"of the misses of " + b, 100 * float64(r.misses) / float64(max(1, ofLine[p.second])), "%"},
				{"references from one use to the next", mean, ""}, {"spread of that", 100 * spread, "%"}}}
		list = append(list, f.placed(d, p.second, r.region))
	}
	return list
}

// thrashing finds loops that come round to the same blocks again and again, in one rhythm, after the level has lost
// them: what they go over is larger than the level, of which least recently used then keeps nothing (Denning 1968).
// What uses few bytes of the blocks that come into the first level is told by spatial.
func (f *flow) thrashing(first *flow) (list []Finding) {
	for _, p := range places(f.fetched) {
		s := f.fetched[p]
		r := &s.rounds
		if !f.weighs(&r.tally) || 2*r.misses < s.misses || 2*s.conflicts.misses > s.misses || first.wastes(p) {
			continue
		}
		mean, spread := r.regular()
		k := f.of(p.region)
		if spread > steady || r.idle > resting*r.gap || k.blocks == 0 || 2*f.bytes(p.region) < uint64(f.level.Size) {
			continue
		}
		name, a := f.data(p.region), f.code(p.line)
		rounds := float64(s.misses) / float64(k.blocks)
		d := Finding{Kind: Thrashing, Cost: f.cost(&r.tally), Range: r.span, Level: f.level.Name,
			Title: fmt.Sprintf("%s is gone over again and again, and %s keeps none of it", name, f.level.Name),
			Advice: fmt.Sprintf("%s comes back to each block of %s after %.0f references, when %s has lost it: do all that is "+
				"to be done with a piece that fits %s before the next piece (tiles), turn round at the ends, or make the data "+
				"smaller.",
				a, name, mean, f.level.Name, f.level.Name),
			Evidence: []Evidence{{"fetches of blocks that had been there before", float64(r.misses), ""},
				{"fetches of each block, on average", rounds, ""},
				{"bytes of " + name, float64(f.bytes(p.region)), "bytes"},
				{"bytes of " + f.level.Name, float64(f.level.Size), "bytes"},
				{"references from one use to the next", mean, ""}, {"spread of that", 100 * spread, "%"}}}
		d.within = []int32{p.region}
		list = append(list, f.placed(d, p.line, p.region))
	}
	return list
}

// streaming finds data that passes once and pushes out a table that would fit and is used again.
func (f *flow) streaming() (list []Finding) {
	sums, worst := map[pair]*tally{}, map[pair]int32{} // by the table and what passes
	most := map[pair]uint64{}
	for _, p := range pairs(f.pushed) {
		r := f.pushed[p]
		passing := f.passing(p.second)
		k := pair{p.first, passing}
		if passing < 0 || p.first < 0 || p.first == passing || f.bytes(p.first) > uint64(f.level.Size) ||
			f.bytes(passing) < 2*uint64(f.level.Size) {
			continue
		}
		t := sums[k]
		if t == nil {
			t = &tally{span: r.span}
			sums[k] = t
		}
		t.misses += r.misses
		t.time += r.time
		t.span = Range{min(t.span.From, r.span.From), max(t.span.To, r.span.To)}
		if r.misses > most[k] {
			most[k], worst[k] = r.misses, p.second
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), comparePairs) {
		t := sums[k]
		if !f.weighs(t) {
			continue
		}
		table, passing := f.data(k.first), f.data(k.second)
		d := Finding{Kind: Pollution, Cost: f.cost(t), Range: t.span,
			Title: fmt.Sprintf("%s passes once and pushes %s out of %s", passing, table, f.level.Name),
			Advice: fmt.Sprintf("%s has %d bytes and would stay in %s, but %s fetches %s past it at %s: load the stream with "+
				"non-temporal hints or prefetch it past %s, or work through it in tiles and use the table in between.",
				table, f.bytes(k.first), f.level.Name, f.function(worst[k]), passing, f.code(worst[k]), f.level.Name),
			Evidence: []Evidence{{"blocks of " + table + " fetched again after it pushed them out", float64(t.misses), ""},
				{"bytes of " + table, float64(f.bytes(k.first)), "bytes"},
				{"bytes of " + passing, float64(f.bytes(k.second)), "bytes"}}}
		list = append(list, f.placed(d, worst[k], k.first, k.second))
	}
	return list
}

func (f *flow) function(line int32) string {
	if line >= 0 {
		if name := f.in.Lines.At(line).Function; name != "" {
			return name
		}
	}
	return "the program"
}

// passing is the region that a line fetches as a stream: most of what it fetches, whole blocks, each byte touched once
// or, to be changed, twice while it is there. It is negative when there is none.
func (f *flow) passing(line int32) int32 {
	best, fills := int32(-1), uint64(0)
	for p, s := range f.fetched {
		if p.line == line && (s.fills > fills || s.fills == fills && p.region < best) {
			best, fills = p.region, s.fills
		}
	}
	if s := f.fetched[place{line, best}]; s == nil || s.bytes > s.used*5/2 {
		return -1
	}
	return best
}

// conflicts finds misses that a fully associative cache would not have.
func (f *flow) conflicts() []Finding {
	var all tally
	at := places(f.fetched)
	for _, p := range at {
		if c := f.fetched[p].conflicts; c.misses > 0 {
			all.misses += c.misses
			all.time += c.time
			if all.span.To == 0 {
				all.span = c.span
			}
			all.span = Range{min(all.span.From, c.span.From), max(all.span.To, c.span.To)}
		}
	}
	if !f.weighs(&all) {
		return nil
	}
	slices.SortStableFunc(at, func(a, b place) int {
		return cmp.Compare(f.fetched[b].conflicts.misses, f.fetched[a].conflicts.misses)
	})
	sets, share := f.hot(all.misses)
	if 2*len(sets) > f.level.Sets() { // everywhere alike: the sets are not to blame
		return nil
	}
	var regions []int32
	var names []string
	for _, p := range at {
		if c := f.fetched[p].conflicts.misses; 10*c >= all.misses && !slices.Contains(regions, p.region) {
			regions, names = append(regions, p.region), append(names, f.data(p.region))
		}
	}
	title := fmt.Sprintf("%s meet in %d of %d sets of %s", strings.Join(names, ", "), len(sets),
		f.level.Sets(), f.level.Name)
	if len(names) == 1 {
		title = fmt.Sprintf("blocks of %s meet in %d of %d sets of %s", names[0], len(sets), f.level.Sets(), f.level.Name)
	}
	d := Finding{Kind: Conflict, Cost: f.cost(&all), Range: all.span, Level: f.level.Name, Sets: sets, Title: title,
		Advice: fmt.Sprintf("%d misses come of addresses that share sets, while other sets have room, most of them at %s: %s",
			all.misses, f.code(at[0].line), f.apart(at[0])),
		Evidence: []Evidence{{"misses that a fully associative " + f.level.Name + " would not have", float64(all.misses), ""},
			{fmt.Sprintf("of them in %d of %d sets", len(sets), f.level.Sets()), share, "%"},
			{"ways of a set", float64(f.level.Ways), ""}}}
	return []Finding{f.placed(d, at[0].line, regions...)}
}

// apart is how data that meets in few sets is kept apart. Rows are spoken of only where the misses go by a fixed step,
// in data that has a name.
func (f *flow) apart(p place) string {
	if s := f.fetched[p]; f.named(p.region) && 2*s.even >= s.misses {
		return fmt.Sprintf(
			"lengthen the rows of %s by %d bytes (one block), or move it by as much, so that it spreads over all sets.",
			f.data(p.region), f.level.Block)
	}
	return fmt.Sprintf("keep what is used together there (%s) from addresses that are a multiple of %v apart.",
		f.data(p.region), f.level.Block*cachesim.Size(f.level.Sets()))
}

// hot is the fewest sets that have nine of ten conflict misses, with their share of them in percent.
func (f *flow) hot(all uint64) (sets []int, share float64) {
	for s := range f.sets {
		sets = append(sets, int(s))
	}
	slices.SortFunc(sets, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.sets[int32(b)], f.sets[int32(a)]), cmp.Compare(a, b))
	})
	sum, n := uint64(0), 0
	for n < len(sets) && 10*sum < 9*all {
		sum += f.sets[int32(sets[n])]
		n++
	}
	sets = sets[:n]
	slices.Sort(sets)
	return sets, 100 * float64(sum) / float64(max(1, all))
}
