package caches

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"orrery/cachesim"
	"orrery/cachesim/model"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// Simulator runs designs on a recording. What designs have in common is simulated once: of a first level all numbers of
// ways in one pass, and what it passes down is kept for all that is tried below it. One goroutine at a time may use it;
// it uses all processors.
type Simulator struct {
	rec     simulator.Recording
	ways    []int // that stacks are made for
	largest cachesim.Size
	totals  map[chain]model.StageTotals
	kept    map[chain]*kept
	clock   int
	budget  int64 // bytes of kept requests
}

// kept are the requests that a first level makes to what lies below.
type kept struct {
	key      chain
	requests *model.Requests
	used     int // clock of the last use
}

// defaultBudget is what kept requests may take; beyond it those go that were used least recently, and are simulated
// again when they are wanted. Levels at work may take as much again.
const defaultBudget = 256 << 20

// requestBytes is what one kept request takes.
const requestBytes = 8 + 8 + 1

// NewSimulator is for a recording; stacks are made for the given numbers of ways, whoever asks, as long as the caches
// are no larger than given.
func NewSimulator(rec simulator.Recording, ways []int, largest cachesim.Size) *Simulator {
	ways = slices.Clone(ways)
	slices.Sort(ways)
	return &Simulator{rec: rec, ways: slices.Compact(ways), largest: largest, totals: map[chain]model.StageTotals{},
		kept: map[chain]*kept{}, budget: defaultBudget}
}

// Run simulates designs. Afterwards Totals has them. It takes as many at a time as have room.
func (s *Simulator) Run(ctx context.Context, list []Design) error {
	for len(list) > 0 {
		n, room := 0, s.budget
		for n < len(list) && (n == 0 || room >= list[n].weight()) {
			room -= list[n].weight()
			n++
		}
		if err := s.together(ctx, list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// weight is about how many bytes the simulated levels take: a word for each line, and a few for each set, of which
// there may be as many.
func (d Design) weight() (sum int64) {
	for _, l := range d.Levels {
		sum += int64(l.Size/d.Block)*8 + int64(sets(l.Size, l.Ways, d.Block))*24
	}
	return sum
}

// together simulates designs at once.
func (s *Simulator) together(ctx context.Context, list []Design) error {
	s.clock++
	f := &forest{ways: s.ways, largest: s.largest, roots: map[rootKey]*node{}, kept: map[chain]*branch{}}
	for _, d := range list {
		if s.knows(d) {
			continue
		}
		if err := s.plant(f, d); err != nil {
			return err
		}
	}
	if err := s.grow(ctx, f); err != nil {
		return err
	}
	for _, n := range f.order {
		for i, b := range n.branches {
			s.totals[b.key] = n.totals(i)
			if b.keep != nil {
				s.kept[b.key] = &kept{b.key, b.keep, s.clock}
			}
		}
	}
	s.forget()
	return nil
}

// knows tells whether all levels of a design were simulated already.
func (s *Simulator) knows(d Design) bool {
	for i := range d.Levels {
		if _, ok := s.totals[d.prefix(i+1)]; !ok {
			return false
		}
	}
	return true
}

func (s *Simulator) plant(f *forest, d Design) error {
	first := d.prefix(1)
	if k, ok := s.kept[first]; ok {
		k.used = s.clock
		if f.kept[first] == nil {
			f.kept[first] = &branch{key: first, out: k.requests, next: map[nodeKey]*node{}}
		}
	}
	return f.plant(d)
}

// grow runs the recording through the roots and kept requests through what is below them.
func (s *Simulator) grow(ctx context.Context, f *forest) error {
	var tasks []func() error
	for _, b := range f.kept {
		tasks = append(tasks, func() error {
			b.pass(b.out)
			return ctx.Err()
		})
	}
	var roots []*node
	for _, n := range f.order {
		if n.above.count == 0 {
			roots = append(roots, n)
		}
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), len(roots)))
	for k := range workers {
		var mine []*node
		for i := k; i < len(roots); i += workers {
			mine = append(mine, roots[i])
		}
		tasks = append(tasks, func() error { return s.read(ctx, mine) })
	}
	return parallel(tasks)
}

// parallel does all tasks, each in some goroutine, and gives the error of the first in order that has one.
func parallel(tasks []func() error) error {
	errs := make([]error, len(tasks))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(tasks); i = int(next.Add(1)) - 1 {
				errs[i] = tasks[i]()
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// some is how many references go through a first level before its requests go on: few enough that they stay in the
// processor's caches.
const some = 1 << 13

// read runs the recording through some roots.
func (s *Simulator) read(ctx context.Context, roots []*node) error {
	if len(roots) == 0 {
		return nil
	}
	slices.SortStableFunc(roots, func(a, b *node) int {
		return cmp.Compare(a.branches[0].key.block, b.branches[0].key.block)
	})
	var in model.Requests
	for i := range s.rec.Blocks() {
		whole, err := s.rec.Block(i)
		if err != nil {
			return err
		}
		for from := 0; from < whole.Len(); from += some {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := rows(whole, from, min(from+some, whole.Len()))
			in.Block = 0
			for _, n := range roots {
				if block := n.branches[0].key.block; in.Block != block {
					in.Block = block
					in.Reset()
					in.References(&part)
				}
				n.run(&in)
			}
		}
		s.restrain(roots)
	}
	return nil
}

// rows are the references of a part of a block.
func rows(b *traceio.Block, from, to int) traceio.Block {
	return traceio.Block{Addr: b.Addr[from:to], PC: b.PC[from:to], Size: b.Size[from:to], Kind: b.Kind[from:to],
		Thread: b.Thread[from:to]}
}

// restrain stops keeping requests when they become too many.
func (s *Simulator) restrain(roots []*node) {
	total := int64(0)
	for _, n := range roots {
		for _, b := range n.branches {
			if b.keep == nil {
				continue
			}
			if total += int64(cap(b.keep.Flags)) * requestBytes; total > s.budget/int64(runtime.GOMAXPROCS(0)) {
				total -= int64(cap(b.keep.Flags)) * requestBytes
				b.keep = nil
				if len(b.list) == 0 {
					b.out = nil
				}
			}
		}
	}
}

// forget lets go of kept requests beyond the budget, those used least recently first.
func (s *Simulator) forget() {
	total := int64(0)
	list := make([]*kept, 0, len(s.kept))
	for _, k := range s.kept {
		total += int64(cap(k.requests.Flags)) * requestBytes
		list = append(list, k)
	}
	if total <= s.budget {
		return
	}
	slices.SortFunc(list, func(a, b *kept) int { return cmp.Compare(a.used, b.used) })
	for _, k := range list {
		if total <= s.budget {
			return
		}
		total -= int64(cap(k.requests.Flags)) * requestBytes
		delete(s.kept, k.key)
	}
}

// Totals are the counts of each level of a design that Run was given, in order.
func (s *Simulator) Totals(d Design) []model.StageTotals {
	out := make([]model.StageTotals, len(d.Levels))
	for i := range out {
		out[i] = s.totals[d.prefix(i+1)]
	}
	return out
}
