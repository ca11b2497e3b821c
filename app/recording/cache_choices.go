package recording

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	"orrery/app/jobs"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/cachesim/simulator"
	"orrery/views/link"
)

// cacheChoices are what the user chose in the cache pane. Each change is an undoable step; maps and slices are
// replaced, never changed.
type cacheChoices struct {
	tail    int // references that leave pathlines
	mean    int // references that temperatures are means over
	weights []simulator.Weight
	hidden  map[int]bool // regions
	filter  session.CacheFilter
	grain   session.Grain
	core    int // 0 is the one that makes the reference, k the one with number k-1
	against against
}

// firstChoices are the settings that a document opens with.
func firstChoices() cacheChoices { return cacheChoices{tail: 16, mean: 100} }

// The values that the pane offers.
var (
	tails = []int{0, 1, 4, 16, 64, 256, 1024}
	means = []int{10, 20, 50, 100, 200, 500, 1000}
)

// choose makes an undoable step; name says what it changes.
func (v *cacheView) choose(name string, change func(c *cacheChoices)) {
	next := v.shown
	change(&next)
	link.Choose(v.d.link, name, &v.shown, next, v.chosen)
}

// chosen follows from a choice, made, undone or redone.
func (v *cacheView) chosen() {
	v.regrain()
	if v.shown.against.nothing() {
		v.baselines.Forget()
	}
	v.Redraw()
}

// step is the value after or before now in a list, which stays at its ends.
func step(list []int, now int, up bool) int {
	best := now
	for i := range list {
		if up && list[i] > now {
			return list[i]
		}
		if !up && list[i] < now {
			best = list[i]
		}
	}
	return best
}

// around is step that goes on with the first after the last.
func around(list []int, now int) int {
	if next := step(list, now, true); next != now {
		return next
	}
	return list[0]
}

func (v *cacheView) setTail(n int) {
	if n != v.shown.tail {
		v.choose("length of pathlines", func(c *cacheChoices) { c.tail = n })
	}
}

func (v *cacheView) setMean(n int) {
	if n != v.shown.mean {
		v.choose("span of the temperature", func(c *cacheChoices) { c.mean = n })
	}
}

func (v *cacheView) setGrain(g session.Grain) {
	if g != v.shown.grain {
		v.choose("what a glyph stands for", func(c *cacheChoices) { c.grain = g })
	}
}

// toggle hides regions, or shows them again when all are hidden.
func (v *cacheView) toggle(regions []int) {
	all := true
	for _, id := range regions {
		all = all && v.shown.hidden[id]
	}
	hidden := maps.Clone(v.shown.hidden)
	if hidden == nil {
		hidden = map[int]bool{}
	}
	for _, id := range regions {
		if hidden[id] = !all; all {
			delete(hidden, id)
		}
	}
	v.choose("regions shown", func(c *cacheChoices) { c.hidden = hidden })
}

// isolate hides all regions but some, or shows all again when that is so already.
func (v *cacheView) isolate(regions []int) {
	hidden := map[int]bool{}
	for id := range v.d.rec.Regions.Regions() {
		hidden[id] = true
	}
	stack, variables := v.d.rec.StackVariables()
	for _, id := range regions {
		delete(hidden, id)
		if id == stack {
			for _, id := range variables {
				delete(hidden, id)
			}
		}
	}
	if maps.Equal(hidden, v.shown.hidden) {
		hidden = nil
	}
	v.choose("regions shown", func(c *cacheChoices) { c.hidden = hidden })
}

// showAll takes filters and hidden regions back.
func (v *cacheView) showAll() {
	if len(v.shown.hidden) > 0 || !v.shown.filter.All() {
		v.choose("data shown", func(c *cacheChoices) { c.hidden, c.filter = nil, session.CacheFilter{} })
	}
}

// only shows what the filter chooses, or says why it cannot.
func (v *cacheView) only(f session.CacheFilter) {
	if err := v.d.rec.CheckFilter(f); err != nil {
		v.d.host.Failed(err.Error())
		return
	}
	v.choose("data shown", func(c *cacheChoices) { c.filter = f })
}

// scores are the weights that a click goes through.
var scores = []int{1, 2, 4, 8, 16}

