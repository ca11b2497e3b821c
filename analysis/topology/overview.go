package topology

import (
	"context"
	"fmt"
	"math"
	"slices"

	"orrery/traceio"
)

// OverviewOptions steer an overview. The zero value looks at the whole recording.
type OverviewOptions struct {
	From     traceio.Seq
	Count    int                              // length of the range in references; 0 = to the end
	Keep     func(addr, pc traceio.Addr) bool // look at these only; nil = all
	Phases   int                              // about how many phases are distinguished at most; 0 = DefaultPhases
	Window   int                              // references in a representative window; 0 = DefaultStretch
	LineOf   func(pc traceio.Addr) uint32     // as for Symbols
	Analysis Options                          // of the representative windows
	// Alphabets of the representative windows, tried in turn until one shows a cycle; nil = by instruction, then by
	// address.
	Alphabets []Alphabet
}

func (o OverviewOptions) selection() Selection {
	return Selection{From: o.From, Count: o.Count, Keep: o.Keep}
}

// Defaults of OverviewOptions.
const (
	DefaultPhases  = 256
	DefaultStretch = 1000
)

// Overview is a run of any length in short: its phases, one after the other without a gap.
type Overview struct {
	From, To traceio.Seq
	Phases   []Phase
	Kinds    []PhaseKind // what Phase.Kind points at
	Bin      traceio.Seq // references in one bin of the counts behind the phases
}

// Phase is a stretch in which the same instructions run in about the same proportions.
type Phase struct {
	From, To traceio.Seq // [From, To)
	Kind     int         // phases of one kind run the same instructions; numbered from 0 in order of first appearance
	// [WindowFrom, WindowTo) is the stretch of the phase that resembles the whole of it most: a place to enter. It is
	// longer where only longer ones have a cycle.
	WindowFrom, WindowTo traceio.Seq
	Busiest              []PhaseCode  // its most frequent instructions, at most 16
	Turns                []PhaseTurns // for each parameterization of its kind: how often it turns in this phase
}

// PhaseCode is the share of an instruction in a phase.
type PhaseCode struct {
	PC    traceio.Addr // or a block of 4096 bytes of data, where the recording has no instructions
	Share float64
}

// PhaseTurns is how often a behaviour recurs in a phase.
type PhaseTurns struct {
	Rank  int     // in the analysis of the phase's kind
	Turns float64 // in the phase
	// Marker, if Exact, is an instruction that ran once in each turn of the analysed window: Turns is how often it ran
	// in the phase. Otherwise Turns is extrapolated from the window.
	Marker traceio.Addr
	Exact  bool
}

// PhaseKind is an exact window that stands for all phases of a kind, from the longest of them, and its analysis: the
// first stage of two, see Quick.
type PhaseKind struct {
	Phase    int     // the phase that the window is from
	Result   *Result // nil if the window could not be analysed
	Seqs     []traceio.Seq
	Alphabet Alphabet // that shows the cycles
	Err      error    // why Result is nil
	marker   []marker
}

