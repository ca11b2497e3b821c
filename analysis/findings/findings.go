// Package findings says what is wrong with how a program uses memory, as far as its recording tells: a ranked list,
// each entry with its cost, its evidence in numbers, a sentence that a programmer can act on, and the place in code,
// data and time that shows it. In go an open recording with its names and a hierarchy of caches; a program that treats
// its caches and its heap well gives an empty list.
//
// The kinds, and what they are found by:
//
//	conflict    misses that a fully associative cache would not have (Hill and Smith 1989), in few of the sets
//	spatial     fetched blocks of which few bytes are used before they go: a walk across rows, or one field of many
//	fusion      a loop fetches again, in the same order, what another loop has just had
//	thrashing   a loop comes round to data that the last level has lost since, for all of it does not fit
//	pollution   data that passes once pushes out a table that would fit and is used again
//	false_sharing   blocks that move between cores though no core reads what another wrote (Dubois et al. 1993)
//	leak        blocks of one place that are never freed and become more and more
//	untouched   bytes asked of the allocator that nobody ever loads or stores
//	drag        memory that is kept long after its last use (Röjemo and Runciman 1996)
//	chase       loads that wait for the load of the round before, where the compiler's graph is known (see Chases)
package findings

import (
	"context"
	"slices"

	"orrery/analysis/attribution"
	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/cachesim"
	"orrery/traceio"
)

// Kind is what sort of trouble a finding is.
type Kind string

// The kinds of finding.
const (
	Conflict     Kind = "conflict"
	Spatial      Kind = "spatial"
	Fusion       Kind = "fusion"
	Thrashing    Kind = "thrashing"
	Pollution    Kind = "pollution"
	FalseSharing Kind = "false_sharing"
	Leak         Kind = "leak"
	Untouched    Kind = "untouched"
	Drag         Kind = "drag"
	Chase        Kind = "chase"
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{Conflict, Spatial, Fusion, Thrashing, Pollution, FalseSharing, Leak, Untouched, Drag, Chase}
}

// Cost is what a finding costs, estimated. Where one measure does not apply it is 0.
type Cost struct {
	Misses      uint64  // of the level that it is about
	Nanoseconds float64 // that these misses wait, by the latencies of the hierarchy
	Bytes       uint64  // of the heap: never freed; never touched, at most at once; held in vain, on average over the run
	Share       float64 // of Of, 0 to 1; findings are ranked by it
	Of          string  // the whole: "the time of all references in default (L1D 512B, L2 4KiB)"
}

// Evidence is one number that speaks for a finding.
type Evidence struct {
	What  string // "bytes used of each block fetched"
	Value float64
	Unit  string // "bytes"; "" for plain numbers
}

// Range is a span of logical time, [From, To).
type Range struct {
	From traceio.Seq
	To   traceio.Seq
}

// Finding is one thing that the engine noticed.
type Finding struct {
	Kind     Kind
	Title    string // "B is walked across its rows"
	Advice   string // what to do, and why it helps
	Cost     Cost
	Evidence []Evidence

	File     string // where in the code; "" when no line is to blame
	Line     int
	Function string
	Regions  []string // what data, by the names of analysis/region
	Level    string   // of the caches, with its hot sets
	Sets     []int
	Range    Range // when

	Low  traceio.Addr // addresses, where they are one range
	High traceio.Addr
	Site int // of the heap: index of Heap.Sites; -1 for none

	within []int32 // regions that have all of its misses; nil where they may lie anywhere
}

// Input is a recording with what is known of it.
type Input struct {
	Recording cachesim.Recording
	Lines     *attribution.Lines
	Regions   *region.Map
	Heap      *heap.Heap
	Config    cachesim.Config
	Threads   int // of the recording
}

// The least a finding must cost to be one: of the time of all references, of the peak of the heap, and in numbers that
// no accident reaches.
const (
	LeastShare  = 0.05
	LeastMisses = 64
	LeastBytes  = 1 << 10
)

// whole tells whether the recording has the references of libraries too. Without them nobody knows what the C library
// does with a block, and that memory is not used cannot be said. A recorder that leaves libraries out leaves all of
// them out.
func whole(in Input) bool {
	for i := range in.Lines.Len() {
		if l := in.Lines.At(int32(i)); l.Module != "" && l.References() > 0 {
			return true
		}
	}
	p := in.Heap.Program
	return p != nil && len(p.Modules) == 1 && in.Recording.Len() > 0
}

// Find looks for all kinds. It goes through the recording up to three times; report is told references, of as many
// passes as there are. Findings come in order of their share of the cost, ties by nanoseconds, bytes, kind, title and
// line.
func Find(ctx context.Context, in Input, report func(done, total int64)) ([]Finding, error) {
	passes := int64(1)
	shared := in.Threads > 1
	held := in.Heap.Count() > 0
	if shared {
		passes++
	}
	if held {
		passes++
	}
	n, pass := int64(in.Recording.Len()), int64(0)
	within := func(done, _ int64) { report(pass*n+done, passes*n) }

	flows, err := follow(ctx, in, within)
	if err != nil {
		return nil, err
	}
	list := slices.Concat(flows[0].spatial(), flows[0].fusion())
	for _, f := range flows {
		list = slices.Concat(list, f.streaming(), f.conflicts())
	}
	list = append(list, flows[len(flows)-1].thrashing(flows[0])...)
	if shared {
		pass++
		some, err := falseSharing(ctx, in, within)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	if held {
		pass++
		usage, err := heap.Observe(ctx, in.Heap, in.Recording, within)
		if err != nil {
			return nil, err
		}
		list = append(list, leaks(in.Heap)...)
		if whole(in) {
			list = slices.Concat(list, untouched(in.Heap, usage), drag(in.Heap, usage, in.Recording.Len()))
		}
	}
	slices.SortStableFunc(list, rank)
	if in.Config.Timed() {
		overlaps(list, flows[0])
	}
	return list, nil
}
