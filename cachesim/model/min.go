package model

import "orrery/cachesim"

func init() {
	policies[cachesim.MINPolicy] = func(c cachesim.Config, _ cachesim.Level) Policy {
		return &minPolicy{future: c.Future()}
	}
}

// minPolicy evicts the block that is asked for again last (Belady 1966). A set's metadata are its clock, which counts
// requests but those for the block that it was asked for last, and that block, plus 1.
type minPolicy struct {
	byWay
	future cachesim.Future
}

func (*minPolicy) Metadata(int) int { return 2 }

func (p *minPolicy) Touch(s Set, way int) {
	if line := s.level.lineOf(s.Blocks[way]); s.Metadata[1] != line+1 {
		s.Metadata[0]++
		s.Metadata[1] = line + 1
	}
}

func (p *minPolicy) Fill(s Set, way int) bool {
	p.Touch(s, way)
	return true
}

// next is when the block in a way is asked for again.
func (p *minPolicy) next(s Set, way int) uint64 {
	return p.future.Next(s.level.lineOf(s.Blocks[way]), s.Metadata[0])
}

// Victim is the way whose block is asked for again last, the first of those that never are. The request in progress has
// not moved the clock yet, which makes no difference: the time behind it is that of the new block, and of no other.
func (p *minPolicy) Victim(s Set) (victim int) {
	last := uint64(0)
	for way := range s.Blocks {
		if next := p.next(s, way); next > last {
			victim, last = way, next
		}
	}
	return victim
}

func (p *minPolicy) Order(s Set, words []uint64) []uint64 {
	return p.order(s, words, func(way int) uint64 {
		return (cachesim.Never-p.next(s, way))*uint64(len(s.Blocks)) + uint64(way)
	})
}
