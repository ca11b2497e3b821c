package model

import (
	"orrery/cachesim"
	"orrery/traceio"
)

// Requests are what reaches a level, in order, as columns of equal length.
type Requests struct {
	Block cachesim.Size  // of the level that made them; for those of the processor, of the level that they go to
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
	shift := r.Block.Log2()
	inner := uint64(r.Block) - 1
	for row, kind := range b.Kind {
		if kind == traceio.Fetch {
			continue
		}
		low, high := cachesim.Extent(b.Addr[row], b.Size[row])
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
	events []cachesim.Event
}

// StageTotals are the counts of a stage.
type StageTotals struct {
	cachesim.Counts
	Ahead      uint64           // reads among the requests that no processor waits for
	Below      cachesim.Traffic // requests to the level or memory below
	BelowAhead uint64           // reads among them that no processor waits for
}

// NewStage is an empty level; its Kind and Next do not matter. first tells that the processor asks it. The error is the
// *FieldError of Validate.
func NewStage(l cachesim.Level, first bool) (*Stage, error) {
	l.Kind, l.Next = cachesim.Unified, ""
	c := cachesim.Config{Levels: []cachesim.Level{l}}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if l.Policy == cachesim.MINPolicy {
		return nil, c.NoFuture("nobody has looked through a recording for it; use another policy")
	}
	s := &Stage{h: New(c)}
	s.h.levels[0].enters = first
	return s, nil
}

// Run takes requests and appends those to the level below to out, unless that is nil.
func (s *Stage) Run(in, out *Requests) {
	h, l := s.h, s.h.levels[0]
	equal := in.Block == 1<<l.bits
	for i, flags := range in.Flags {
		addr := uint64(in.Addr[i])
		line, kind := addr>>l.bits, traceio.Kind(flags&StoreRequest)
		h.ahead = flags&AheadRequest != 0
		if h.ahead && kind == traceio.Load {
			l.ahead++
		}
		h.pc, h.addr = uint64(in.PC[i]), addr
		if l.repeated(line, kind == traceio.Store) {
			l.requests[kind]++
			if l.strides == nil { // which learn from requests that change nothing else
				continue
			}
			h.stream.events, h.stream.wanted = s.events[:0], out != nil
			h.train(l, line, kind)
		} else {
			h.stream.events, h.stream.wanted = s.events[:0], out != nil
			h.access(l, line, kind, flags&WholeRequest != 0 && equal)
		}
		if s.events = h.stream.events; out != nil {
			if !equal {
				flags &^= WholeRequest
			}
			s.below(in.Addr[i], in.PC[i], flags, out)
		}
	}
	h.ahead, h.stream.wanted = false, false
}

// below translates the events of one request into the requests that they caused.
func (s *Stage) below(addr, pc traceio.Addr, flags RequestFlags, out *Requests) {
	ahead := flags & AheadRequest
	for i := range s.events {
		switch e := &s.events[i]; e.Op {
		case cachesim.Miss:
			if e.Kind != traceio.Store || !s.h.levels[0].noAllocate {
				out.Add(addr, pc, ahead)
			}
		case cachesim.WriteBack:
			out.Add(e.Line, pc, StoreRequest|WholeRequest|ahead)
		case cachesim.Through:
			out.Add(addr, pc, flags&(StoreRequest|WholeRequest)|ahead)
		case cachesim.Prefetch:
			ahead = AheadRequest // and so is what this one pushes out
			out.Add(e.Line, pc, ahead)
		}
	}
}

// Totals are the counts of everything run so far.
func (s *Stage) Totals() StageTotals {
	t := s.h.Tally()
	return StageTotals{t.Levels[0], t.Ahead[0], t.Memory, t.Ahead[1]}
}
