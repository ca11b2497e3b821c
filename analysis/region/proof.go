package region

import "orrery/traceio"

// proof is how certain it is that an area is a stack.
type proof int

const (
	unproven proof = iota
	likely         // where Linux puts a program's stack, unless addresses are not random
	certain        // where nothing but a stack can be
	entered        // calls stored their return addresses there
)

// Where Linux for x86-64 puts the stack of a program: its top is up to 16 GiB below the end of the user's addresses
// (fewer than 2^22 pages), and no mapping of anything else is put there but the kernel's own few pages; see
// arch/x86/mm/mmap.c, mmap_base. Where addresses are not random the stack's top is that end, and mappings begin 128 MiB
// below: libraries lie there, and a program with gigabytes of mappings has them where random stacks would be.
const (
	userEnd      traceio.Addr = 0x7ffffffff000
	lowestTop                 = userEnd - 1<<34
	fixedMapping              = userEnd - 128<<20 // the end of mappings without random addresses
	libraries                 = fixedMapping - 128<<20
)

// valgrindTops are where stacks of programs under valgrind end, by how much memory valgrind lets them have, which has
// grown with its versions: 32, 64 and 128 GiB but 16 MiB.
var valgrindTops = []traceio.Addr{0x7ff001000, 0xfff001000, 0x1fff001000}

// placed is what the addresses of an area alone prove; fixed tells that the libraries of a program without random
// addresses are used.
func (a *area) placed(prog *traceio.Program, fixed bool) proof {
	low, high := a.low<<pageBits, (a.high+1)<<pageBits
	if prog != nil && prog.Recorder == "lackey" {
		for _, top := range valgrindTops {
			if low >= top-stackSize && high <= top {
				return certain
			}
		}
	}
	switch {
	case low >= userEnd || high > userEnd || high-low > stackSize:
		return unproven
	case low >= fixedMapping:
		return certain
	case low >= lowestTop-stackSize && high >= lowestTop && high <= libraries && !fixed:
		return likely
	}
	return unproven
}

// proven prefers the area that is most certainly a stack, and of equals the one that a thread uses most; none that is
// not proven, and none that another thread uses more.
func proven(areas []area, prog *traceio.Program) func(i, best int, t traceio.Thread) bool {
	fixed := false
	for i := range areas {
		low := areas[i].low << pageBits
		fixed = fixed || low >= libraries && low < fixedMapping
	}
	proofs := make([]map[traceio.Thread]proof, len(areas))
	for i := range areas {
		a, owner := &areas[i], traceio.Thread(0)
		proofs[i] = map[traceio.Thread]proof{}
		for t, use := range a.use {
			if use.entered > 0 {
				proofs[i][t] = entered
			}
			if most := a.use[owner].n; use.n > most || use.n == most && t < owner {
				owner = t
			}
		}
		proofs[i][owner] = max(proofs[i][owner], a.placed(prog, fixed))
	}
	return func(i, best int, t traceio.Thread) bool {
		p, n := proofs[i][t], areas[i].use[t].n
		switch {
		case p == unproven || n == 0:
			return false
		case best < 0 || p > proofs[best][t]:
			return true
		}
		return p == proofs[best][t] && n > areas[best].use[t].n
	}
}
