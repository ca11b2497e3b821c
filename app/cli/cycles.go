package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/topology"
	"orrery/app/output"
	"orrery/app/session"
	"orrery/traceio"
)

// cyclesFlags are the options that `cycles` and `render cycles` share.
type cyclesFlags struct {
	window, count, every, prime, top int
	landmarks                        int
	from, to                         uint64
	eps, scale, memory               float64
	alphabet, weights                string
	thin                             []int
	keep                             int
}

func (f *cyclesFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.window, "window", topology.DefaultWindow, "references in a window, 2 to 64")
	flags.Uint64Var(&f.from, "from", 0, "first data reference")
	flags.Uint64Var(&f.to, "to", 0, "data reference to stop in front of (default: the end)")
	flags.IntVar(&f.count, "count", 0, "number of data references, in place of --to")
	flags.IntVar(&f.every, "every", 1, "use every k-th reference")
	flags.StringVar(&f.alphabet, "alphabet", "address",
		"what makes references equal: address, access, block:64, line or pc")
	flags.Float64Var(&f.eps, "eps", 0, "largest scale of the complex (default: the window)")
	flags.IntVar(&f.prime, "prime", topology.DefaultPrime, "the field of coefficients, an odd prime")
	flags.IntVar(&f.landmarks, "landmarks", 0,
		"analyse so many points that cover all others, for long ranges: approximate (default: all, exact)")
	flags.Float64Var(&f.scale, "life", 0, "where between the birth (-1) and the death (1) of a class its angles are "+
		"computed (default: birth; 0.3 for points)")
	flags.StringVar(&f.weights, "weights", "auto", "of the edges in the smoothing: auto, equal, degree, times or both")
	flags.IntSliceVar(&f.thin, "thin", nil, "analyse again what is left when the runs of these ranks are thinned")
	flags.IntVar(&f.keep, "keep", 4, "with --thin, keep every k-th of their turns")
	flags.Float64Var(&f.memory, "memory", float64(topology.DefaultMemory)/(1<<30),
		"GiB of memory that the analysis may use")
	flags.IntVar(&f.top, "top", topology.DefaultTop, "how many parameterizations to compute")
}

func (f *cyclesFlags) options() topology.Options {
	weights, _ := topology.ParseWeights(f.weights) // check has seen it
	o := topology.Options{Window: f.window, Eps: f.eps, Prime: f.prime, Top: f.top, Landmarks: f.landmarks,
		Scale: f.scale, Weights: weights,
		Memory: int64(f.memory * (1 << 30))}
	if o.Top == 0 {
		o.Top = -1
	}
	return o
}

// check refuses numbers that the analysis would take for "the default".
func (f *cyclesFlags) check() error {
	switch {
	case f.window < topology.MinWindow || f.window > topology.MaxWindow:
		return usagef("--window %d is not between %d and %d", f.window, topology.MinWindow, topology.MaxWindow)
	case f.prime < 3:
		return usagef("--prime %d is not an odd prime; %d is a good one", f.prime, topology.DefaultPrime)
	case f.landmarks < 0 || f.top < 0:
		return usagef("--landmarks and --top cannot be negative")
	case !(f.memory >= 0.001 && f.memory <= 1<<20):
		return usagef("--memory %g is no amount of memory in GiB; the default is %d", f.memory, topology.DefaultMemory>>30)
	case f.keep < 2:
		return usagef("--keep %d thins nothing; keep every 2nd turn or fewer", f.keep)
	}
	for _, rank := range f.thin {
		if rank < 1 || rank > 64 {
			return usagef("--thin %d is no rank; the first is 1", rank)
		}
	}
	if _, err := topology.ParseWeights(f.weights); err != nil {
		return usageError{err}
	}
	return nil
}

// cyclesError names the input, unless it is the options that are wrong.
func cyclesError(path string, err error) error {
	var usage usageError
	var of *topology.Error
	switch {
	case errors.As(err, &usage):
		return err
	case errors.As(err, &of) && of.Reason == topology.BadOption:
		return usageError{err}
	}
	return fmt.Errorf("%s: %w", path, err)
}

func (f *cyclesFlags) request() (session.CyclesRequest, error) {
	alphabet, err := topology.ParseAlphabet(f.alphabet)
	if err != nil {
		return session.CyclesRequest{}, usageError{err}
	}
	if err := f.check(); err != nil {
		return session.CyclesRequest{}, err
	}
	if f.count < 0 || f.every < 1 {
		return session.CyclesRequest{}, usagef("--count and --every must be positive")
	}
	count := f.count
	if f.to > 0 {
		if f.count > 0 {
			return session.CyclesRequest{}, usagef("give --to or --count, not both")
		}
		if f.to <= f.from {
			return session.CyclesRequest{}, usagef("--to %d is not behind --from %d", f.to, f.from)
		}
		count = int(min(f.to-f.from, math.MaxInt))
	}
	q := session.CyclesRequest{From: traceio.Seq(f.from), Count: count, Every: f.every, Alphabet: alphabet,
		Options: f.options(), Thin: f.keep}
	for _, rank := range f.thin {
		q.Accepted[0] |= 1 << (rank - 1)
	}
	return q, nil
}

