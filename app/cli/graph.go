package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"orrery/app/output"
	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/gossa"
	"orrery/traceio/irgraph/graphfile"
	"orrery/traceio/irgraph/igv"
)

// graphFlags are the flags of the graph command.
type graphFlags struct {
	cacheFlags
	over, output        string
	method, phase, diff string
	filters             []string
	layout, whole, json bool
	top                 int
}

func graphCommand(s Streams) *cobra.Command {
	var f graphFlags
	c := &cobra.Command{
		Use:   "graph FILE",
		Short: "tell what is in a compiler's graphs",
		Long: `Graph lists the functions in a file of graphs and the graph after each phase of the compiler: nodes, edges, blocks. It reads the
Ideal Graph Visualizer's XML (-XX:PrintIdealGraphLevel), V8's JSON (node --trace-turbo), what Go's compiler says with GOSSAFUNC,
as text and as HTML, GraalVM's BGV, DOT and GraphML; and a directory with the dumps of gcc -fdump-tree-all-graph-lineno.

--filter counts what filters leave of each graph: files of JavaScript such as 'colorize("name", "I.*", red)', or shipped filters by name.
--diff compares two phases of a function node by node, and --layout tells what the drawing of one is like, or of their difference:
of the first function chosen, and of the phase that --phase names, or the last.

--over puts a recording on the graph after the last phase, or that of --phase: for each hot line the nodes that refer to memory, with references,
misses and the commonest distance between addresses. Node and instruction find each other exactly when the program was compiled
as the graphs were, otherwise by lines.`,
		Example: `  orrery graph testdata/graphs/gomatmul.ssa.gz
  orrery graph testdata/graphs/golist.ssa.gz --over testdata/recordings/golist.orr
  orrery graph testdata/graphs/hotspot.xml --json
  orrery graph testdata/graphs/gomatmul.ssa.gz --method multiply --phase lower --layout
  orrery graph testdata/graphs/gomatmul.ssa.gz --diff lower,regalloc
  orrery graph testdata/graphs/gcc -o sum.xml`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if err := refuse(c.Flags(),
				applies{f.over != "", "top preset config cores", "with --over"},
				applies{f.output != "", "whole", "with --output"},
				applies{f.output == "", "over filter diff layout json",
					"without --output, which writes the graphs as they were read"}); err != nil {
				return err
			}
			return f.run(c.Context(), s, args[0])
		},
	}
	c.Flags().StringVar(&f.over, "over", "", "a recording whose references and misses are put on the nodes")
	c.Flags().StringVar(&f.method, "method", "", "only the function of this name, or those that have it in their names")
	c.Flags().StringVar(&f.phase, "phase", "", "only this phase, by its name, a part of it, or its number from 1")
	c.Flags().StringArrayVar(&f.filters, "filter", nil,
		"count what this filter leaves, FILE.js or a shipped one by its name (may be repeated)")
	c.Flags().StringVar(&f.diff, "diff", "",
		"P1,P2: count the nodes that are added, removed, changed and the same from one phase to another")
	c.Flags().BoolVar(&f.layout, "layout", false, "tell layers, crossings, cut edges and size of a drawing")
	c.Flags().StringVarP(&f.output, "output", "o", "",
		"write the graphs as IGV's XML, each as the difference from the one before")
	c.Flags().BoolVar(&f.whole, "whole", false, "with --output: write every graph whole")
	c.Flags().IntVar(&f.top, "top", 20, "with --over: lines of each function")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	f.cacheFlags.add(c)
	renamed(c, map[string]string{"group": "method", "func": "method"})
	c.AddCommand(graphRecordCommand(s), graphListenCommand(s))
	return c
}

func (f *graphFlags) run(ctx context.Context, s Streams, path string) error {
	if f.top < 1 {
		return usagef("--top is %d; it must be at least 1", f.top)
	}
	filters, err := namedFilters(f.filters)
	if err != nil {
		return err
	}
	config, err := f.hierarchy()
	if err != nil {
		return err
	}
	p := newProgress(s.Err, "reading")
	defer p.Done()
	doc, err := graphfile.Open(ctx, path, p.Report)
	if err != nil {
		return err
	}
	p.Done()
	r := graphReport{doc: doc}
	if r.groups, err = chooseGroups(s, doc, f.method); err != nil {
		return err
	}
	if err := r.findPhases(f); err != nil {
		return err
	}
	if f.output != "" {
		return f.write(s, &r)
	}
	if f.over != "" {
		if err := r.join(ctx, f.over, config, f.top, p); err != nil {
			return err
		}
		hierarchy := hierarchyObject(config, f.source())
		r.hierarchy = &hierarchy
	}
	if err := r.count(ctx, filters); err != nil {
		return err
	}
	if err := r.measure(ctx, f, filters, p); err != nil {
		return err
	}
	p.Done()
	if f.json {
		err = printJSON(s.Out, path, r.object())
	} else {
		err = r.print(s.Out)
	}
	if err != nil {
		return err
	}
	return tellStopped(s, r.stopped, tellProblems(s, doc))
}

