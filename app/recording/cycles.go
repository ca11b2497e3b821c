package recording

import (
	"context"
	"fmt"
	"strings"
	"time"

	"orrery/analysis/topology"
	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/traceio"
	"orrery/views/explain"
	"orrery/views/link"
	"orrery/views/pane"
	"orrery/views/words"

	"fyne.io/fyne/v2"
)

// A window of at most whole references is analysed at once: the exact barcode of so many takes seconds at worst, much
// less where windows repeat. Of longer windows of time a stretch around the cursor is analysed.
const (
	whole   = 4000
	stretch = 1000
)

// settle is how long the cursor has to stay in a stretch before that is analysed: while it is dragged on, the
// processors belong to the pictures.
const settle = 80 * time.Millisecond

// cycles is the newest analysis of recurrences and what is shown of it.
type cycles struct {
	result  panes.Readers // of what was found
	at      panes.Readers // of which parameterization is shown, and how far a morph is
	tint    panes.Readers // of the colours
	rec     *session.Recording
	asked   session.CyclesRequest // the newest request, answered or not
	asking  bool
	found   *session.Cycles
	late    bool   // the cursor is elsewhere than the result, which nobody sees
	opened  bool   // the first result has been looked at
	unasked bool   // the rank in the picture was not the user's choice: it is that of this result alone
	problem string // why there is no result
	colors  session.LineColors

	lens      lens
	thinned   thinned
	elsewhere elsewhere
	asOne     asOne
	wanted    int     // accepted cycles of which it shall be told if they thin nothing
	scale     float64 // of the angles, where the class lives; 0 is its birth
	extras    extras

	coloring   session.Coloring // of the cycles pane, for the source pane
	recoloured int              // counts its changes
	from, to   int              // indexes of parameterizations
	morph      float64          // on the way between them
	animation  *fyne.Animation
}

func (c *cycles) init(rec *session.Recording) {
	c.stop()
	*c = cycles{result: c.result, at: c.at, tint: c.tint, rec: rec, morph: 1, opened: c.opened, lens: c.lens,
		thinned: c.thinned, scale: c.scale, coloring: c.coloring, recoloured: c.recoloured,
		extras: extras{plane: c.extras.plane}}
}

// lens is what is analysed and how, as the user chose it.
type lens struct {
	alphabet topology.Alphabet
	window   int     // references in a window; 0 is the default
	eps      float64 // the largest scale; 0 is no limit
	every    int     // use one of so many references; 0 is all
}

func (l *lens) length() int {
	if l.window == 0 {
		return topology.DefaultWindow
	}
	return l.window
}

// request is what should be analysed now. A long window is cut into stretches that overlap by half, so that the picture
// stays while the cursor moves within one.
func (c *cycles) request(l link.State) session.CyclesRequest {
	w, every := l.Window, max(1, c.lens.every)
	if w.To-w.From > whole*traceio.Seq(every) && c.asOne != (asOne{w, c.lens}) {
		stretch := stretch * traceio.Seq(every)
		hop := c.hop()
		from := w.From
		if l.Cursor > w.From+hop/2 {
			from = w.From + (l.Cursor-w.From-hop/2)/hop*hop
		}
		w = link.Range{From: min(from, w.To-stretch), To: min(from, w.To-stretch) + stretch}
	}
	return c.thinned.on(session.CyclesRequest{From: w.From, Count: int(w.To - w.From), Every: every,
		Alphabet: c.lens.alphabet,
		Options:  topology.Options{Window: c.lens.window, Eps: c.lens.eps}})
}

// follow starts the analysis that the link's state asks for, unless it is the one at hand or on its way. It does not
// wait for work of minutes, such as indexing a long file and simulating it: the picture goes where the cursor goes.
func (c *cycles) follow(d *Document) {
	if none := d.lacking(); none != "" {
		c.problem = none
		return
	}
	q := c.request(d.link.State())
	was := c.late
	c.late = false
	if q == c.asked || q.Count == 0 || c.asking && d.rec.Live() { // one that is asked for at every growth would never come
		return
	}
	if c.late = c.found != nil && !c.result.Seen(); c.late {
		if !was {
			c.result.Changed() // to be drawn when they are seen
		}
		return
	}
	c.asked, c.asking, c.problem = q, true, ""
	rec, rest := d.rec, time.Duration(0)
	if c.found != nil {
		rest = settle
		c.glimpse(d, q)
	}
	what := "finding cycles in " + spanned(q.From, q.From+traceio.Seq(q.Count))
	jobs.StartNow(d.host.Engine, d.key("cycles"), what,
		func(ctx context.Context, report func(done, total int64)) (*session.Cycles, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(rest):
				return rec.FindCycles(ctx, q, report)
			}
		}, func(found *session.Cycles, err error) {
			if found != nil && rec != d.rec {
				found = d.rec.Adopt(found)
			}
			c.take(found, err)
			if found != nil {
				c.tellThinned(d)
				c.lookElsewhere(d)
			}
			c.follow(d)
			c.rescale(d)
			c.result.Changed()
		})
	c.result.Changed()
}

// read notes a pane that shows what was found, and starts the analysis that was put off while no such pane was seen.
func (c *cycles) read(d *Document) {
	c.result.Read()
	if c.late {
		d.set.After(func() { c.follow(d) })
	}
}

