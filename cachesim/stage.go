package cachesim

import "orrery/traceio"

// Requests are what reaches a level, in order, as columns of equal length.
type Requests struct {
	Block Size           // of the level that made them; for those of the processor, of the level that they go to
	Addr  []traceio.Addr // inside of the block asked for
	PC    []traceio.Addr // instruction of the reference in whose service it is
	Flags []RequestFlags
}

// RequestFlags say what a request is; without any it is a read that somebody waits for.
type RequestFlags uint8

// The flags.
const (
	StoreRequest RequestFlags = 1 << iota // a store or write-back, not a read
	WholeRequest                          // the store covers the block
	AheadRequest                          // in the service of a prefetcher
)

// Len is the number of requests.
func (r *Requests) Len() int { return len(r.Addr) }

// Reset empties the columns and keeps their memory.
func (r *Requests) Reset() {
	r.Addr, r.PC, r.Flags = r.Addr[:0], r.PC[:0], r.Flags[:0]
}

// Add appends one request.
func (r *Requests) Add(addr, pc traceio.Addr, flags RequestFlags) {
	r.Addr, r.PC, r.Flags = append(r.Addr, addr), append(r.PC, pc), append(r.Flags, flags)
}

// Append appends others' requests.
func (r *Requests) Append(more *Requests) {
	r.Addr, r.PC, r.Flags = append(r.Addr, more.Addr...), append(r.PC, more.PC...), append(r.Flags, more.Flags...)
}

// References appends the data references of a block, one request for each block of r.Block bytes that they touch.
func (r *Requests) References(b *traceio.Block) {
	shift := log2(r.Block)
	inner := uint64(r.Block) - 1
	for row, kind := range b.Kind {
		if kind == traceio.Fetch {
			continue
		}
		low, high := extent(b.Addr[row], b.Size[row])
		for line := low >> shift; ; line++ {
			first := line << shift
			flags := RequestFlags(0)
			if kind == traceio.Store {
				if flags = StoreRequest; first >= low && first|inner <= high {
					flags |= WholeRequest
				}
			}
			r.Add(traceio.Addr(max(low, first)), b.PC[row], flags)
			if line == high>>shift {
				break
			}
		}
	}
}

// Stage is one level of a hierarchy by itself: it takes the requests that reach the level and tells those that the
// level makes to what lies below it. Stages behind each other count exactly what the hierarchy of their levels counts,
// as long as no level takes blocks from those above (inclusive and exclusive ones are refused), so that hierarchies
// with equal upper levels can share the work. One goroutine at a time may use it.
type Stage struct {
	h      *Hierarchy
	sink   sink
	learns bool // a stride prefetcher learns from requests that change nothing else
}

// StageTotals are the counts of a stage.
type StageTotals struct {
	Counts
	Ahead      uint64  // reads among the requests that nobody waits for
	Below      Traffic // requests to the level or memory below
	BelowAhead uint64  // reads among them that nobody waits for
}

// NewStage is an empty level; its Kind and Next do not matter. first tells that the processor asks it. The error is the
// *FieldError of Validate.
func NewStage(l Level, first bool) (*Stage, error) {
	l.Kind, l.Next = Unified, ""
	h, err := New(Config{Levels: []Level{l}})
	if err != nil {
		return nil, err
	}
	at := h.levels[0]
	at.entry = first
	s := &Stage{h: h, sink: sink{self: true, below: true}}
	h.open(true)
	if at.table != nil {
		at.recent, at.recentDirty = make([]uint64, at.mask+1), make([]uint64, at.mask+1)
		s.learns = true
	}
	return s, nil
}

// Run takes requests and appends those to the level below to out, unless that is nil.
func (s *Stage) Run(in, out *Requests) {
	h, l := s.h, s.h.levels[0]
	if out != nil {
		h.listen(&s.sink)
		defer h.listen(nil)
	}
	equal := in.Block == 1<<l.bits
	for i, flags := range in.Flags {
		addr := uint64(in.Addr[i])
		kind := traceio.Kind(flags & StoreRequest)
		h.ahead = flags&AheadRequest != 0
		if h.ahead && kind == traceio.Load {
			l.ahead++
		}
		if _, done := h.again(&h.entries[kind], addr, 1, kind); done {
			continue
		}
		h.pc, h.addr = uint64(in.PC[i]), addr
		s.sink.events = s.sink.events[:0]
		if s.learns && l.repeated(addr>>l.bits, kind) {
			l.requests[kind]++
			h.train(l, addr>>l.bits, kind)
		} else {
			h.access(l, addr>>l.bits, kind, flags&WholeRequest != 0 && equal)
		}
		if out != nil {
			if !equal {
				flags &^= WholeRequest
			}
			s.below(in.Addr[i], in.PC[i], flags, out)
		}
	}
	h.ahead = false
}

// repeated tells whether a request is for the block that its set was asked for last, so that nothing changes.
func (l *level) repeated(line uint64, kind traceio.Kind) bool {
	recent := l.recent
	if kind == traceio.Store {
		if recent = l.recentDirty; l.through {
			return false
		}
	}
	return recent[line&l.mask]|dirtyBit == line<<lineBits|validBit|dirtyBit
}

// below translates the events of one request into the requests that they caused.
func (s *Stage) below(addr, pc traceio.Addr, flags RequestFlags, out *Requests) {
	ahead := flags & AheadRequest
	for i := range s.sink.events {
		switch e := &s.sink.events[i]; e.Op {
		case Miss:
			if e.Kind != traceio.Store || !s.h.levels[0].noAllocate {
				out.Add(addr, pc, ahead)
			}
		case WriteBack:
			out.Add(e.Line, pc, StoreRequest|WholeRequest|ahead)
		case Through:
			out.Add(addr, pc, flags&(StoreRequest|WholeRequest)|ahead)
		case Prefetch:
			ahead = AheadRequest // and so is what this one pushes out
			out.Add(e.Line, pc, ahead)
		}
	}
}

// Totals are the counts of everything run so far.
func (s *Stage) Totals() StageTotals {
	t := s.h.counts()
	return StageTotals{t.levels[0], t.ahead[0], t.memory, t.ahead[1]}
}
