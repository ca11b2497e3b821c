package caches

import (
	"math/bits"

	"orrery/cachesim"
	"orrery/cachesim/model"
	"orrery/traceio"
)

// stack is all LRU caches with one block size and one number of sets at once: write-back, with allocation, without a
// prefetcher. Of each set it keeps the blocks in the order of their last request (Mattson et al., Evaluation techniques
// for storage hierarchies, 1970): a request that finds its block at depth d misses in the caches with up to d ways,
// which then push out the block that stands at the depth of their last way.
//
// Whether that one is dirty differs by cache, but monotonously: a store makes the block dirty in all of them, and a
// load clean in those that had pushed it out and fetch it again, which are those with few ways. So one number a block
// tells: it is dirty in caches with more ways than that (the dirty level of Thompson and Smith, Efficient (stack)
// algorithms for analysis of write-back and sector memories, 1989).
type stack struct {
	block cachesim.Size
	shift int
	mask  uint64
	depth int
	pages []page // by set/pageSets; sets that nobody asked are not there

	reads, writes, ahead uint64
	ways                 []way
}

// page is some sets of a stack.
type page struct {
	lines []uint64 // by set and depth: block number + 1; 0: none
	clean []uint8  // by set and depth: the dirty level
}

// pageSets is how many sets a page has. Below a first level, small recordings touch few sets of large caches.
const pageSets = 128

// allClean is the dirty level of a block that is dirty nowhere.
const allClean = ^uint8(0)

// way is one of the caches.
type way struct {
	ways                    int
	readMisses, writeMisses uint64
	evictions, writeBacks   uint64
	below                   cachesim.Traffic
	belowAhead              uint64
	out                     *model.Requests // to the level below; nil: nobody asks
}

// newStack is of the caches with the ways given, which grow.
func newStack(block cachesim.Size, sets int, ways []int) *stack {
	depth := ways[len(ways)-1]
	s := &stack{block: block, shift: bits.TrailingZeros64(uint64(block)), mask: uint64(sets - 1), depth: depth,
		pages: make([]page, (sets+pageSets-1)/pageSets)}
	for _, n := range ways {
		s.ways = append(s.ways, way{ways: n})
	}
	return s
}

// run takes requests of blocks of the stack's own size.
func (s *stack) run(in *model.Requests) {
	last := uint64(0) // the block of the request before, which is the first of its set
	for i, flags := range in.Flags {
		line := uint64(in.Addr[i])>>s.shift + 1
		store := flags&model.StoreRequest != 0
		if store {
			s.writes++
		} else if s.reads++; flags&model.AheadRequest != 0 {
			s.ahead++
		}
		if line == last && !store {
			continue
		}
		last = line
		lines, clean := s.set((line - 1) & s.mask)
		d := 0
		for d < len(lines) && lines[d] != line {
			d++
		}
		if d > 0 {
			s.miss(in, i, d, lines, clean)
			s.first(d, lines, clean, line)
		}
		if store {
			clean[0] = 0
		}
	}
}

// set is one of the sets.
func (s *stack) set(n uint64) (lines []uint64, clean []uint8) {
	p := &s.pages[n/pageSets]
	if p.lines == nil {
		size := min(pageSets, int(s.mask)+1) * s.depth
		p.lines, p.clean = make([]uint64, size), make([]uint8, size)
	}
	at := int(n%pageSets) * s.depth
	return p.lines[at : at+s.depth : at+s.depth], p.clean[at : at+s.depth : at+s.depth]
}

// first brings the block that was found at depth d, or not at all, to the front.
func (s *stack) first(d int, lines []uint64, clean []uint8, line uint64) {
	level := allClean
	if d < len(lines) {
		level = max(clean[d], uint8(d))
	} else {
		d--
	}
	copy(lines[1:d+1], lines[:d])
	copy(clean[1:d+1], clean[:d])
	lines[0], clean[0] = line, level
}

// miss counts request i, which found its block at depth d, in the caches that miss it: those with up to d ways.
func (s *stack) miss(in *model.Requests, i, d int, lines []uint64, clean []uint8) {
	flags := in.Flags[i]
	store, ahead := flags&model.StoreRequest != 0, flags&model.AheadRequest
	for k := range s.ways {
		w := &s.ways[k]
		if w.ways > d {
			return
		}
		if store {
			w.writeMisses++
		} else {
			w.readMisses++
		}
		if flags&model.WholeRequest == 0 {
			if w.below.Reads++; ahead != 0 {
				w.belowAhead++
			}
			if w.out != nil {
				w.out.Add(in.Addr[i], in.PC[i], ahead)
			}
		}
		victim := lines[w.ways-1]
		if victim == 0 {
			continue
		}
		w.evictions++
		if clean[w.ways-1] < uint8(w.ways) {
			w.writeBacks++
			w.below.Writes++
			if w.out != nil {
				w.out.Add(traceio.Addr((victim-1)<<s.shift), in.PC[i], model.StoreRequest|model.WholeRequest|ahead)
			}
		}
	}
}

// totals are the counts of one of the caches.
func (s *stack) totals(w *way) model.StageTotals {
	return model.StageTotals{
		Counts: cachesim.Counts{Reads: s.reads, Writes: s.writes, ReadMisses: w.readMisses, WriteMisses: w.writeMisses,
			Evictions: w.evictions, WriteBacks: w.writeBacks},
		Ahead: s.ahead, Below: w.below, BelowAhead: w.belowAhead,
	}
}
