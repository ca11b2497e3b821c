// Package findings finds what is wrong with how a program uses memory, from its recording: a ranked list, each entry
// with its cost, its evidence in numbers, advice that a programmer can act on, and the place in code, data and time
// that shows it. An open recording with its names and a hierarchy of caches goes in; a program that treats its caches
// and its heap well gives an empty list.
//
// Each kind has a file of its name with its detector and thresholds; sentences.go has all titles and advice. Detectors
// of misses read the traffic of a level (traffic.go), which one run through the hierarchy collects; those of the heap
// read heap.Usage. The kinds:
//
//	conflict    misses that a fully associative cache would not have (Hill and Smith 1989), in few of the sets
//	spatial     fetched blocks of which few bytes are used before they go: a walk across rows, or one field of many
//	fusion      a loop fetches again, in the same order, what another loop has just had
//	thrashing   a loop comes back to data that the last level has evicted since, as it is too large
//	pollution   data that passes once evicts a table that would fit and is used again
//	false_sharing   blocks that move between cores though no core reads what another wrote (Dubois et al. 1993)
//	leak        blocks of one allocation site that are never freed and grow in number
//	untouched   bytes allocated and never loaded or stored
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
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// Kind is the cause that a finding names.
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
	Of          string  // what the share is of: "the time of all references in default (L1D 512B, L2 4KiB)"
}

// Evidence is one number that supports a finding.
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

// Finding is one cause of lost time or memory.
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
	Recording simulator.Recording
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

// librariesRecorded reports whether the recording has the references of libraries too. Without them the C library may
// use a block unseen, so nothing can be said about unused memory. A recorder that leaves libraries out leaves all of
// them out.
func librariesRecorded(in Input) bool {
	for i := range in.Lines.Len() {
		if l := in.Lines.At(int32(i)); l.Module != "" && l.References() > 0 {
			return true
		}
	}
	p := in.Heap.Program
	return p != nil && len(p.Modules) == 1 && in.Recording.Len() > 0
}

// Find looks for all kinds. It goes through the recording up to three times; report gets references done, of as many
// passes as there are. Findings are ranked by their share of the cost.
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

	flows, err := replay(ctx, in, within)
	if err != nil {
		return nil, err
	}
	list := slices.Concat(flows[0].spatial(), flows[0].fusion())
	for _, f := range flows {
		list = slices.Concat(list, f.pollution(), f.conflict())
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
		if librariesRecorded(in) {
			list = slices.Concat(list, untouched(in.Heap, usage), drag(in.Heap, usage, in.Recording.Len()))
		}
	}
	slices.SortStableFunc(list, rank)
	if in.Config.Timed() {
		overlaps(list, flows[0])
	}
	return list, nil
}
