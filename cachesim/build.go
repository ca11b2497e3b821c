package cachesim

import (
	"math/bits"
	"slices"

	"orrery/traceio"
)

// New is an empty hierarchy, or the *FieldError of Validate.
func New(c Config) (*Hierarchy, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.foresees() && c.future == nil {
		return nil, c.noFuture("nobody has looked through a recording for it; use another policy")
	}
	return build(c.PerCore()), nil
}

// build makes the hierarchy of a configuration that is sound and has the levels of every core.
func build(c Config) *Hierarchy {
	h := assemble(c)
	if len(c.TLBs) > 0 {
		h.pages = assemble(c.Translation().PerCore())
	}
	words := h.layOut(nil)
	if h.pages != nil {
		words += h.pages.layOut(nil)
	}
	h.arena = make([]uint64, words)
	rest := h.arena[h.layOut(h.arena):]
	h.open(false)
	h.forget(true)
	if h.pages != nil {
		h.pages.layOut(rest)
		h.pages.open(false)
		h.pages.forget(true)
	}
	return h
}

// assemble makes the levels and ties them together; they have no memory yet.
func assemble(c Config) *Hierarchy {
	h := &Hierarchy{config: c, coherent: c.Cores > 1 && !c.pages}
	for i, l := range c.Levels {
		h.levels = append(h.levels, &level{
			mask: uint64(l.Sets() - 1), ways: uint64(l.Ways), bits: log2(l.Block), served: Served(i) * 2,
			structure: structure{
				rule: ruleOf(l.Policy), through: l.Write == WriteThrough, noAllocate: l.NoAllocate,
				inclusive: l.Inclusion == Inclusive,
				exclusive: l.Inclusion == Exclusive, nextLine: l.Prefetch == NextLine, entry: c.enters(i),
				core: l.core, top: c.flags(l),
				markWords: uint64(ruleOf(l.Policy).markWords(l.Ways)), seed: uint64(l.Seed), future: c.future,
			},
		})
		h.each = h.each || l.Prefetch == Stride
	}
	for i, l := range h.levels {
		if n := c.Next(i); n < len(h.levels) {
			l.next = h.levels[n]
			l.shift = l.next.bits - l.bits
		}
		if l.backs = dirtyBit; l.shift == 0 {
			l.backs = allOf
		}
	}
	for _, l := range h.levels {
		for n := l.next; n != nil; n = n.next {
			n.above = append(n.above, l)
			l.mustFetch = l.mustFetch || n.inclusive || n == l.next && n.exclusive
		}
	}
	h.plain = true
	for i, l := range h.levels {
		l.find = l.search(c.Levels[i], h.coherent)
		h.plain = h.plain && l.find != structured
	}
	return h
}

// flags are those that the upper end of a word of level l has.
func (c Config) flags(l Level) uint64 {
	flags := uint64(0)
	if l.Prefetch != NoPrefetch {
		flags |= aheadBit
	}
	if c.Cores > 1 && !l.Shared && !c.pages {
		flags |= sharedBit
	}
	return flags
}

// search says which functions serve the level: the fast ones, if nothing about it asks for more.
func (l *level) search(c Level, coherent bool) search {
	switch {
	case l.rule > ruleFIFO, l.through, l.noAllocate, l.inclusive, l.exclusive, l.mustFetch, c.Prefetch != NoPrefetch,
		c.VictimBlocks > 0, coherent && l.core > 0:
		return structured
	case l.rule == ruleFIFO:
		return plainFIFO
	}
	return plainLRU
}

// layOut gives the levels their parts of the arena, or only tells how many words they take when it is nil. All that
// changes in a level beside its counts is there.
func (h *Hierarchy) layOut(arena []uint64) int {
	at := 0
	part := func(n int) []uint64 {
		at += n
		if arena == nil {
			return nil
		}
		return arena[at-n : at : at]
	}
	places, hints := h.layOutPlain(arena != nil)
	if cells := part(2 * places); arena != nil { // in front, so that a cell lies in one line of the processor's own caches
		h.cells = cellsIn(cells)
		h.hints = make([]uint32, hints)
	}
	h.clock = nil
	if clock := part(1); clock != nil {
		h.clock = &clock[0]
	}
	for i, l := range h.levels {
		if l.ringed() {
			l.rings, l.mark = part(int(l.mask+1)), marked
		}
		if l.find == structured {
			l.lines = part(h.config.Levels[i].Sets() * h.config.Levels[i].Ways)
			l.layOutStructure(h.config.Levels[i], part)
		}
	}
	return at
}

