package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/dse"
	"orrery/app/output"
	"orrery/app/session"
	"orrery/traceio/designs"
)

// designsFlags are the flags of the designs command.
type designsFlags struct {
	columns   columnFlags
	filters   []string
	show      string
	compare   []string
	threshold float64
	bins, top int
	csv       string
	describe  bool
	json      bool
}

// columnOptions are the options of columnFlags.
const columnOptions = "minimise maximise parameters architecture generation id population join roles"

// columnFlags say what columns mean.
type columnFlags struct {
	minimise, maximise, parameters, architecture []string
	generation, id                               string
	population                                   int
	roles, join                                  []string
}

const designsLong = `Designs tells what a table of evaluated design points says about its design space: the points that nobody dominates, those
that nobody dominates within their subspace (one combination of all parameters), how far each is from the front, how much
of objective space is dominated. CSV, TSV, JSON, the exports of jMetal, HiPlot and Optuna and Optuna's journal are read. What the columns mean is
guessed from their titles, units and values; FILE.json beside the table (see --describe) or the flags tell it.

Columns titled process:NAME and channel:FROM>TO, or given such a role, tell where processes and channels of an application run.

Rows without all of their objectives are rejected with their reason; the others load. Rows that repeat each other are points
of their own unless the table names individuals or generations.

Filters (--filter, all must hold): TIME <= 0.2, norm TIME = 0..0.2, distance > 0.1, generation <= 15, CORES = 2,4, CORES != 2,
together, apart or split and names of processes, on TYPE and names of processes. They hide points and change no front.

designs search FILE searches for cache hierarchies that suit a recording; designs mjpeg searches the
built-in example, and motion-jpeg in place of FILE is what that finds.`

func designsCommand(s Streams) *cobra.Command {
	var f designsFlags
	c := &cobra.Command{
		Use:   "designs FILE",
		Short: "tell fronts and subspaces of evaluated design points",
		Long:  designsLong,
		Example: "  orrery designs testdata/designs/slam.csv\n  orrery designs testdata/designs/slam.csv --minimise " +
			"time,error --parameters knob_mf,knob_sl --compare 1000/8 --compare 500/8\n" +
			"  orrery designs testdata/designs/slam.csv --filter 'norm time <= 0.2' --filter 'knob_mf >= 800' --show local " +
			"--json\n  orrery designs motion-jpeg --filter 'together V-Out VLE Control' --filter 'on ASIC-DCT DCT' --show local",
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			show, err := f.check()
			if err != nil {
				return err
			}
			if err := refuse(c.Flags(),
				applies{!f.describe, "filter show compare threshold bins top csv json",
					"without --describe, which prints what the columns are and no more"},
				applies{f.json && len(f.compare) > 0, "bins", "with --json and --compare, which have distributions"},
				applies{!f.json, "threshold top", "to the table that is printed without --json"},
				applies{!session.IsDesignExample(args[0]), columnOptions,
					"to a table in a file; the columns of the built-in example are known"}); err != nil {
				return err
			}
			return f.run(c.Context(), s, args[0], show)
		},
	}
	c.AddCommand(searchCommand(s), exampleCommand(s))
	f.columns.add(c)
	c.Flags().StringArrayVar(&f.filters, "filter", nil, "keep points for which this holds; may be repeated")
	c.Flags().StringVar(&f.show, "show", "all", "which of the passing points: all, local or global")
	c.Flags().StringArrayVar(&f.compare, "compare", nil,
		"compare subspaces, each as VALUE/VALUE/... of its first parameters; may be repeated")
	c.Flags().Float64Var(&f.threshold, "threshold", dse.DefaultThreshold,
		"distance from its parent beyond which a point is far")
	c.Flags().IntVar(&f.bins, "bins", 20, "bars of a frequency distribution")
	c.Flags().IntVar(&f.top, "top", 20, "rows of a table")
	c.Flags().StringVar(&f.csv, "csv", "",
		"write the passing points to this file, and their description to it with .json behind")
	c.Flags().BoolVar(&f.describe, "describe", false,
		"print what the columns are taken for, as the JSON that may stand beside the table")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return c
}

