package model

import "orrery/cachesim"

func init() {
	policies[cachesim.SRRIP] = func(cachesim.Config, cachesim.Level) Policy { return new(rrip) }
	policies[cachesim.BRRIP] = func(cachesim.Config, cachesim.Level) Policy { return &rrip{bimodal: true} }
}

// rrip is re-reference interval prediction with 2 bits and hit priority (Jaleel et al., "High Performance Cache
// Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010). A block that is soon used again has the
// prediction 0, one that leaves next 3. Static: a new block is predicted long. Bimodal: distant, and one in 32 long.
type rrip struct {
	byWay
	bimodal bool
}

const (
	soon    = 0
	long    = 2
	distant = 3
	rarely  = 32
)

func (*rrip) Metadata(ways int) int { return (ways + 31) / 32 }

func prediction(s Set, way int) uint64 { return s.Metadata[way/32] >> (way % 32 * 2) & 3 }

func predict(s Set, way int, p uint64) {
	word, shift := &s.Metadata[way/32], way%32*2
	*word = *word&^(3<<shift) | p<<shift
}

func (p *rrip) Touch(s Set, way int) { predict(s, way, soon) }

// Fill does not settle: the first request for the block changes its prediction.
func (p *rrip) Fill(s Set, way int) bool {
	if p.bimodal && s.random(rarely) != 0 {
		predict(s, way, distant)
	} else {
		predict(s, way, long)
	}
	return false
}

// Victim is the first distant way, after all predictions have grown until there is one.
func (p *rrip) Victim(s Set) int {
	most := uint64(0)
	for way := range s.Blocks {
		most = max(most, prediction(s, way))
	}
	victim := -1
	for way := range s.Blocks {
		grown := prediction(s, way) + distant - most
		if predict(s, way, grown); grown == distant && victim < 0 {
			victim = way
		}
	}
	return victim
}

func (p *rrip) Order(s Set, words []uint64) []uint64 {
	return p.order(s, words, func(way int) uint64 {
		return (distant-prediction(s, way))*uint64(len(s.Blocks)) + uint64(way)
	})
}