// glimpse asks for a first look at what is analysed next, which is there while the pointer still moves. It is not taken
// when the full answer is there before, nor when it ends before the rank that is looked at.
func (c *cycles) glimpse(d *Document, q session.CyclesRequest) {
	rec, first := d.rec, q
	first.Quick = true
	what := "looking for cycles in " + spanned(q.From, q.From+traceio.Seq(q.Count))
	jobs.StartNow(d.host.Engine, d.key("glimpse"), what,
		func(ctx context.Context, report func(done, total int64)) (*session.Cycles, error) {
			return rec.FindCycles(ctx, first, report)
		}, func(found *session.Cycles, err error) {
			if err != nil || rec != d.rec || q != c.asked || !c.asking || len(found.Parameterizations) <= c.to {
				return
			}
			c.take(found, nil)
			c.asking = true
			c.result.Changed()
		})
}

// stopped says that the user has cancelled the search; what was found before stays.
func (c *cycles) stopped() {
	if c.asking {
		c.asking, c.asked = false, session.CyclesRequest{}
		if c.found == nil {
			c.problem = "Finding cycles " + goOn
		}
	}
}

// take accepts a result. The rank that was looked at stays chosen, as far as there is one.
func (c *cycles) take(found *session.Cycles, err error) {
	c.asking, c.found, c.problem = false, found, ""
	c.stop()
	if c.unasked {
		c.to, c.unasked = 0, false
	}
	if err != nil {
		c.found, c.problem = nil, words.Sentence(err.Error())
	}
	n := 0
	if found != nil {
		n, c.colors = len(found.Parameterizations), found.LineColors()
	}
	c.to = max(0, min(c.to, n-1))
	c.from, c.morph = c.to, 1
}

func (c *cycles) count() int {
	if c.found == nil {
		return 0
	}
	return len(c.found.Parameterizations)
}

// choose morphs to parameterization i, within a quarter of a second; undoable.
func (c *cycles) choose(d *Document, i int) {
	if n := c.count(); n == 0 || i < 0 || i >= n || i == c.to {
		return
	}
	was := c.to
	c.unasked = false
	link.Choose(d.link, "parameterization", &c.to, i, func() {
		c.to = max(0, min(c.to, c.count()-1)) // others may have been found since
		c.from, was = min(was, c.to+c.count()-1), c.to
		if c.from >= c.count() {
			c.from = c.to
		}
		c.morph = 0
		c.rescale(d)
		c.run(d, 250*time.Millisecond)
	})
}

// play shows the morph between the two parameterizations slowly, from one end to the other.
func (c *cycles) play(d *Document) {
	n := c.count()
	if n < 2 {
		return
	}
	if c.from == c.to {
		c.from, c.to = c.to, (c.to+1)%n
	} else if c.morph >= 1 {
		c.from, c.to = c.to, c.from
	}
	c.morph = 0
	c.run(d, 2*time.Second)
}

// run moves the morph to 1.
func (c *cycles) run(d *Document, long time.Duration) {
	c.stop()
	c.animation = pane.Glide(long, func(done float32) { c.slide(d, float64(done)) })
}

func (c *cycles) stop() {
	if c.animation != nil {
		c.animation.Stop()
		c.animation = nil
	}
}

// slide sets the morph.
func (c *cycles) slide(d *Document, morph float64) {
	c.morph = morph
	c.at.Changed()
}

// shown is the parameterization in the picture, the nearer end of a morph; nil without one.
func (c *cycles) shown() *topology.Parameterization {
	c.at.Read()
	if c.count() == 0 {
		return nil
	}
	if c.morph < 0.5 {
		return &c.found.Parameterizations[c.from]
	}
	return &c.found.Parameterizations[c.to]
}

// caption says what is drawn: first of which references, since a narrow pane cuts the rest.
func (c *cycles) caption() string {
	var said []string
	if c.found != nil {
		q := c.found.Request
		if q.Count < int(c.rec.Len()) {
			said = append(said, spanned(q.From, q.From+traceio.Seq(q.Count)))
		}
		if c.found.Used < q.Count {
			said = append(said, fmt.Sprintf("%d of %d references used", c.found.Used, q.Count))
		}
		if c.found.Stage != topology.Full {
			said = append(said, c.found.Stage.String())
		}
	}
	if c.asking {
		said = append(said, "computing …")
	}
	if c.found != nil {
		q := c.found.Request
		if p := c.shown(); p != nil {
			said = append(said, fmt.Sprintf("#%d of %d", p.Rank, c.count()), "persistence "+persistence(p))
		}
		said = append(said, fmt.Sprintf("window %d", c.found.Window), q.Alphabet.String())
		if q.Options.Eps > 0 {
			said = append(said, fmt.Sprintf("scales up to %g", q.Options.Eps))
		}
	}
	return strings.Join(said, " · ")
}

func persistence(p *topology.Parameterization) string {
	if p.Infinite {
		return "without end"
	}
	return fmt.Sprintf("%g", p.Death-p.Birth)
}

// explain says in words what the cycle in the picture is.
func (c *cycles) explain(d *Document) explain.Section {
	p := c.shown()
	if p == nil {
		return explain.Section{}
	}
	s := explain.Section{Title: fmt.Sprintf("Cycle #%d", p.Rank)}
	for i := range c.found.Parameterizations {
		if &c.found.Parameterizations[i] == p {
			s.Lines = c.rec.Words(c.found, i, d.served(c.found), d.hierarchy)
		}
	}
	s.Lines = append(s.Lines, fmt.Sprintf("born at scale %g, persistence %s, angles at scale %g", p.Birth,
		persistence(p), p.Scale))
	s.Lines = append(s.Lines, c.found.Notes...)
	return s
}

// spanned names a part of the run.
func spanned(from, to traceio.Seq) string {
	return "references " + words.Count(from) + " to " + words.Count(to)
}
