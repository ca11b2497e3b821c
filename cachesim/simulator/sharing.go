package simulator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"orrery/cachesim"
	"orrery/cachesim/model"
	"orrery/traceio"
)

// Sharing is what the cores of a hierarchy did to each other's blocks in a whole recording.
type Sharing struct {
	Config cachesim.Config // with the levels of every core
	Totals cachesim.Totals
	Grain  cachesim.Size // bytes that one bit of a SharedUse stands for: 1 for blocks up to 64 bytes
	// blocks that a write took from another core: the most false sharing first, ties by invalidations, then by address
	Lines []SharedLine
}

// SharedLine is one block that a write took away from another core. A coherence miss is a request for a block that the
// core had and lost that way. It is true sharing if, before it loses the block again, the core touches a byte that
// another core wrote since it lost it, and false sharing if it does not: then the block moved between the cores for
// nothing (Dubois et al., "The Detection and Elimination of Useless Misses in Multiprocessors", ISCA 1993).
type SharedLine struct {
	Addr          traceio.Addr
	Seq           traceio.Seq // the first data reference that took it
	Invalidations uint64      // copies that writes took away, one for each core that had one
	True, False   uint64      // coherence misses
	Users         []SharedUse
	Code          []SharedCode // the most invalidations and misses first
}

// SharedUse is what one thread did to a block. Bit i of Read and Written is byte i*Grain of the block.
type SharedUse struct {
	Thread        traceio.Thread
	Reads, Writes uint64
	Read, Written uint64
}

// SharedCode is an instruction of one thread that took the block from other cores or found it taken.
type SharedCode struct {
	PC            traceio.Addr
	Thread        traceio.Thread
	Invalidations uint64
	Misses        uint64
}

