package simulator

import (
	"context"
	"fmt"
	"sync"

	"orrery/cachesim"
	"orrery/traceio"
)

// Recording is what a Replay needs of an open recording; *store.Recording is one. Its methods must be safe from several
// goroutines.
type Recording interface {
	Len() traceio.Seq
	Blocks() int
	Span(i int) (first, end traceio.Seq)
	Find(s traceio.Seq) int
	Block(i int) (*traceio.Block, error)
}

// Replay is one recording run through one hierarchy, so prepared that the state at any reference, the events around it
// and the temperature of any window are at hand within a frame. Several goroutines may ask.
type Replay struct {
	rec    Recording
	config cachesim.Config
	limits limits
	points *checkpoints
	end    *State
	lanes  *lanes
	idle   sync.Pool // of *Hierarchy
	latest latest
}

// MaxWindow is the longest span that Window answers, in data references: it bounds the memory of its events.
const MaxWindow = 1 << 20

// NewReplay runs the whole recording once. It reports the data references done of all.
func NewReplay(ctx context.Context, rec Recording, c cachesim.Config, report func(done, total int64)) (*Replay, error) {
	return newReplay(ctx, rec, c, report, usual)
}

func newReplay(ctx context.Context, rec Recording, c cachesim.Config, report func(done, total int64),
	lim limits) (*Replay, error) {
	c, err := Foresee(ctx, rec, c, report)
	if err != nil {
		return nil, err
	}
	h, err := New(c)
	if err != nil {
		return nil, err
	}
	c = h.config
	r := &Replay{rec: rec, config: c, limits: lim, points: newCheckpoints(h.size(), lim),
		lanes: newLanes(c, rec.Len(), lim.bins)}
	r.points.take(h, position{}) // at the very beginning, where a block may have events only
	var served []cachesim.Served
	err = eachBlock(ctx, rec, report, func(i int, b *traceio.Block) error {
		if cap(served) < b.Len() {
			served = make([]cachesim.Served, max(b.Len(), traceio.MaxBlock))
		}
		for row := 0; row < b.Len(); {
			n := r.points.next(h, position{i, row}, b.Len()-row)
			h.run(b, row, row+n, served[row:row+n])
			row += n
		}
		r.lanes.add(b, served[:b.Len()])
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("simulating %s: %w", c.Name, err)
	}
	r.lanes.finish()
	r.end = h.snapshot(rec.Len())
	return r, nil
}

// Config is the hierarchy's configuration, with the levels of every core (see PerCore).
func (r *Replay) Config() cachesim.Config { return r.config }

// Len is the number of data references.
func (r *Replay) Len() traceio.Seq { return r.rec.Len() }

// Totals are the counts over the whole recording.
func (r *Replay) Totals() cachesim.Totals { return r.end.Totals() }

// At is the state just before data reference s; beyond the end it is the end.
func (r *Replay) At(s traceio.Seq) (*State, error) {
	if s >= r.rec.Len() {
		return r.end, nil
	}
	h := r.take()
	defer r.idle.Put(h)
	if _, err := r.seek(h, s); err != nil {
		return nil, err
	}
	return h.snapshot(s), nil
}

// Window is a span of a replay: the state before From and everything that happened until To.
type Window struct {
	From, To traceio.Seq
	State    *State
	Events   []cachesim.Event
}

// Window is the state before data reference from and the events of [from, to), the fetches of each reference before it.
// A span longer than MaxWindow is refused.
func (r *Replay) Window(from, to traceio.Seq) (*Window, error) {
	to = min(to, r.rec.Len())
	from = min(from, to)
	if to-from > MaxWindow {
		return nil, fmt.Errorf("the window of references %d to %d is longer than the %d that are kept with all their "+
			"events; ask for a shorter one", from, to, MaxWindow)
	}
	h := r.take()
	defer r.idle.Put(h)
	start, err := r.seek(h, from)
	if err != nil {
		return nil, err
	}
	w := &Window{From: from, To: to, State: h.snapshot(from)}
	if from == to {
		return w, nil
	}
	stop, err := r.position(to)
	if err != nil {
		return nil, err
	}
	seq := from
	err = r.each(start, stop, func(b *traceio.Block, row, last int) {
		w.Events = h.events(b, row, last, seq, w.Events)
		seq = b.First + traceio.Seq(b.Data())
	})
	return w, err
}

// position is that of the first row that belongs to s: right behind data reference s-1.
func (r *Replay) position(s traceio.Seq) (position, error) {
	switch {
	case s >= r.rec.Len():
		return position{r.rec.Blocks(), 0}, nil
	case s == 0:
		return position{}, nil
	}
	i := r.rec.Find(s - 1)
	b, err := r.rec.Block(i)
	if err != nil {
		return position{}, err
	}
	return position{i, b.Row(s-1) + 1}, nil
}

// each gives all rows from one position to another, block by block, as rows [row, last) of b.
func (r *Replay) each(from, to position, do func(b *traceio.Block, row, last int)) error {
	for at := from; at.less(to); at = (position{at.block + 1, 0}) {
		b, err := r.rec.Block(at.block)
		if err != nil {
			return err
		}
		last := b.Len()
		if at.block == to.block {
			last = to.row
		}
		do(b, at.row, last)
	}
	return nil
}

// seek brings h to the state before s and tells the position.
func (r *Replay) seek(h *Hierarchy, s traceio.Seq) (position, error) {
	p, err := r.position(s)
	if err != nil {
		return p, err
	}
	cp := r.points.before(p)
	from, ok := r.latest.restore(h, cp.at, p)
	if !ok {
		h.restore(cp)
		from = cp.at
	}
	rows := 0
	err = r.each(from, p, func(b *traceio.Block, row, last int) {
		h.run(b, row, last, nil)
		rows += last - row
	})
	if err == nil && rows*64 > h.size() {
		r.latest.keep(h, p)
	}
	return p, err
}

// latest is the state that was last looked for and took long to find. A frame asks for several things around one place,
// and the next frame for what is a little later.
type latest struct {
	mu    sync.Mutex
	at    position
	words []uint64 // nil: none
	tally tally
}

func (l *latest) keep(h *Hierarchy, at position) {
	tally := h.tally()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at, l.tally = at, tally
	l.words = l.words[:0]
	for _, words := range h.words() {
		l.words = append(l.words, words...)
	}
}

// restore puts h into the state that is kept, if that lies between the positions.
func (l *latest) restore(h *Hierarchy, after, to position) (at position, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.words == nil || l.at.less(after) || to.less(l.at) {
		return at, false
	}
	from := l.words
	for _, words := range h.words() {
		from = from[copy(words, from):]
	}
	h.restored()
	h.setTally(l.tally)
	return l.at, true
}

// take is a hierarchy in any state, from the pool if it has one.
func (r *Replay) take() *Hierarchy {
	if h, ok := r.idle.Get().(*Hierarchy); ok {
		return h
	}
	return build(r.config)
}