// Look finds the phases of a recording and analyses a representative window of each kind. Phases are found by which
// instructions run: their counts in up to 2048 bins are merged from the bottom up, always the two neighbours whose
// merging costs least in code length (one table of frequencies instead of two), until every merge would cost more than
// it saves; then every border moves to the reference at which the two sides' tables separate best. report gets
// references done.
func Look(ctx context.Context, rec Recording, opt OverviewOptions, report func(done, total int64)) (*Overview, error) {
	if opt.Phases < 0 || opt.Window < 0 {
		return nil, &Error{BadOption, "the number of phases and the length of their windows cannot be negative",
			"leave them out"}
	}
	if opt.Phases == 0 {
		opt.Phases = DefaultPhases
	}
	if opt.Window == 0 {
		opt.Window = DefaultStretch
	}
	if err := opt.Analysis.withDefaults().check(); err != nil {
		return nil, err
	}
	end, err := opt.selection().end(rec)
	if err != nil {
		return nil, err
	}
	t, err := tally(ctx, rec, opt.selection(), end, report)
	if err != nil {
		return nil, err
	}
	o := &Overview{From: opt.From, To: end, Bin: t.step}
	segments, borders, err := t.phases(ctx, rec, opt.Phases)
	if err != nil {
		return nil, err
	}
	if opt.Alphabets == nil {
		opt.Alphabets = []Alphabet{{Kind: ByAddress}}
		if t.byPC {
			opt.Alphabets = []Alphabet{{Kind: ByPC}, {Kind: ByAddress}}
		}
	}
	for i := range segments {
		if segments[i].sum, err = t.within(ctx, rec, segments[i], borders[i], borders[i+1]); err != nil {
			return nil, err
		}
	}
	segments, borders = absorb(segments, borders, 2*t.step)
	kinds := sameKinds(segments)
	segments, borders, kinds = coalesce(segments, borders, kinds)
	for i := range segments {
		s := &segments[i]
		p := Phase{Kind: kinds[i], From: borders[i], To: borders[i+1]}
		p.WindowFrom, p.WindowTo = t.typical(*s, p.From, p.To, traceio.Seq(opt.Window))
		p.Busiest = t.busiest(s.sum)
		o.Phases = append(o.Phases, p)
	}
	o.longest()
	budget := int64(leastWide) + int64(end-opt.From)/8
	for k := range o.Kinds {
		longest := o.Kinds[k].Phase
		wide, err := o.Kinds[k].analyze(ctx, rec, &o.Phases[longest], opt, &budget, func(pc traceio.Addr) int64 {
			return segments[longest].sum.of(t.id(pc))
		})
		if err != nil {
			return nil, err
		}
		for i := range o.Phases {
			if p := &o.Phases[i]; wide > 0 && p.Kind == k && i != longest {
				p.WindowFrom, p.WindowTo = p.around(wide)
			}
		}
	}
	if err := o.count(ctx, t, segments); err != nil {
		return nil, err
	}
	return o, nil
}

// sameKind is the divergence (bits per reference) up to which two phases are of one kind: tables of frequencies that
// differ by 5 in 100.
const sameKind = 0.05

// sameKinds numbers the kinds of segments: each joins the first kind that is nearest to it, or begins a new one.
func sameKinds(segments []segment) []int {
	var tables []counts
	kinds := make([]int, len(segments))
	for i, s := range segments {
		kinds[i] = len(tables)
		best := sameKind
		for k, table := range tables {
			if d := divergence(table, s.sum); d < best {
				kinds[i], best = k, d
			}
		}
		if kinds[i] == len(tables) {
			tables = append(tables, s.sum)
		}
	}
	return kinds
}

// fragment is the divergence up to which a short stretch belongs to its neighbour: few references make an uneven table.
const fragment = 0.2

// absorb joins stretches shorter than a length to the neighbour that they resemble.
func absorb(segments []segment, borders []traceio.Seq, short traceio.Seq) ([]segment, []traceio.Seq) {
	for i := 0; i < len(segments) && len(segments) > 1; {
		into, best := -1, fragment
		if borders[i+1]-borders[i] < short {
			for _, j := range []int{i - 1, i + 1} {
				if j < 0 || j == len(segments) {
					continue
				}
				if d := divergence(segments[i].sum, segments[j].sum); d < best {
					into, best = j, d
				}
			}
		}
		if into < 0 {
			i++
			continue
		}
		left := min(i, into)
		segments[left].to, segments[left].sum = segments[left+1].to, segments[left].sum.plus(segments[left+1].sum)
		segments = slices.Delete(segments, left+1, left+2)
		borders = slices.Delete(borders, left+1, left+2)
		i = left
	}
	return segments, borders
}

// coalesce joins neighbours of one kind.
func coalesce(segments []segment, borders []traceio.Seq, kinds []int) ([]segment, []traceio.Seq, []int) {
	n := 0
	for i, s := range segments {
		if i > 0 && kinds[i] == kinds[n-1] {
			segments[n-1].to, segments[n-1].sum = s.to, segments[n-1].sum.plus(s.sum)
			continue
		}
		segments[n], borders[n], kinds[n] = s, borders[i], kinds[i]
		n++
	}
	return segments[:n], append(borders[:n], borders[len(borders)-1]), kinds[:n]
}

// longest gives every kind its longest phase.
func (o *Overview) longest() {
	for i, p := range o.Phases {
		if p.Kind == len(o.Kinds) {
			o.Kinds = append(o.Kinds, PhaseKind{Phase: i})
		}
		k := &o.Kinds[p.Kind]
		if longest := o.Phases[k.Phase]; p.To-p.From > longest.To-longest.From {
			k.Phase = i
		}
	}
}