// weights are those of the temperatures now, by level of the configuration.
func (v *cacheView) weights() []simulator.Weight {
	if config := v.d.caches().Config(); len(v.shown.weights) != len(config.Levels) {
		return simulator.DefaultWeights(config)
	}
	return v.shown.weights
}

// weigh gives the next weight to the misses of a level, or to its hits.
func (v *cacheView) weigh(level int, hits bool) {
	weights := append([]simulator.Weight(nil), v.weights()...)
	w := &weights[level]
	if hits {
		w.Hit = float64(around(scores, int(w.Hit)))
	} else {
		w.Miss = -float64(around(scores, int(-w.Miss)))
	}
	v.choose("weights of the temperature", func(c *cacheChoices) { c.weights = weights })
}

// masking is looking for the items that a filter leaves out.
type masking struct {
	caches *session.Caches
	filter *session.CacheFilter // one for each text, see cacheView.filters
}

// newMask are the items that a filter leaves out.
func newMask(d *Document, name string) *panes.Lazy[masking, []bool] {
	return panes.NewLazy(d.set, panes.Work[masking, []bool]{Name: name,
		Title: func(k masking) string { return "looking for " + k.filter.String() },
		Run: func(ctx context.Context, k masking, report func(done, total int64)) ([]bool, error) {
			hidden, err := k.caches.Of.FilterItems(ctx, k.caches.Items, *k.filter, report)
			if err != nil && ctx.Err() == nil { // another recording may not have the names
				return k.caches.Items.None(), nil
			}
			return hidden, err
		}})
}

// masking is what a mask of some caches depends on.
func (v *cacheView) masking(caches *session.Caches, f session.CacheFilter) masking {
	text := f.String()
	if v.filters[text] == nil {
		v.filters[text] = &f
	}
	return masking{caches, v.filters[text]}
}

// mask are the items of some caches that a filter leaves out; until they are known everything is shown.
func (v *cacheView) mask(l *panes.Lazy[masking, []bool], caches *session.Caches, f session.CacheFilter) []bool {
	if f.All() {
		return nil
	}
	hidden, _ := l.For(v.masking(caches, f))
	return hidden
}

// brush follows the selection: glyphs that a selected line, function or instructions never touch step back, and of a
// finding about data those of the line's other data, too. Of a long recording nobody waits for that.
func (v *cacheView) brush(t link.Thing) {
	f := session.CacheFilter{Lines: codePatterns(t)}
	if len(f.Lines) > 0 {
		f.Memory = v.d.noticed.data()
	}
	if v.d.rec.CheckFilter(f) != nil {
		f.Memory = nil // the finding names no region: all that the line uses
	}
	if v.d.rec.Len() > unasked || v.d.rec.CheckFilter(f) != nil { // or it makes no references
		f = session.CacheFilter{}
	}
	v.code = f
	v.Redraw()
}

// regrain makes the glyphs of the caches anew when another grain was chosen; the simulation stays.
func (v *cacheView) regrain() {
	g, caches := v.shown.grain, v.d.caches()
	v.d.grain = g
	if caches == nil || caches.Grain == g || v.d.simulated.Running() {
		return // as it should be, or the simulation that comes makes them so
	}
	config := caches.Config()
	jobs.Start(v.d.host.Engine, v.d.key("grain"), "dividing memory into glyphs",
		func(ctx context.Context, _ func(done, total int64)) (*session.Caches, error) {
			return caches.Divide(ctx, g)
		}, func(next *session.Caches, err error) {
			switch {
			case err != nil:
				v.d.host.Failed(err.Error())
			case v.d.caches() == caches && v.shown.grain == g:
				v.d.simulated.Put(simulation{caches.Of, &config, g}, next)
				v.chosen()
			}
		})
}

// glyph says what one stands for now.
func (v *cacheView) glyph() string {
	if v.d.caches() == nil {
		return session.GrainNames[v.shown.grain]
	}
	return strconv.FormatUint(v.d.caches().Items.Unit(), 10) + " B"
}

// shownWords says which data are shown.
func (v *cacheView) shownWords() string {
	switch n := len(v.shown.hidden); {
	case !v.shown.filter.All():
		return "only " + v.shown.filter.String()
	case n > 0:
		return fmt.Sprintf("%d hidden", n)
	}
	return "all data"
}