// cyclesJSON is the object that `cycles --json` prints.
type cyclesJSON struct {
	Records           int                    `json:"records"`
	Used              int                    `json:"used"`
	Window            int                    `json:"window"`
	Points            int                    `json:"points"`
	Eps               float64                `json:"eps"`
	Prime             int                    `json:"prime"`
	Stage             string                 `json:"stage"`
	Weights           string                 `json:"weights"`
	Approximate       bool                   `json:"approximate"`
	Radius            float64                `json:"radius"`
	Barcode           [][2]*float64          `json:"barcode"`
	Parameterizations []parameterizationJSON `json:"parameterizations"`
	Notes             []string               `json:"notes,omitempty"`
}

type parameterizationJSON struct {
	Rank        int      `json:"rank"`
	Birth       float64  `json:"birth"`
	Death       *float64 `json:"death"`
	Turns       float64  `json:"turns"`
	Scale       float64  `json:"scale"`
	Prime       int      `json:"prime"`
	Winding     float64  `json:"winding"`
	Travel      float64  `json:"travel"`
	Score       float64  `json:"score"`
	Members     int      `json:"members"`
	Preamble    int      `json:"preamble"`
	Postamble   int      `json:"postamble"`
	DuplicateOf int      `json:"duplicate_of,omitempty"`
	// so many steps are half a turn or longer that turns may be off by more than a tenth
	Uncertain bool        `json:"uncertain,omitempty"`
	Lines     []shareJSON `json:"lines"`

	words string // for people: see session.TurnWords
}

type shareJSON struct {
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Share float64 `json:"share"`
}

func cyclesCommand(s Streams) *cobra.Command {
	var f cyclesFlags
	var cache cacheFlags
	var over overviewFlags
	var asJSON, explain bool
	var matrix, points, coordinates string
	c := &cobra.Command{
		Use:   "cycles FILE",
		Short: "find recurrent behaviour by topology",
		Long: `Cycles finds the recurrences in a stretch of the recording: windows of references are points, their edit distance a metric,
and every class of persistent cohomology in degree 1 is a recurrence with a number of turns.

With --overview it finds the phases of a recording of any length instead: stretches in which the same instructions run, a window of
each to enter (with the options that are printed), and how often the behaviours of that window recur in the whole phase.`,
		Example: `  orrery cycles testdata/recordings/bubble-vector-shuffled.orr
  orrery cycles testdata/recordings/matmul-standard.orr --count 2000 --explain --preset tiny
  orrery cycles testdata/recordings/matmul-standard.orr --from 20000 --count 1000 --alphabet block:64 --json
  orrery cycles testdata/recordings/list.orr --overview
  awk 'BEGIN { for (i = 0; i < 60; i++) print cos(i / 9.55), sin(i / 9.55) }' | orrery cycles --points /dev/stdin`,
		Args: func(c *cobra.Command, args []string) error {
			if matrix != "" || points != "" {
				if len(args) > 0 || matrix != "" && points != "" {
					return usagef("give one input: a recording, --matrix or --points")
				}
				if over.on || len(f.thin) > 0 {
					return usagef("--overview and --thin are for recordings")
				}
				return nil
			}
			return oneFile(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			table := matrix != "" || points != ""
			if err := refuse(c.Flags(),
				applies{over.on, "phases stretch", "with --overview"},
				applies{!over.on, "every thin landmarks life weights top coordinates explain",
					"without --overview, which looks at every reference and at no single cycle"},
				applies{!table, "from to count every window alphabet thin explain", "to a recording, not to --matrix and --points"},
				applies{len(f.thin) > 0, "keep", "with --thin"},
				applies{explain, "config preset cores", "with --explain"},
				applies{!asJSON, "explain", "without --json, which has no sentences"}); err != nil {
				return err
			}
			if over.on {
				return over.run(c, s, args[0], &f, asJSON)
			}
			tell := func(records int, cycles *session.Cycles, rec *session.Recording) error {
				if coordinates != "" {
					if err := writeCoordinates(coordinates, cycles); err != nil {
						return err
					}
				}
				if explain && rec != nil && !asJSON {
					return explainCycles(c.Context(), s.Out, cycles, rec, &cache)
				}
				out := cyclesObject(records, cycles, rec)
				if asJSON {
					return printJSON(s.Out, strings.Join(args, "")+matrix+points, out)
				}
				return printCycles(s.Out, out, cycles.Problem)
			}
			if table {
				if err := f.check(); err != nil {
					return err
				}
				return tableCycles(c.Context(), s, matrix, points, f.options(), tell)
			}
			return recordingCycles(c.Context(), s, args[0], &f, tell)
		},
	}
	f.add(c)
	cache.add(c)
	over.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&explain, "explain", false,
		"say in words what each cycle is, with its misses in the simulated caches")
	c.Flags().StringVar(&matrix, "matrix", "",
		"analyse this lower distance matrix (comma separated) instead of a recording")
	c.Flags().StringVar(&points, "points", "", "analyse these coordinates (a point a line) instead of a recording")
	c.Flags().StringVar(&coordinates, "coordinates", "",
		"write the angle of every point in every parameterization to this CSV file")
	return c
}

