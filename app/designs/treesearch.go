package designs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"orrery/analysis/dse"
	"orrery/analysis/dse/search"
	"orrery/app/jobs"
	"orrery/app/output"
	"orrery/app/shell"
	"orrery/views/words"
)

// Wanted are the numbers of a search as the user asks for them.
type Wanted struct {
	Generations, Population int
	Seed                    uint64
	Area                    float64 // mm², 0 for any
	MemoryTime              float64 // ns
	MemoryEnergy            float64 // nJ
}

// maxGenerations bounds what is asked for by mistake.
const maxGenerations = 10_000

// Prepare is called on the interface's goroutine when a search begins; what it returns makes the problem, in a job.
type Prepare func(w Wanted) func(ctx context.Context) (search.Problem, error)

// hunt is a search whose designs the explorer shows while it runs (D16). It stands between generations while it is
// paused, and its state can be kept in a file.
//
//	none --start--> running --pause--> paused --resume--> running --> done --start with more--> running
type hunt struct {
	e       *Explorer
	prepare Prepare
	why     func() string // why there can be no search now; "" when there can be
	want    Wanted

	running bool
	done    int    // generations
	problem string // why it ended
	kept    []byte // a state that was read and goes on when it runs
	from    string // the file of that

	work *worked
}

// worked is what the jobs of one search share. A job that was cancelled may still be at work on it when the next
// begins.
type worked struct {
	busy   sync.Mutex
	search *search.Search
}

func newHunt(e *Explorer, prepare Prepare, why func() string, want Wanted) *hunt {
	return &hunt{e: e, prepare: prepare, why: why, want: want}
}

// start begins a new search.
func (h *hunt) start(w Wanted) {
	h.want, h.done, h.problem, h.work, h.kept = w, 0, "", &worked{}, nil
	h.e.forget()
	h.run()
}

// resume goes on with a search that is paused, or that shall do more generations.
func (h *hunt) resume() {
	switch {
	case h.running:
		return
	case h.work == nil:
		h.start(h.want)
		return
	}
	if h.done >= h.want.Generations {
		h.want.Generations += 50
	}
	h.run()
}

// pause stops between two generations.
func (h *hunt) pause() {
	if h.running {
		h.running = false
		h.e.host.Engine.Cancel(h.e.key("search"))
		h.e.changed()
	}
}

// often is how long a picture of a search that runs stays at least.
const often = 250 * time.Millisecond

// run does generations in a job until so many are done.
func (h *hunt) run() {
	h.running, h.problem = true, ""
	w, want, kept, from := h.work, h.want, h.kept, h.from
	problem := h.prepare(want)
	var shown time.Time
	jobs.Start(h.e.host.Engine, h.e.key("search"), "searching cache hierarchies",
		func(ctx context.Context, report func(done, total int64)) (*dse.Space, error) {
			w.busy.Lock()
			defer w.busy.Unlock()
			if w.search == nil {
				p, err := problem(ctx)
				if err != nil {
					return nil, err
				}
				if kept != nil {
					w.search, err = search.Load(p, from, kept)
				} else {
					o := search.DefaultOptions(p)
					o.Population, o.Seed = want.Population, want.Seed
					w.search, err = search.New(p, o)
				}
				if err != nil {
					return nil, err
				}
			}
			err := w.search.Run(ctx, want.Generations, func(g *search.Generation) error {
				if time.Since(shown) < often {
					return nil
				}
				shown = time.Now()
				space, err := spaceOf(ctx, w.search)
				if err == nil {
					h.show(w, space, w.search.Generations())
				}
				return err
			}, report)
			if err != nil {
				return nil, err
			}
			return spaceOf(ctx, w.search)
		}, func(s *dse.Space, err error) {
			if h.work != w {
				return
			}
			h.running = false
			if err != nil && !errors.Is(err, context.Canceled) {
				h.problem = words.Sentence(err.Error())
				h.e.empty = h.problem
				h.e.changed()
				return
			}
			h.take(s, want.Generations)
		})
	h.e.host.Engine.Unit(h.e.key("search"), "generations")
	h.e.empty = "The first generation is being simulated …"
	h.e.changed()
}