// exampleCommand is the search of the built-in example under a name of its own.
func exampleCommand(s Streams) *cobra.Command {
	c := searchCommand(s)
	c.Use, c.Short = "mjpeg", "search the Motion-JPEG case of the VMODEX paper, a reconstruction"
	c.Example = "  orrery designs mjpeg -o motion-jpeg.csv"
	if err := c.Flags().Set("example", "true"); err != nil {
		panic("the search has lost its example: " + err.Error())
	}
	for _, name := range []string{"example", "max-area", "memory-ns", "memory-nj"} { // of recordings
		c.Flags().Lookup(name).Hidden = true
	}
	return c
}

// add gives a command the flags.
func (f *columnFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.minimise, "minimise", nil, "columns that are objectives to be minimised")
	c.Flags().StringSliceVar(&f.maximise, "maximise", nil, "columns that are objectives to be maximised")
	c.Flags().StringSliceVar(&f.parameters, "parameters", nil, "columns that are parameters, in the order of their levels")
	c.Flags().StringSliceVar(&f.architecture, "architecture", nil, "objectives that depend on the parameters only")
	c.Flags().StringVar(&f.generation, "generation", "", "column of generation numbers")
	c.Flags().StringVar(&f.id, "id", "", "column of names")
	c.Flags().IntVar(&f.population, "population", 0, "rows a generation, where no column tells")
	c.Flags().StringArrayVar(&f.join, "join", nil, "a table whose rows go with those of FILE, row by row; may be repeated")
	c.Flags().StringSliceVar(&f.roles, "roles", nil, "COLUMN=ROLE with a role of "+roleNames())
}

func roleNames() string {
	var names []string
	for _, r := range designs.Roles() {
		names = append(names, r.String())
	}
	return strings.Join(names, ", ")
}

func (f *designsFlags) check() (dse.Show, error) {
	show := slices.Index([]string{"all", "local", "global"}, f.show)
	switch {
	case show < 0:
		return 0, usagef("--show is %q; it must be all, local or global", f.show)
	case f.top < 1:
		return 0, usagef("--top is %d; it must be at least 1", f.top)
	case f.bins < 1 || f.bins > 10000:
		return 0, usagef("--bins is %d; it must be from 1 to 10000", f.bins)
	case !(f.threshold >= 0):
		return 0, usagef("--threshold is %g; it must be 0 or more", f.threshold)
	case f.columns.population < 0:
		return 0, usagef("--population is %d; it must be 0 or more", f.columns.population)
	}
	return dse.Show(show), nil
}

// describe is the guess with what the flags tell. Where they name all objectives or parameters, others that were
// guessed are only shown on demand, or nothing when they are no numbers.
func (f *columnFlags) describe(t *designs.Table) (*designs.Description, error) {
	d := designs.Guess(t)
	demote := func(role designs.Role) {
		for i := range d.Columns {
			if r := &d.Columns[i]; r.Role == role {
				*r = designs.ColumnRole{Title: r.Title}
				if t.Column(r.Title).Numeric() {
					r.Role = designs.IsSecondary
				}
			}
		}
	}
	var list []designs.ColumnRole
	if len(f.minimise)+len(f.maximise) > 0 {
		demote(designs.IsObjective)
	}
	if len(f.parameters) > 0 {
		demote(designs.IsParameter)
	}
	if f.generation != "" {
		demote(designs.IsGeneration)
		list = append(list, designs.ColumnRole{Title: f.generation, Role: designs.IsGeneration})
	}
	if f.id != "" {
		demote(designs.IsID)
		list = append(list, designs.ColumnRole{Title: f.id, Role: designs.IsID})
	}
	for _, title := range f.parameters {
		list = append(list, designs.ColumnRole{Title: title, Role: designs.IsParameter})
	}
	for i, titles := range [][]string{f.minimise, f.maximise} {
		for _, title := range titles {
			list = append(list, designs.ColumnRole{Title: title, Role: designs.IsObjective, Maximise: i == 1})
		}
	}
	for _, pair := range f.roles {
		title, name, ok := strings.Cut(pair, "=")
		role, err := designs.ParseRole(name)
		if !ok || err != nil {
			return nil, usagef("--roles %q is not COLUMN=ROLE; the roles are %s", pair, roleNames())
		}
		list = append(list, designs.ColumnRole{Title: title, Role: role})
	}
	if f.population > 0 {
		d.Population = f.population
	}
	if err := d.Override(t, list); err != nil {
		return nil, usageError{err}
	}
	if len(f.parameters) > 0 && d.Feasible == nil {
		f.reorder(t, d)
	}
	return d, f.markArchitecture(t, d)
}

