package symbols

import (
	"cmp"
	"context"
	"slices"

	"orrery/traceio"
)

// Calls adds to prog.Sites an entry for each address of pcs that has none yet, with its frames and nothing else: of the
// modules it reads only those in which some of the addresses lie. prog.Modules must be set. The error is ctx's.
func Calls(ctx context.Context, prog *traceio.Program, pcs []traceio.Addr) error {
	known := map[traceio.Addr]bool{}
	for i := range prog.Sites {
		known[prog.Sites[i].PC] = true
	}
	byModule := make([][]*traceio.Site, len(prog.Modules)+1)
	sites := make([]traceio.Site, 0, len(pcs))
	for _, pc := range slices.Compact(slices.Sorted(slices.Values(pcs))) {
		if !known[pc] {
			m := moduleOf(prog.Modules, pc)
			sites = append(sites, traceio.Site{PC: pc, Module: m})
			byModule[m+1] = append(byModule[m+1], &sites[len(sites)-1])
		}
	}
	for m := range prog.Modules {
		mine, mod := byModule[m+1], &prog.Modules[m]
		if len(mine) == 0 {
			continue
		}
		o, err := openUnlinked(mod.Path, mod.BuildID)
		if err != nil {
			continue // the sites keep their module
		}
		if err := o.resolve(ctx, mine, mod.Bias); err != nil {
			return err
		}
		if system(mod.Path) {
			anchor(mine, mod.Path)
		}
	}
	prog.Sites = append(slices.Clip(prog.Sites), sites...)
	slices.SortFunc(prog.Sites, func(a, b traceio.Site) int { return cmp.Compare(a.PC, b.PC) })
	return ctx.Err()
}