// spaceOf compares all designs that a search has met.
func spaceOf(ctx context.Context, s *search.Search) (*dse.Space, error) {
	set, err := s.Set()
	if err != nil {
		return nil, err
	}
	return dse.New(ctx, set)
}

// show brings the designs met so far to the interface's goroutine. Of those that queue up there only the last counts.
func (h *hunt) show(w *worked, s *dse.Space, done int) {
	jobs.StartNow(h.e.host.Engine, h.e.key("growth"), "drawing the designs met so far",
		func(context.Context, func(done, total int64)) (*dse.Space, error) {
			return s, nil
		}, func(s *dse.Space, _ error) {
			if h.work == w && done > h.done {
				h.take(s, done)
			}
		})
}

func (h *hunt) take(s *dse.Space, done int) {
	h.done = done
	h.e.Take(s)
	if v := h.e.treeView; v != nil && h.e.tree != nil {
		v.pulse(h.e.tree.Fresh(int32(done) - 1))
	}
	h.e.host.Log("search", "generation", done, "designs", s.N)
	h.e.changed()
}

// word is the state of the search in a few words.
func (h *hunt) word() string {
	switch {
	case h.work == nil:
		return "search …"
	case h.running:
		return fmt.Sprintf("searching, generation %d of %d", h.done, h.want.Generations)
	case h.problem != "":
		return "search failed"
	case h.done < h.want.Generations:
		return fmt.Sprintf("paused at generation %d of %d", h.done, h.want.Generations)
	}
	return fmt.Sprintf("searched %d generations", h.done)
}

// save keeps the search's state in a file, at the last generation that is done.
func (h *hunt) save() {
	if h.work == nil || h.e.host.SaveFile == nil {
		return
	}
	h.pause()
	w := h.work
	h.e.host.SaveFile("search.json", func(path string) {
		jobs.Start(h.e.host.Engine, h.e.key("save"), "keeping the search",
			func(context.Context, func(done, total int64)) (struct{}, error) {
				w.busy.Lock()
				defer w.busy.Unlock()
				if w.search == nil {
					return struct{}{}, errors.New("the search has not begun; start it first")
				}
				var data bytes.Buffer
				if err := w.search.Save(&data); err != nil {
					return struct{}{}, err
				}
				return struct{}{}, output.Write(path, data.Bytes())
			}, func(_ struct{}, err error) {
				if err != nil {
					h.e.host.Failed(err.Error())
					return
				}
				h.e.host.Notice("The search was kept in " + path + ".")
			})
	})
}

// maxState bounds a file of a search.
const maxState = 256 << 20

// load goes on with a search from a file.
func (h *hunt) load() {
	if h.e.host.OpenFile == nil {
		return
	}
	h.e.host.OpenFile(func(path string) {
		h.e.host.Read(path, maxState, func(data []byte, err error) {
			if err != nil {
				h.e.host.Failed(err.Error())
				return
			}
			h.pause()
			h.done, h.work, h.kept, h.from = 0, &worked{}, data, path
			h.e.forget()
			h.run()
		})
	})
}

// forget drops the space that is explored.
func (e *Explorer) forget() {
	e.space, e.then, e.tree, e.columns, e.shade, e.filter, e.passing = nil, nil, nil, nil, nil, nil, nil
	e.host.Engine.Cancel(e.key("layout"))
	e.host.Engine.Cancel(e.key("tree"))
}

// commands are those of the search.
func (h *hunt) commands() []shell.Command {
	can := func() bool { return h.why() == "" }
	return []shell.Command{
		{ID: "search.new", Title: "Search cache hierarchies…", Menu: "Analyse", Keys: "Ctrl+Shift+N",
			Run: h.ask, Enabled: can},
		{ID: "search.pause", Title: "Pause or resume the search", Menu: "Analyse", Run: h.toggle, Enabled: func() bool {
			return h.work != nil && can()
		}},
		{ID: "search.save", Title: "Keep the search in a file…", Menu: "File", Run: h.save, Enabled: func() bool {
			return h.work != nil
		}},
		{ID: "search.load", Title: "Resume a search from a file…", Menu: "File", Run: h.load, Enabled: can},
	}
}

func (h *hunt) toggle() {
	if h.running {
		h.pause()
	} else {
		h.resume()
	}
}
