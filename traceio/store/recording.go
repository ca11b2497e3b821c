// Package store opens recordings of any format and hands out their references block by block. A foreign file is parsed
// once: into compressed blocks in memory, which then go into the user's result cache (see traceio/resultcache); our own
// file, and what is in the result cache, stays on disk and is read on demand. What is published is immutable: a
// Recording can be used from several goroutines, and a longer one replaces it while a file is indexed.
package store

import (
	"os"
	"slices"
	"sort"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// Recording is an open recording, or the prefix of one that is still being indexed.
type Recording struct {
	path, format string
	file         *orr.File
	prog         *traceio.Program
	cache        *cache
	loss         []traceio.Loss
	allocs       packedLog
	marks        []traceio.Mark
	pcs          []traceio.Addr
	summaries    []Summary
	counts       Counts
	live         bool
	identity     string
	damaged      func()       // called when a block does not decode; may be nil
	on           *os.File     // what file reads from; nil for memory
	close        func() error // nil when nothing is open
}

// Counts says how much is in a recording.
type Counts struct {
	Loads, Stores, Fetches uint64
	Threads                int
}

// Summary says of one block what an overview needs, without decoding it.
type Summary struct {
	First                  traceio.Seq
	Loads, Stores, Fetches uint32
	// first bytes of its data references lie in [Low, High]; High < Low when it has none
	Low, High  traceio.Addr
	Lines      uint32 // about how many distinct 64-byte lines its data references touch, to a few per cent
	Start, End traceio.Ticks
}

// Path is where the recording came from.
func (r *Recording) Path() string { return r.path }

// Format is "orr" or the name of a foreign format such as "lackey", with the packing behind a plus sign: "lackey+gzip".
func (r *Recording) Format() string { return r.format }

// Live tells whether the recorder was still at work when this prefix was taken: there will be more.
func (r *Recording) Live() bool { return r.live }

// Program is what is known about the recorded program, never nil. It must not be written to; see WithProgram.
func (r *Recording) Program() *traceio.Program { return r.prog }

// WithProgram gives the same recording with another description of its program, for instance one with the names that
// symbols.Resolve found for PCs. The recording itself does not change; closing either closes both.
func (r *Recording) WithProgram(p *traceio.Program) *Recording {
	named := *r
	named.prog = p
	return &named
}

// PCs gives the distinct instruction addresses of the recording in order. It must not be written to.
func (r *Recording) PCs() []traceio.Addr { return r.pcs }

// Len is the number of data references.
func (r *Recording) Len() traceio.Seq { return r.file.Len() }

// Counts says how much is in the recording.
func (r *Recording) Counts() Counts { return r.counts }

// Duration is the time of the last reference since the recording began, 0 when the recorder kept no clock.
func (r *Recording) Duration() traceio.Ticks {
	d := traceio.Ticks(0)
	for _, s := range r.summaries {
		d = max(d, s.End)
	}
	return d
}

// Blocks is the number of blocks.
func (r *Recording) Blocks() int { return len(r.summaries) }

// Span gives the data references of block i as [first, end). It is empty for a block that has only fetches or events.
func (r *Recording) Span(i int) (first, end traceio.Seq) {
	s := &r.summaries[i]
	return s.First, s.First + traceio.Seq(s.Loads) + traceio.Seq(s.Stores)
}

// Reach gives the addresses of block i: the first bytes of its data references lie in [low, high]; high < low when it
// has none.
func (r *Recording) Reach(i int) (low, high traceio.Addr) {
	return r.summaries[i].Low, r.summaries[i].High
}

// Find gives the block that holds data reference s, which must be below Len.
func (r *Recording) Find(s traceio.Seq) int {
	return sort.Search(len(r.summaries), func(i int) bool {
		_, end := r.Span(i)
		return end > s
	})
}

// Block gives block i. It is shared and must not be written to. An error is an *traceio.Error.
func (r *Recording) Block(i int) (*traceio.Block, error) {
	return r.cache.get(i, func(b *traceio.Block) error { return r.decode(i, b) })
}

// At gives data reference s, which must be below Len.
func (r *Recording) At(s traceio.Seq) (traceio.Access, error) {
	b, err := r.Block(r.Find(s))
	if err != nil {
		return traceio.Access{}, err
	}
	return b.At(s), nil
}

// Allocs puts all allocator events together, in order, at 56 bytes each: for short recordings. Others go through them
// by EachAlloc.
func (r *Recording) Allocs() []traceio.Alloc {
	return r.allocs.read(make([]traceio.Alloc, 0, r.allocs.n), 0, r.allocs.n)
}

// AllocCount tells how many allocator events there are that make blocks, and how many that free them.
func (r *Recording) AllocCount() (mallocs, frees int) {
	return r.allocs.n - r.allocs.frees, r.allocs.frees
}

// Alloc is allocator event i, from 0 up to but without the number of events.
func (r *Recording) Alloc(i int) traceio.Alloc { return r.allocs.at(i) }

// EachAlloc gives all allocator events in order to f, some thousand at a time, until f fails. They are good until f
// returns.
func (r *Recording) EachAlloc(f func([]traceio.Alloc) error) error { return r.allocs.each(f) }

// Referring tells whether the recording has any references, fetches among them.
func (r *Recording) Referring() bool { return r.counts.Loads+r.counts.Stores+r.counts.Fetches > 0 }

// Marks gives all marks in order. It must not be written to.
func (r *Recording) Marks() []traceio.Mark { return r.marks }

// Loss tells what in the file could not be used.
func (r *Recording) Loss() []traceio.Loss { return slices.Clone(r.loss) }

// Summaries gives one summary per block. It must not be written to.
func (r *Recording) Summaries() []Summary { return r.summaries }

// Close lets go of the file below, once. Blocks handed out stay valid.
func (r *Recording) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

// wrap makes a Recording of what file holds; allocations, marks and instruction addresses are the caller's to fill in.
func wrap(path, format string, file *orr.File, c *cache) *Recording {
	r := &Recording{path: path, format: format, file: file, prog: file.Program(), cache: c, loss: file.Loss()}
	entries := file.Entries()
	r.summaries = make([]Summary, len(entries))
	for i := range entries {
		e := &entries[i]
		s := &e.Summary
		r.summaries[i] = Summary{
			First: e.First, Loads: s.Loads, Stores: s.Stores, Fetches: s.Fetches,
			Low: s.Low, High: s.High, Lines: s.Lines, Start: e.Start, End: e.End,
		}
		r.counts.Loads += uint64(s.Loads)
		r.counts.Stores += uint64(s.Stores)
		r.counts.Fetches += uint64(s.Fetches)
		if e.Rows > 0 {
			r.counts.Threads = max(r.counts.Threads, int(s.LastThread)+1)
		}
	}
	return r
}