// Round is a sequence of phases that repeats: phases First..First+Period-1 and, of the same kinds, Times-1 more such
// sequences after it.
type Round struct{ First, Period, Times int }

// longestPeriod is how many phases may make a round.
const longestPeriod = 32

// Rounds gives sequences of phases that repeat at least three times, in order of time and without overlap: time steps,
// frames, requests. Of those that begin at a phase the one that covers most is taken, and of equals the shortest.
func (o *Overview) Rounds() []Round {
	var out []Round
	for i := 0; i < len(o.Phases); {
		best := Round{i, 1, 1}
		for period := 2; period <= min(longestPeriod, (len(o.Phases)-i)/3); period++ {
			same := 0
			for i+period+same < len(o.Phases) && o.Phases[i+same].Kind == o.Phases[i+period+same].Kind {
				same++
			}
			if times := 1 + same/period; times >= 3 && times*period > best.Times*best.Period {
				best = Round{i, period, times}
			}
		}
		if best.Times > 1 {
			out = append(out, best)
		}
		i += best.Period * best.Times
	}
	return out
}

// analyze runs a quick analysis on the window of phase p, and where that has no cycle on longer ones, as long as their
// budget of references lasts; wide is the length of a longer window, 0 for none. often is how often an instruction runs
// in the phase.
func (k *PhaseKind) analyze(ctx context.Context, rec Recording, p *Phase, opt OverviewOptions, budget *int64,
	often func(pc traceio.Addr) int64) (wide traceio.Seq, err error) {
	found, err := k.look(ctx, rec, p.WindowFrom, p.WindowTo, opt)
	for _, times := range wider {
		if err != nil || found {
			break
		}
		from, to := p.around(traceio.Seq(times * opt.Window))
		if to-from <= p.WindowTo-p.WindowFrom || int64(to-from) > *budget {
			break
		}
		*budget -= int64(to - from)
		if found, err = k.lookWide(ctx, rec, from, to, opt); found {
			p.WindowFrom, p.WindowTo, wide = from, to, to-from
		}
	}
	if err != nil {
		return 0, err
	}
	if k.Result == nil {
		k.Seqs = nil
		return 0, nil
	}
	k.Seqs = k.Seqs[:k.Result.Times]
	if k.marker, err = markers(rec, k.Result, k.Seqs, often); err != nil {
		return 0, fmt.Errorf("reading references %d to %d: %w", p.WindowFrom, p.WindowTo, err)
	}
	return wide, nil
}

// look tries the alphabets on [from, to), and reports whether one shows a cycle. Otherwise the first that can be
// analysed stays.
func (k *PhaseKind) look(ctx context.Context, rec Recording, from, to traceio.Seq,
	opt OverviewOptions) (found bool, err error) {
	for _, alphabet := range opt.Alphabets {
		sel := Selection{From: from, Count: int(to - from), Keep: opt.Keep, Alphabet: alphabet}
		symbols, seqs, err := Symbols(ctx, rec, sel, opt.LineOf)
		if err != nil {
			return false, err
		}
		res, err := Quick(ctx, symbols, func(a Alphabet) ([]uint32, error) {
			if a.Kind != ByBlock || !alphabet.Coarser(a) { // instructions are tried for themselves
				return nil, nil
			}
			sel.Alphabet = a
			symbols, _, err := Symbols(ctx, rec, sel, nil)
			return symbols, err
		}, opt.Analysis, nil)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if k.Result == nil && (k.Err == nil || err == nil) {
			k.Result, k.Err, k.Alphabet, k.Seqs = res, err, alphabet, seqs
		}
		if err == nil && res.recurs() {
			k.Result, k.Err, k.Alphabet, k.Seqs = res, nil, alphabet, seqs
			return true, nil
		}
	}
	return false, nil
}

// Longer windows are looked at where a round is longer than a window: a list that is walked again and again. There,
// most windows of references come several times, and of those that differ there are few enough for a first look.
var wider = []int{4, 16, 64} // times the length of a window

