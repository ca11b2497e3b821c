package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/topology"
	"orrery/app/session"
)

// overviewFlags are the options of `cycles --overview`.
type overviewFlags struct {
	on              bool
	phases, stretch int
}

func (o *overviewFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&o.on, "overview", false, "find the phases of a recording of any length")
	c.Flags().IntVar(&o.phases, "phases", topology.DefaultPhases,
		"with --overview, about how many phases to tell apart at most")
	c.Flags().IntVar(&o.stretch, "stretch", topology.DefaultStretch,
		"with --overview, references in the window that is analysed for a phase")
}

// overviewJSON is the object that `cycles --overview --json` prints.
type overviewJSON struct {
	Records uint64      `json:"records"`
	From    uint64      `json:"from"`
	To      uint64      `json:"to"`
	Kinds   int         `json:"kinds"`
	Phases  []phaseJSON `json:"phases"`
	Rounds  []roundJSON `json:"rounds"`
}

// roundJSON says that the phases from First on repeat: Period of them, Times times. Phases count from 1.
type roundJSON struct {
	First  int `json:"first"`
	Period int `json:"period"`
	Times  int `json:"times"`
}

type phaseJSON struct {
	From     uint64           `json:"from"`
	To       uint64           `json:"to"`
	Kind     int              `json:"kind"` // from 1
	Window   [2]uint64        `json:"window"`
	Lines    []shareJSON      `json:"lines"`
	Alphabet string           `json:"alphabet,omitempty"`
	Stage    string           `json:"stage,omitempty"`
	Cycles   []phaseCycleJSON `json:"cycles"`
	Note     string           `json:"note,omitempty"`

	options string // beside the range, those with which cycles finds the same
}

type phaseCycleJSON struct {
	Rank    int      `json:"rank"`
	Birth   float64  `json:"birth"`
	Death   *float64 `json:"death"`
	Window  float64  `json:"turns_in_window"` // of the window that was analysed, which is that of the kind's longest phase
	Turns   float64  `json:"turns"`           // in the phase
	Counted string   `json:"counted_at,omitempty"`
	// why turns are not certain where nothing counts them: "to and fro", "uncertain"
	Doubt string `json:"doubt,omitempty"`
}

// run prints the phases of a recording.
func (o *overviewFlags) run(c *cobra.Command, s Streams, path string, f *cyclesFlags, asJSON bool) error {
	request, err := f.request()
	if err != nil {
		return err
	}
	if o.phases < 1 || o.stretch < 1 {
		return usagef("--phases and --stretch must be positive")
	}
	opt := topology.OverviewOptions{From: request.From, Count: request.Count, Phases: o.phases, Window: o.stretch,
		Analysis: request.Options}
	if c.Flags().Changed("alphabet") {
		opt.Alphabets = []topology.Alphabet{request.Alphabet}
	}
	return withRecording(c.Context(), s, path, "finding phases", func(rec *loaded, p *progress) error {
		over, err := rec.Overlook(c.Context(), opt, p.Report)
		if err != nil {
			return cyclesError(path, err)
		}
		p.Done()
		out := overviewObject(over, rec.Recording)
		if asJSON {
			return printJSON(s.Out, path, out)
		}
		return printOverview(s.Out, out)
	})
}