// recordingCycles analyses a stretch of a recording.
func recordingCycles(ctx context.Context, s Streams, path string, f *cyclesFlags, tell func(int, *session.Cycles,
	*session.Recording) error) error {
	request, err := f.request()
	if err != nil {
		return err
	}
	return withRecording(ctx, s, path, "finding cycles", func(rec *loaded, p *progress) error {
		if err := rec.needsReferences(); err != nil {
			return err
		}
		cycles, err := rec.FindCycles(ctx, request, p.Report)
		if err != nil {
			return cyclesError(path, err)
		}
		p.Done()
		return tell(int(rec.Len()), cycles, rec.Recording)
	})
}

func cyclesObject(records int, c *session.Cycles, rec *session.Recording) *cyclesJSON {
	out := &cyclesJSON{Records: records, Used: c.Used, Window: c.Window, Points: c.Points, Eps: c.Eps, Prime: c.Prime,
		Stage: c.Stage.String(), Weights: c.Weights.String(),
		Approximate: c.Approximate, Radius: c.Cover, Barcode: [][2]*float64{}, Parameterizations: []parameterizationJSON{},
		Notes: c.Notes}
	if math.IsInf(c.Eps, 1) {
		out.Eps = float64(c.Window)
		if rec == nil {
			out.Eps = c.Radius
		}
	}
	if c.Problem != nil {
		out.Notes = append(out.Notes, c.Problem.Error())
	}
	for _, b := range c.Barcode {
		out.Barcode = append(out.Barcode, [2]*float64{&b.Birth, finite(b.Death)})
	}
	for i := range c.Parameterizations {
		p := &c.Parameterizations[i]
		q := parameterizationJSON{Rank: p.Rank, Birth: p.Birth, Death: finite(p.Death), Turns: p.Turns, Scale: p.Scale,
			Prime: p.Prime, Winding: p.Winding, Travel: p.Travel, Score: p.Score,
			Members: p.Count, Preamble: p.Preamble, Postamble: p.Postamble, DuplicateOf: p.DuplicateOf,
			Uncertain: p.Turns >= 1 && p.Uncertain(), Lines: []shareJSON{}, words: c.TurnWords(p)}
		if rec != nil {
			for _, l := range c.LineShares(p, rec.Lines) {
				if l.Line.Line > 0 {
					q.Lines = append(q.Lines, shareJSON{l.File, l.Line.Line, l.Share})
				}
			}
		}
		out.Parameterizations = append(out.Parameterizations, q)
	}
	return out
}

// finite is the number as JSON has it: null for infinity.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func printCycles(w io.Writer, c *cyclesJSON, problem *topology.Error) error {
	var b bytes.Buffer
	if c.Window == 1 { // a table
		fmt.Fprintf(&b, "%d points, %d classes\n", c.Used, len(c.Barcode))
	} else {
		fmt.Fprintf(&b, "%d of %d references, %d distinct windows of %d, %d classes\n", c.Used, c.Records, c.Points,
			c.Window, len(c.Barcode))
	}
	if c.Approximate {
		what := "window"
		if c.Window == 1 {
			what = "point"
		}
		fmt.Fprintf(&b, "approximate: every %s is within distance %.4g of one that was analysed\n", what, c.Radius)
	}
	for _, p := range c.Parameterizations {
		death := "inf"
		if p.Death != nil {
			death = strconv.FormatFloat(*p.Death, 'g', 4, 64)
		}
		fmt.Fprintf(&b, "rank %d  [%.4g, %s)  %s", p.Rank, p.Birth, death, p.words)
		for i, l := range p.Lines {
			if i == 3 {
				break
			}
			fmt.Fprintf(&b, ", %s:%d %.0f %%", l.File, l.Line, 100*l.Share)
		}
		if p.DuplicateOf > 0 {
			fmt.Fprintf(&b, ", the same motion as rank %d", p.DuplicateOf)
		}
		b.WriteByte('\n')
	}
	if problem != nil && len(c.Notes) == 0 {
		fmt.Fprintln(&b, problem.Error())
	}
	for _, n := range c.Notes {
		fmt.Fprintln(&b, n)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeCoordinates writes time, reference and one angle (radians) for each parameterization; empty off the class.
func writeCoordinates(path string, c *session.Cycles) error {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	header := []string{"time", "reference"}
	for _, p := range c.Parameterizations {
		header = append(header, fmt.Sprintf("theta_%d", p.Rank))
	}
	w.Write(header)
	for t := range c.Times {
		row := []string{strconv.Itoa(t), ""}
		if c.Seqs != nil {
			row[1] = strconv.FormatUint(uint64(c.Seqs[t]), 10)
		}
		for _, p := range c.Parameterizations {
			text := ""
			if v := float64(p.Theta[t]); !math.IsNaN(v) {
				text = strconv.FormatFloat(v, 'g', 7, 64)
			}
			row = append(row, text)
		}
		w.Write(row)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return output.Write(path, buf.Bytes())
}