const (
	wideRounds = 2
	widePoints = 3000
	// leastWide and an eighth of the range is how many references all of them have: an overview takes little longer for
	// them.
	leastWide = 1 << 20
)

// lookWide is look for a window that is longer than usual; it keeps a result only if that has a cycle.
func (k *PhaseKind) lookWide(ctx context.Context, rec Recording, from, to traceio.Seq,
	opt OverviewOptions) (found bool, err error) {
	w := opt.Analysis.withDefaults().Window
	for _, alphabet := range opt.Alphabets {
		symbols, seqs, err := Symbols(ctx, rec, Selection{From: from, Count: int(to - from), Keep: opt.Keep,
			Alphabet: alphabet}, opt.LineOf)
		if err != nil {
			return false, err
		}
		if len(symbols) < w+3 {
			continue
		}
		if n := len(makeCloud(symbols, w).start); n > widePoints || wideRounds*n > len(symbols) {
			continue
		}
		res, err := Quick(ctx, symbols, nil, opt.Analysis, nil)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err == nil && res.recurs() {
			k.Result, k.Err, k.Alphabet, k.Seqs = res, nil, alphabet, seqs
			return true, nil
		}
	}
	return false, nil
}

// around is a stretch of the phase of a length, or all of it, with the phase's window in it.
func (p *Phase) around(length traceio.Seq) (from, to traceio.Seq) {
	if p.To-p.From <= length {
		return p.From, p.To
	}
	from = min(p.WindowFrom, p.To-length)
	return from, from + length
}

// recurs reports whether a steady behaviour goes round twice.
func (r *Result) recurs() bool {
	for _, p := range r.Parameterizations {
		if p.Turns >= 2 && !p.ToAndFro() {
			return true
		}
	}
	return false
}

// marker is an instruction that runs once in each turn of a parameterization; ok is false if there is none.
type marker struct {
	pc traceio.Addr
	ok bool
}

// markers looks for an instruction that ran as often as a parameterization turned, among its members' references.
func markers(rec Recording, res *Result, seqs []traceio.Seq, often func(traceio.Addr) int64) ([]marker, error) {
	pcs := make([]traceio.Addr, len(seqs))
	var b *traceio.Block
	for i, s := range seqs {
		if b == nil || s < b.First || s >= b.First+traceio.Seq(b.Data()) {
			var err error
			if b, err = rec.Block(rec.Find(s)); err != nil {
				return nil, err
			}
		}
		if b.Fetches == 0 {
			pcs[i] = b.PC[s-b.First]
		} else {
			pcs[i] = b.At(s).PC
		}
	}
	out := make([]marker, len(res.Parameterizations))
	for i := range out {
		out[i] = markerOf(&res.Parameterizations[i], pcs, often)
	}
	return out, nil
}

// markerOf takes the instruction whose count is nearest to the turns, if it is near. Of equals it is the rarest in the
// whole phase, then the earliest: the condition of a loop runs once more than its body, which a window within the loop
// does not show.
func markerOf(p *Parameterization, pcs []traceio.Addr, often func(traceio.Addr) int64) (m marker) {
	if p.Turns < 1.5 {
		return marker{}
	}
	best := max(1, 0.1*p.Turns)
	for _, s := range Shares(p, func(time int) traceio.Addr { return pcs[time] }) {
		off := math.Abs(float64(s.Count) - p.Turns)
		if s.Key != 0 && (off < best || m.ok && off == best && often(s.Key) < often(m.pc)) {
			m, best = marker{s.Key, true}, off
		}
	}
	return m
}

// count says how often the behaviours of its kind recur in each phase.
func (o *Overview) count(ctx context.Context, t *tallied, segments []segment) error {
	for i := range o.Phases {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := &o.Phases[i]
		k := o.Kinds[p.Kind]
		if k.Result == nil {
			continue
		}
		for j, q := range k.Result.Parameterizations {
			turns := PhaseTurns{Rank: q.Rank, Turns: q.Turns * float64(p.To-p.From) / float64(k.Result.Used)}
			if m := k.marker[j]; m.ok && t.byPC {
				turns.Turns, turns.Marker, turns.Exact = float64(segments[i].sum.of(t.id(m.pc))), m.pc, true
			}
			p.Turns = append(p.Turns, turns)
		}
	}
	return nil
}