// reorder puts the columns of the named parameters in front, as they are named.
func (f *columnFlags) reorder(t *designs.Table, d *designs.Description) {
	rank := func(r designs.ColumnRole) int {
		for i, title := range f.parameters {
			if t.Column(title).Title == r.Title {
				return i
			}
		}
		return len(f.parameters)
	}
	slices.SortStableFunc(d.Columns, func(a, b designs.ColumnRole) int { return rank(a) - rank(b) })
}

func (f *columnFlags) markArchitecture(t *designs.Table, d *designs.Description) error {
	for _, title := range f.architecture {
		c := t.Column(title)
		if c == nil {
			return usagef("--architecture: there is no column %q", title)
		}
		r := d.Of(c.Title)
		if r == nil || r.Role != designs.IsObjective {
			return usagef("--architecture: %q is no objective", title)
		}
		r.Architecture = true
	}
	return nil
}

// loadSpace reads a table, or searches the built-in example, and analyses it. The description is nil for the example.
func (f *columnFlags) loadSpace(ctx context.Context, path string,
	p *progress) (*dse.Space, *designs.Description, error) {
	set, d, err := f.load(ctx, path, p)
	if err != nil {
		return nil, nil, err
	}
	space, err := dse.New(ctx, set)
	return space, d, err
}

func (f *columnFlags) load(ctx context.Context, path string, p *progress) (*designs.Set, *designs.Description, error) {
	if session.IsDesignExample(path) {
		set, err := session.ExploreExample(ctx, p.Report)
		return set, nil, err
	}
	t, err := designs.Open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range f.join {
		other, err := designs.Open(ctx, path)
		if err == nil {
			err = t.Join(other)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	d, err := f.describe(t)
	if err != nil {
		return nil, nil, err
	}
	set, err := t.Set(d)
	return set, d, err
}

func (f *designsFlags) run(ctx context.Context, s Streams, path string, show dse.Show) error {
	p := newProgress(s.Err, "reading designs")
	defer p.Done()
	space, description, err := f.columns.loadSpace(ctx, path, p)
	if err != nil {
		return err
	}
	p.Done()
	if f.describe {
		if description == nil { // nobody guessed what the example's columns are
			return space.WriteDescription(s.Out)
		}
		if err := writeDescription(s.Out, description); err != nil {
			return err
		}
		return tellRejected(s, path, space.Set)
	}
	a, err := f.answer(space, show)
	if err != nil {
		return err
	}
	if f.csv != "" {
		if err := writeDesigns(f.csv, space.Set, a.passing); err != nil {
			return err
		}
	}
	if f.json {
		err = printJSON(s.Out, path, a.json())
	} else {
		err = a.print(s.Out, f.top)
	}
	if err != nil {
		return err
	}
	return tellRejected(s, path, space.Set)
}

// writeDescription writes what the columns are taken for as the file that may stand beside the table, which is no
// answer of --json.
func writeDescription(w io.Writer, d *designs.Description) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// writeDesigns writes points as CSV with their description beside it.
func writeDesigns(path string, set *designs.Set, points []int32) error {
	if err := output.Replace(path, func(w io.Writer) error { return set.WriteCSV(w, points) }); err != nil {
		return err
	}
	return output.Replace(path+".json", set.WriteDescription)
}

// shownRejected is how many rejected rows are told one by one on standard error.
const shownRejected = 5

// tellRejected says which rows could not be used, and makes that the exit status.
func tellRejected(s Streams, path string, set *designs.Set) error {
	if set.Refused == 0 {
		return nil
	}
	for _, r := range set.Rejected[:min(len(set.Rejected), shownRejected)] {
		fmt.Fprintf(s.Err, "orrery: %s: %s\n", path, r)
	}
	if more := set.Refused - shownRejected; more > 0 {
		fmt.Fprintf(s.Err, "orrery: %s: %d more rows are rejected\n", path, more)
	}
	return errPartial
}