// write writes the chosen groups as XML.
func (f *graphFlags) write(s Streams, r *graphReport) error {
	chosen := &irgraph.Document{Properties: r.doc.Properties}
	for _, g := range r.groups {
		alone := *g.Group
		alone.Groups = nil
		alone.Snapshots = g.chosen()
		chosen.Groups = append(chosen.Groups, &alone)
	}
	if err := output.Replace(f.output, func(w io.Writer) error { return igv.Write(w, chosen, f.whole) }); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "orrery: %s in %s\n", plainly(uint64(len(r.groups)), "function"), f.output)
	return tellProblems(s, r.doc)
}

// tellProblems says what of the graphs was unusable.
func tellProblems(s Streams, doc *irgraph.Document) error {
	for _, e := range doc.Problems {
		fmt.Fprintf(s.Err, "orrery: %v\n", e)
	}
	if doc.MoreProblems > 0 {
		fmt.Fprintf(s.Err, "orrery: %s: and %d more\n", doc.Path, doc.MoreProblems)
	}
	if len(doc.Problems) > 0 {
		return errPartial
	}
	return nil
}

// pathGroup is a group with its place in the document.
type pathGroup struct {
	*irgraph.Group
	path        string
	first, last int // of its snapshots, which --phase may have chosen
}

// chosen are the snapshots that were asked for.
func (g *pathGroup) chosen() []*irgraph.Snapshot { return g.Snapshots[g.first : g.last+1] }

// chosenGroups are the groups with snapshots that have a name, or else those that have it in theirs.
func chosenGroups(doc *irgraph.Document, name string) (out []pathGroup) {
	var exact []pathGroup
	doc.Walk(func(path []string, g *irgraph.Group) {
		whole := strings.Join(append(path[:len(path):len(path)], g.Name), " / ")
		p := pathGroup{g, whole, 0, len(g.Snapshots) - 1}
		if strings.Contains(g.Name, name) || whole == name {
			out = append(out, p)
		}
		if g.Name == name || whole == name {
			exact = append(exact, p)
		}
	})
	if len(exact) > 0 {
		return exact
	}
	return out
}

// chooseGroups are the groups that a command is to work on. Without any, it tells what is wrong with the document, and
// the error says whether no name fits or nothing is there.
func chooseGroups(s Streams, doc *irgraph.Document, word string) ([]pathGroup, error) {
	groups := chosenGroups(doc, word)
	if len(groups) > 0 {
		return groups, nil
	}
	if err := tellProblems(s, doc); err != nil && doc.Empty() {
		return nil, fmt.Errorf("%s: no function could be read; dump the graphs again", doc.Path)
	}
	if doc.Empty() {
		return nil, fmt.Errorf("%s: no function in it has a graph; let the compiler tell more (HotSpot: "+
			"-XX:PrintIdealGraphLevel=2, GraalVM: -Dgraal.Dump=:2)", doc.Path)
	}
	return nil, fmt.Errorf("%s: no function has %q in its name", doc.Path, word)
}

// graphReport is what the command has found.
type graphReport struct {
	doc    *irgraph.Document
	groups []pathGroup
	sizes  [][]graphPhaseJSON // by group: of the snapshots that were chosen
	heat   []graphHeat        // by group; nil without a recording

	hierarchy *hierarchyJSON // with a recording
	layout    *graphLayoutJSON
	diff      *graphDiffJSON
	details   *graphDetailsJSON // of layout and diff
	stopped   []*traceio.Error  // filters that do not take part in what is counted
}

type graphJSON struct {
	Format    string            `json:"format"`
	Hierarchy *hierarchyJSON    `json:"hierarchy,omitempty"`
	Methods   []graphMethodJSON `json:"methods"`
	Problems  []string          `json:"problems"`
	*graphLayoutJSON
	*graphDiffJSON
	Details *graphDetailsJSON `json:"details,omitempty"`
}

