package model

import "orrery/cachesim"

func init() {
	policies[cachesim.Random] = func(cachesim.Config, cachesim.Level) Policy { return random{} }
}

// random evicts any block, by the level's generator. The order of age is that of entering.
type random struct{ byAge }

func (random) Victim(s Set) int { return int(s.random(len(s.Blocks))) }
