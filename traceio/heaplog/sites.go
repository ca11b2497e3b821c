package heaplog

import (
	"maps"
	"slices"

	"github.com/ianlancetaylor/demangle"

	"orrery/traceio"
	"orrery/traceio/named"
)

// namedSites makes sites of functions that a log names, by return address. It makes none when a module's own file is
// there, which knows lines too.
func namedSites(names map[traceio.Addr]string, mods []traceio.Module) []traceio.Site {
	for i := range mods {
		if _, _, _, ok := extent(mods[i].Path); ok {
			return nil
		}
	}
	sites := make([]traceio.Site, 0, len(names))
	for _, ret := range slices.Sorted(maps.Keys(names)) {
		s := traceio.Site{PC: ret - 1, Module: -1,
			Frames: []traceio.Frame{{Function: named.Symbol(names[ret], demangle.NoParams)}}}
		for i := range mods {
			if s.PC >= mods[i].Low && s.PC < mods[i].High {
				s.Module = i
			}
		}
		sites = append(sites, s)
	}
	return sites
}