type graphMethodJSON struct {
	Name         string           `json:"name"`
	Instructions int              `json:"instructions"`
	Phases       []graphPhaseJSON `json:"phases"`
	Heat         *graphHeat       `json:"heat,omitempty"`
}

type graphPhaseJSON struct {
	Name   string `json:"name"`
	Nodes  int    `json:"nodes"`
	Edges  int    `json:"edges"`
	Blocks int    `json:"blocks"`
}

func (r *graphReport) object() graphJSON {
	out := graphJSON{Format: r.doc.Format, Hierarchy: r.hierarchy, Methods: []graphMethodJSON{}, Problems: []string{},
		graphLayoutJSON: r.layout, graphDiffJSON: r.diff, Details: r.details}
	for i, g := range r.groups {
		one := graphMethodJSON{Name: g.path, Instructions: len(g.Listing), Phases: r.sizes[i]}
		if r.heat != nil {
			one.Heat = &r.heat[i]
		}
		out.Methods = append(out.Methods, one)
	}
	for _, e := range r.doc.Problems {
		out.Problems = append(out.Problems, e.Error())
	}
	return out
}

func (r *graphReport) print(w io.Writer) error {
	var out bytes.Buffer
	phases := 0
	for i := range r.groups {
		phases += len(r.sizes[i])
	}
	fmt.Fprintf(&out, "%s: %s, %s, %s\n", filepath.Base(r.doc.Path), r.doc.Format,
		plainly(uint64(len(r.groups)), "function"), plainly(uint64(phases), "graph"))
	for i, g := range r.groups {
		fmt.Fprintf(&out, "\n%s, %s\n", g.path, plainly(uint64(len(g.Listing)), "instruction"))
		if r.heat != nil {
			if err := r.heat[i].print(&out); err != nil {
				return err
			}
			continue
		}
		t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "phase\tnodes\tedges\tblocks\t")
		for _, s := range r.sizes[i] {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t\n", s.Name, s.Nodes, s.Edges, s.Blocks)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	r.printMeasures(&out)
	_, err := w.Write(out.Bytes())
	return err
}

func graphRecordCommand(s Streams) *cobra.Command {
	opt := gossa.Options{}
	path := ""
	c := &cobra.Command{
		Use:   "record --func NAME PACKAGE",
		Short: "make Go's compiler tell of a function",
		Long: `Record compiles one package, without writing what comes out, so that the compiler tells the graph of one function after each
of its passes and the code with addresses; the file opens with orrery graph. Nothing is compiled again but this package.

Name the function as the compiler does: multiply, (*List).Sum, a closure multiply.func1. Give the flags that the program was
built with, for the recorded instructions to be the same: --build for go build's (-race, -tags), --compiler for -gcflags'.`,
		Example: `  orrery graph record --func sum ./testdata/programs/golist
  orrery graph record --func '(*List).Sum' --compiler=-N --compiler=-l -o sum.ssa ./cmd/tool`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return usagef("%s takes one package, got %d", c.CommandPath(), len(args))
			}
			if opt.Func == "" {
				return usagef("name a function with --func")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			opt.Package = args[0]
			got, err := gossa.Record(c.Context(), opt)
			if err != nil {
				return err
			}
			if path == "" {
				path = strings.Trim(strings.Map(fileName, got.Groups[0].Name), ".") + ".ssa"
			}
			if err := output.Write(path, got.Text); err != nil {
				return err
			}
			for _, g := range got.Groups {
				fmt.Fprintf(s.Out, "%s: %s, %s\n", g.Name, plainly(uint64(len(g.Snapshots)), "graph"),
					plainly(uint64(len(g.Listing)), "instruction"))
			}
			fmt.Fprintf(s.Err, "orrery: open it with: orrery graph %s\n", path)
			return tellProblems(s, got.Document)
		},
	}
	c.Flags().StringVar(&opt.Func, "func", "", "the function")
	c.Flags().StringArrayVar(&opt.Build, "build", nil,
		"a flag of go build's that the program was built with (may be repeated)")
	c.Flags().StringArrayVar(&opt.Flags, "compiler", nil, "a flag for the compiler (may be repeated)")
	c.Flags().StringVarP(&path, "output", "o", "", "the file to write (default: the function's name with .ssa)")
	return c
}

// fileName leaves out what a file's name should not have.
func fileName(r rune) rune {
	if r < ' ' || commands(r) || strings.ContainsRune(`/\*()[]<>|"' `, r) {
		return -1
	}
	return r
}