// FindSharing runs the recording on the cores of a hierarchy, from cold, and follows every block that moves between
// them. Cores run at the same time: they take turns of so many references each, whatever order a recorder listed them
// in, but no reference crosses the beginning or end of a thread, or of a block of the recording. A turn of 0 takes the
// recorded order. It reports data references. A configuration of one core is a *FieldError.
func FindSharing(ctx context.Context, rec Recording, c cachesim.Config, turn int,
	report func(done, total int64)) (*Sharing, error) {
	h, err := New(c)
	if err != nil {
		return nil, err
	}
	cores, ok := h.caches.engine.(*model.Hierarchy)
	block := privateBlock(h.config)
	if !ok || block == 0 {
		return nil, &cachesim.FieldError{Level: -1, Field: "cores", Value: fmt.Sprint(c.Cores),
			Want: "sharing takes two or more, with levels of their own"}
	}
	observer := newSharing(block.Log2(), c.Cores)
	cores.Observe(observer)
	h.Classify()
	w := interleaver{turn: turn, cores: c.Cores}
	err = eachBlock(ctx, rec, report, func(_ int, b *traceio.Block) error {
		order, seqs := w.reorder(b)
		observer.seqs = seqs
		h.Run(order)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &Sharing{Config: h.config, Totals: h.Totals(), Grain: 1 << observer.grain, Lines: observer.report()}, nil
}

// privateBlock is the block size of the levels that cores have of their own, 0 if there are none.
func privateBlock(c cachesim.Config) cachesim.Size {
	for i, l := range c.Levels {
		if c.CoreOf(i) >= 0 {
			return l.Block
		}
	}
	return 0
}

// sharing follows the blocks of private levels.
type sharing struct {
	bits  uint // log2 of a block
	grain uint // log2 of the bytes of a mask's bit
	cores int
	index map64
	lines []*sharedLine

	seqs []traceio.Seq // by row of the block in progress

	// of the reference in progress
	row    int
	thread traceio.Thread
	pc     traceio.Addr
	end    uint64 // behind its last byte
}

type sharedLine struct {
	line   uint64
	counts SharedLine
	cores  []holding
	users  []SharedUse
	code   map[codeKey]*SharedCode
}

type codeKey struct {
	pc     traceio.Addr
	thread traceio.Thread
}

// holding is the life of a block in one core.
type holding struct {
	lost    bool   // taken by a write, and not asked for since
	foreign uint64 // bytes that others wrote since it was lost
	missed  bool   // the core got it by a coherence miss, and has it still
	useful  bool   // and touched a foreign byte since
}

func newSharing(bits uint, cores int) *sharing {
	s := &sharing{bits: bits, grain: max(bits, 6) - 6, cores: cores}
	s.index.init(1 << 10)
	return s
}

// Reference is part of model.Observer, as are Access and Lose.
func (s *sharing) Reference(b *traceio.Block, row int) {
	s.row, s.thread, s.pc = row, b.Thread[row], b.PC[row]
	if s.end = uint64(b.Addr[row]) + uint64(max(b.Size[row], 1)); s.end < uint64(b.Addr[row]) {
		s.end = 0 // the end of the address space
	}
}

func (s *sharing) of(line uint64) *sharedLine {
	i, known := s.index.swap(line, uint32(len(s.lines)))
	if known {
		s.index.swap(line, i)
		return s.lines[i]
	}
	l := &sharedLine{line: line, cores: make([]holding, s.cores)}
	s.lines = append(s.lines, l)
	return l
}

// mask is the bytes of the reference in progress, from addr on, that lie in the block.
func (s *sharing) mask(line, addr uint64) uint64 {
	size := uint64(1) << s.bits
	first := addr - line<<s.bits
	last := min(s.end-1-line<<s.bits, size-1) >> s.grain
	first >>= s.grain
	return ^uint64(0) >> (63 - last) &^ (1<<first - 1)
}

// Access takes a reference of a core into account, after the others have lost what it took from them. own tells that
// the core had the block.
func (s *sharing) Access(core int, line uint64, kind traceio.Kind, addr uint64, own bool) {
	l := s.of(line)
	mask := s.mask(line, addr)
	l.use(s.thread, kind, mask)
	h := &l.cores[core]
	if !own {
		l.close(h)
		if h.missed = h.lost; h.missed {
			l.at(s).Misses++
		}
		h.lost = false
	}
	h.useful = h.useful || h.missed && mask&h.foreign != 0
	if kind != traceio.Store {
		return
	}
	for o := range l.cores {
		if other := &l.cores[o]; o != core && other.lost {
			other.foreign |= mask
		}
	}
}

// Lose takes the block from a core, for the store in progress.
func (s *sharing) Lose(core int, line uint64) {
	l := s.of(line)
	if l.counts.Invalidations == 0 {
		l.counts.Seq = s.seqs[s.row]
	}
	l.counts.Invalidations++
	l.at(s).Invalidations++
	l.close(&l.cores[core])
	l.cores[core] = holding{lost: true}
}

// close ends the time that a core had the block since a coherence miss.
func (l *sharedLine) close(h *holding) {
	switch {
	case !h.missed:
	case h.useful:
		l.counts.True++
	default:
		l.counts.False++
	}
	h.missed, h.useful = false, false
}

func (l *sharedLine) use(t traceio.Thread, kind traceio.Kind, mask uint64) {
	i := slices.IndexFunc(l.users, func(u SharedUse) bool { return u.Thread == t })
	if i < 0 {
		i = len(l.users)
		l.users = append(l.users, SharedUse{Thread: t})
	}
	u := &l.users[i]
	if kind == traceio.Store {
		u.Writes++
		u.Written |= mask
	} else {
		u.Reads++
		u.Read |= mask
	}
}

func (l *sharedLine) at(s *sharing) *SharedCode {
	key := codeKey{s.pc, s.thread}
	if l.code[key] == nil {
		if l.code == nil {
			l.code = map[codeKey]*SharedCode{}
		}
		l.code[key] = &SharedCode{PC: s.pc, Thread: s.thread}
	}
	return l.code[key]
}

// report is the lines that moved, sorted.
func (s *sharing) report() []SharedLine {
	var out []SharedLine
	for _, l := range s.lines {
		for i := range l.cores {
			l.close(&l.cores[i])
		}
		if l.counts.Invalidations == 0 {
			continue
		}
		r := l.counts
		r.Addr, r.Users = traceio.Addr(l.line<<s.bits), l.users
		slices.SortFunc(r.Users, func(a, b SharedUse) int { return cmp.Compare(a.Thread, b.Thread) })
		for _, c := range l.code {
			r.Code = append(r.Code, *c)
		}
		slices.SortFunc(r.Code, func(a, b SharedCode) int {
			return cmp.Or(cmp.Compare(b.Invalidations+b.Misses, a.Invalidations+a.Misses), cmp.Compare(a.PC, b.PC),
				cmp.Compare(a.Thread, b.Thread))
		})
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b SharedLine) int {
		return cmp.Or(cmp.Compare(b.False, a.False), cmp.Compare(b.Invalidations, a.Invalidations),
			cmp.Compare(a.Addr, b.Addr))
	})
	return out
}