// layOutPlain gives the plain levels their places and hints, and tells how many there are; all else only if there is an
// arena. Levels where rows enter have theirs in pairs, of data and of fetches, if these do not enter the same one: so a
// row finds its hint by its block and its kind.
func (h *Hierarchy) layOutPlain(arena bool) (places, hints int) {
	places, hints = 1, 1
	data, fetch := h.config.EntryOf(0, traceio.Load), h.config.EntryOf(0, traceio.Fetch)
	pairs := 0
	for i, l := range h.levels {
		if l.find == structured {
			continue
		}
		blocks := int((l.mask + 1) * l.ways)
		door := i == data || i == fetch
		n := l.leastHints(door)
		if arena && l.ways > narrow && l.ways <= broad {
			l.sweeps = newSweeps(l.mask+1, l.ways)
		}
		places = (places + 3) &^ 3 // four fill such a line
		l.base, l.hintBase, l.hintMask, l.pair = uint64(places), uint64(hints), uint64(n-1), 0
		places += blocks
		if door {
			pairs = max(pairs, n)
		} else {
			hints += n
		}
	}
	hints += hints & 1
	for i, l := range h.levels {
		if l.find != structured && (i == data || i == fetch) {
			l.hintBase, l.hintMask, l.pair = uint64(hints), uint64(pairs-1), 1
			if i != data {
				l.hintBase++
			}
		}
	}
	return places, hints + 2*pairs
}

// leastHints is how many hints a level has at least, a power of two: many for a small one, but those of a large one
// have to lie close, and pairs take twice the memory.
func (l *level) leastHints(pairs bool) int {
	const least, few, many, huge = 1 << 12, 1 << 10, 1 << 14, 1 << 20 // hints, and blocks
	blocks, spread := int((l.mask+1)*l.ways), 8
	if blocks > few {
		spread = 4
	}
	if blocks > many {
		spread = 2
	}
	if blocks > huge && pairs {
		spread = 1
	}
	return max(1<<bits.Len(uint(blocks-1))*spread, least)
}

// layOutStructure gives a structured level its parts beside the lines.
func (l *level) layOutStructure(c Level, part func(int) []uint64) {
	l.marks = part(c.Sets() * int(l.markWords))
	l.draws = part(1)
	l.buffer = set{words: part(c.VictimBlocks), level: &level{structure: structure{rule: ruleLRU, top: l.top}},
		number: int32(c.Sets())}
	if c.Prefetch == Stride {
		l.table = part(tableEntries * entryWords)
	}
}

// open makes the entries of every core. Where rows pass the levels together, nobody asks for repeats unless told so.
func (h *Hierarchy) open(repeats bool) {
	h.entries = h.entriesOf(0, repeats)
	if h.passes = h.together(); !h.passes {
		repeats = true
		h.entries = h.entriesOf(0, repeats)
	}
	h.doorways = h.doors()
	h.fifo = slices.ContainsFunc(h.doorways, func(l *level) bool { return l.find == plainFIFO })
	h.openFront()
	h.openMarches()
	if h.config.Cores <= 1 {
		return
	}
	h.private, h.cores = make([][]*level, h.config.Cores), nil
	for core := range h.config.Cores {
		h.cores = append(h.cores, h.entriesOf(core, repeats))
		for _, l := range h.levels {
			if l.core == core+1 {
				h.private[core] = append(h.private[core], l)
			}
		}
	}
}

// doors are the levels where rows enter.
func (h *Hierarchy) doors() (doors []*level) {
	for _, e := range h.entries {
		if e.level != nil && !slices.Contains(doors, e.level) {
			doors = append(doors, e.level)
		}
	}
	return doors
}

func (h *Hierarchy) entriesOf(core int, repeats bool) (entries [4]entry) {
	for k := traceio.Load; k <= traceio.Fetch; k++ {
		i := h.config.EntryOf(core, k)
		if i < 0 {
			continue
		}
		l := h.levels[i]
		e := entry{mask: l.mask, bits: l.bits, block: 1 << l.bits, inner: 1<<l.bits - 1, level: l}
		if k == traceio.Store {
			e.dirty = dirtyBit
		}
		if repeats {
			e.lines = l.repeats(k)
		}
		entries[k] = e
	}
	return entries
}

// repeats is what tells of each set which request for a level changes nothing, nil when there is none: a prefetcher
// that learns strides wants to know of all, and stores that are written through go on.
func (l *level) repeats(k traceio.Kind) []uint64 {
	switch {
	case l.table != nil:
		return nil
	case l.recent == nil:
		l.recent, l.recentDirty = make([]uint64, l.mask+1), make([]uint64, l.mask+1)
	}
	switch {
	case k != traceio.Store:
		return l.recent
	case l.through:
		return nil
	}
	return l.recentDirty
}
