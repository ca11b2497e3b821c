package caches

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"orrery/analysis/dse/search"
	"orrery/cachesim"
)

// Memory is main memory: what a block costs that goes to it or comes from it.
type Memory struct {
	Time   float64 `json:"time_ns"`
	Energy float64 `json:"energy_nj"`
}

// DefaultMemory is of the usual order and no measurement; it is there to be edited.
func DefaultMemory() Memory { return Memory{Time: 60, Energy: 20} }

// Choices are what one level may be.
type Choices struct {
	Sizes      []cachesim.Size       `json:"sizes"` // growing
	Ways       []int                 `json:"ways"`  // growing
	Policies   []cachesim.Policy     `json:"policies"`
	Writes     []cachesim.Write      `json:"writes"`
	Prefetches []cachesim.Prefetcher `json:"prefetches"`
}

// Space is the hierarchies that are considered. A hierarchy is impossible in which a level is not larger than the one
// above, a level has no cost (see Costs.Of) or cannot be simulated, or the area is larger than allowed.
type Space struct {
	Counts []int           `json:"levels"` // numbers of levels, growing, from 1 to MaxLevels
	Blocks []cachesim.Size `json:"blocks"` // growing
	Levels []Choices       `json:"choices"`
	Memory Memory          `json:"memory"`
	Area   float64         `json:"max_area_mm2"` // of all levels; 0: any
}

// DefaultSpace has one to three levels of all sizes that are usual at their place, in powers of two, with every policy,
// write mode and prefetcher of the simulator.
func DefaultSpace() Space {
	level := func(from, to cachesim.Size) Choices {
		c := Choices{Ways: []int{1, 2, 4, 8, 16}, Policies: cachesim.Policies(), Writes: cachesim.Writes(),
			Prefetches: cachesim.Prefetchers()}
		for size := from; size <= to; size *= 2 {
			c.Sizes = append(c.Sizes, size)
		}
		return c
	}
	const KiB, MiB = cachesim.KiB, cachesim.MiB
	return Space{
		Counts: []int{1, 2, 3}, Blocks: []cachesim.Size{32, 64, 128}, Memory: DefaultMemory(),
		Levels: []Choices{level(4*KiB, 128*KiB), level(16*KiB, 2*MiB), level(256*KiB, 16*MiB)},
	}
}

// Validate is nil or says what of the space cannot be.
func (s Space) Validate() error {
	switch {
	case len(s.Counts) == 0 || len(s.Blocks) == 0:
		return fmt.Errorf("a space of hierarchies needs numbers of levels and sizes of blocks")
	case !(s.Memory.Time >= 0) || math.IsInf(s.Memory.Time, 0) || !(s.Memory.Energy >= 0) ||
		math.IsInf(s.Memory.Energy, 0):
		return fmt.Errorf("memory with %g ns and %g nJ a block cannot be; both are 0 or more", s.Memory.Time, s.Memory.Energy)
	case !(s.Area >= 0) || math.IsInf(s.Area, 0):
		return fmt.Errorf("an area of at most %g mm² cannot be; it is above 0, or 0 for any", s.Area)
	}
	for i, n := range s.Counts {
		if n < 1 || n > MaxLevels || n > len(s.Levels) || i > 0 && n <= s.Counts[i-1] {
			return fmt.Errorf("%v levels cannot be; they are from 1 to %d, growing, with choices for each", s.Counts, MaxLevels)
		}
	}
	for i, c := range s.Levels {
		if len(c.Sizes) == 0 || len(c.Ways) == 0 || len(c.Policies) == 0 || len(c.Writes) == 0 || len(c.Prefetches) == 0 {
			return fmt.Errorf("level %d of a space has no choice of something", i+1)
		}
		if !slices.IsSorted(c.Sizes) || !slices.IsSorted(c.Ways) || c.Sizes[0] == 0 || c.Ways[0] < 1 || !among(c.Policies,
			cachesim.Policies()) || !among(c.Writes, cachesim.Writes()) || !among(c.Prefetches, cachesim.Prefetchers()) {
			return fmt.Errorf("level %d of a space has choices that cannot be: sizes and ways grow, policies, write modes and "+
				"prefetchers are the simulator's", i+1)
		}
	}
	return nil
}

func among[T comparable](some, all []T) bool {
	return !slices.ContainsFunc(some, func(x T) bool { return !slices.Contains(all, x) })
}

// The genes of a space: the number of levels and the block, and behind them geneCount genes for each level.
const (
	countGene = iota
	blockGene
	firstLevelGene

	sizeGene = iota - firstLevelGene - 1
	waysGene
	policyGene
	writeGene
	prefetchGene
	geneCount
)

// genes describe the genomes of the space.
func (s Space) genes() []search.Gene {
	list := []search.Gene{{Name: levelsName, Values: len(s.Counts), Ordered: true},
		{Name: blockName, Values: len(s.Blocks), Ordered: true}}
	for i, c := range s.Levels {
		name := fmt.Sprintf("L%d ", i+1)
		list = append(list,
			search.Gene{Name: name + "size", Values: len(c.Sizes), Ordered: true}, search.Gene{Name: name + "ways",
				Values: len(c.Ways), Ordered: true},
			search.Gene{Name: name + "policy", Values: len(c.Policies)}, search.Gene{Name: name + "write",
				Values: len(c.Writes)},
			search.Gene{Name: name + "prefetch", Values: len(c.Prefetches)})
	}
	return list
}

// design is what a genome means.
func (s Space) design(g search.Genome) Design {
	d := Design{Block: s.Blocks[g[blockGene]]}
	for i := range s.Counts[g[countGene]] {
		c, of := s.Levels[i], g[firstLevelGene+i*geneCount:]
		d.Levels = append(d.Levels, Level{c.Sizes[of[sizeGene]], c.Ways[of[waysGene]], c.Policies[of[policyGene]],
			c.Writes[of[writeGene]], c.Prefetches[of[prefetchGene]]})
	}
	return d
}

// repair sets the genes of levels that the design does not have to 0, and so the policy of levels with one way, where
// every policy does the same.
func (s Space) repair(g search.Genome) {
	n := s.Counts[g[countGene]]
	clear(g[firstLevelGene+n*geneCount:])
	for i := range n {
		if of := g[firstLevelGene+i*geneCount:]; s.Levels[i].Ways[of[waysGene]] == 1 {
			of[policyGene] = 0
		}
	}
}

// violation is 0 for a design that can be built. What is missing is counted in doublings, so that a search finds its
// way: of sets to the smallest number that has a cost, of size to more than that of the level above, of area to what is
// allowed.
func (s Space) violation(d Design, costs *Costs) float64 {
	sum, area := 0.0, 0.0
	for i, l := range d.Levels {
		if i > 0 && l.Size <= d.Levels[i-1].Size {
			sum += 1 + math.Log2(float64(d.Levels[i-1].Size)/float64(l.Size))
		}
		n := sets(l.Size, l.Ways, d.Block)
		if n < leastSets {
			sum += math.Log2(leastSets / max(0.5, float64(n)))
			continue
		}
		cost, err := costs.Of(l.Size, l.Ways, d.Block)
		if err != nil || bits.OnesCount(uint(n)) != 1 || cachesim.Size(n*l.Ways)*d.Block != l.Size ||
			l.Policy == cachesim.TreePLRU && l.Ways&(l.Ways-1) != 0 {
			sum++
		}
		area += cost.Area
	}
	if s.Area > 0 && area > s.Area {
		sum += math.Log2(area / s.Area)
	}
	return sum
}