func overviewObject(over *topology.Overview, rec *session.Recording) *overviewJSON {
	out := &overviewJSON{Records: uint64(rec.Len()), From: uint64(over.From), To: uint64(over.To), Kinds: len(over.Kinds),
		Rounds: []roundJSON{}}
	for _, r := range over.Rounds() {
		out.Rounds = append(out.Rounds, roundJSON{r.First + 1, r.Period, r.Times})
	}
	for _, p := range over.Phases {
		k := over.Kinds[p.Kind]
		q := phaseJSON{From: uint64(p.From), To: uint64(p.To), Kind: p.Kind + 1, Window: [2]uint64{uint64(p.WindowFrom),
			uint64(p.WindowTo)},
			Lines: phaseLines(p, rec), Cycles: []phaseCycleJSON{}}
		switch {
		case k.Err != nil:
			q.Note = k.Err.Error()
		case k.Result.Problem != nil:
			q.Note = k.Result.Problem.Error()
		default:
			q.Note = strings.Join(k.Result.Notes, "; ")
		}
		if k.Result != nil {
			q.Alphabet, q.Stage = k.Alphabet.String(), k.Result.Stage.String()
			q.options = enterOptions(k.Result.Stage.As(k.Alphabet))
			for i, x := range k.Result.Parameterizations {
				if !session.Recurs(&x) {
					continue
				}
				t := p.Turns[i]
				cycle := phaseCycleJSON{Rank: x.Rank, Birth: x.Birth, Death: finite(x.Death), Window: x.Turns, Turns: t.Turns}
				switch {
				case t.Exact:
					cycle.Counted = rec.CodeName(t.Marker)
				case x.Uncertain():
					cycle.Doubt = "uncertain"
				case x.ToAndFro():
					cycle.Doubt = "to and fro"
				}
				q.Cycles = append(q.Cycles, cycle)
			}
		}
		if busiest, times := rec.Busiest(&p); len(q.Cycles) == 0 && times >= fewestTimes {
			q.Note = strings.TrimPrefix(q.Note+"; ", "; ") + fmt.Sprintf("its busiest instruction runs %d times, at %s", times,
				busiest)
		}
		out.Phases = append(out.Phases, q)
	}
	return out
}

// enterOptions are the options of cycles for an alphabet and a largest scale, where they are not what it begins with.
func enterOptions(alphabet topology.Alphabet, eps float64) (options string) {
	if alphabet != (topology.Alphabet{}) {
		options = " --alphabet " + alphabet.String()
	}
	if eps > 0 {
		options += fmt.Sprintf(" --eps %g", eps)
	}
	return options
}

// fewestTimes is how often something runs at least that counts as a loop.
const fewestTimes = 10

// phaseLines are the source lines that a phase is busiest with.
func phaseLines(p topology.Phase, rec *session.Recording) []shareJSON {
	out := []shareJSON{}
	for _, l := range rec.PhaseLines(&p) {
		out = append(out, shareJSON{File: l.File, Line: l.Line.Line, Share: l.Share})
	}
	return out
}

func printOverview(w io.Writer, o *overviewJSON) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d of %d references, %s\n", o.To-o.From, o.Records, count(len(o.Phases), "phase")+" of "+
		count(o.Kinds, "kind"))
	rounds := o.Rounds
	for i := 0; i < len(o.Phases); i++ {
		p := o.Phases[i]
		fmt.Fprintf(&b, "phase %d  references %d to %d (%.1f %%), kind %d", i+1, p.From, p.To,
			100*float64(p.To-p.From)/float64(o.To-o.From), p.Kind)
		for j, l := range p.Lines {
			if j == 3 {
				break
			}
			fmt.Fprintf(&b, ", %s:%d %.0f %%", l.File, l.Line, 100*l.Share)
		}
		fmt.Fprintf(&b, "\n  enter   --from %d --count %d%s\n", p.Window[0], p.Window[1]-p.Window[0], p.options)
		for _, c := range p.Cycles {
			fmt.Fprintf(&b, "  rank %d  %s\n", c.Rank, c.text())
		}
		if p.Note != "" {
			fmt.Fprintf(&b, "  %s\n", p.Note)
		}
		if len(rounds) > 0 && i+2 == rounds[0].First+rounds[0].Period {
			r := rounds[0]
			last := r.First + r.Period*r.Times - 1
			fmt.Fprintf(&b, "phases %d to %d: the same %d once more, %d times over, up to reference %d\n", i+2, last, r.Period,
				r.Times-1, o.Phases[last-1].To)
			i, rounds = last-1, rounds[1:]
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c phaseCycleJSON) text() string {
	death := "longer"
	if c.Death != nil {
		death = fmt.Sprintf("%.4g", *c.Death)
	}
	text := fmt.Sprintf("[%.4g, %s)  %.1f turns in the window, ", c.Birth, death, c.Window)
	if c.Counted != "" {
		return text + fmt.Sprintf("%.0f in the phase, counted at %s", c.Turns, c.Counted)
	}
	if c.Doubt != "" {
		return text + c.Doubt
	}
	return text + fmt.Sprintf("about %.0f in the phase", c.Turns)
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n, " ", strings.TrimSuffix(noun, "s"), "s")
}
