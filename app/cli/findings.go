package cli

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/findings"
	"orrery/analysis/heat"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphfile"
)

func findingsCommand(s Streams) *cobra.Command {
	var cache cacheFlags
	var asJSON bool
	var graph string
	c := &cobra.Command{
		Use:   "findings FILE",
		Short: "tell what the program does with memory that costs, ranked, with what to do about it",
		Long: `Looks for conflict misses in few sets, blocks of which few bytes are used, loops that fetch again what another has just had,
loops that go over more than the last level holds, streams that push out what is used again, false sharing, leaks, memory never touched,
and memory kept long after its last use.
Each finding has its cost in the hierarchy chosen, its evidence, and where in code and time it is. A program without them
gives none. With the compiler's graphs of its functions (--graph, see orrery graph) it looks for pointer chases too: loads that wait
for the load of the round before.`,
		Example: "  orrery findings testdata/recordings/matmul-standard.orr\n  orrery findings " +
			"testdata/recordings/golist.orr --graph testdata/graphs/golist.ssa.gz\n  orrery findings " +
			"testdata/recordings/list.orr --json",
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			config, err := cache.chosen()
			if err != nil {
				return err
			}
			return withRecording(c.Context(), s, args[0], "looking for findings", func(rec *loaded, p *progress) error {
				if cache.config == "" && cache.preset == "" {
					if config, err = cachesim.Preset(rec.SuggestedPreset()); err != nil {
						return err
					}
				}
				named, groups := rec.Recording, []*irgraph.Group(nil)
				if graph != "" {
					if groups, err = groupsOf(c.Context(), graph, p); err != nil {
						return err
					}
					named = named.WithGraphs(groups)
				}
				list, err := named.Findings(c.Context(), config, p.Report)
				if err != nil {
					return err
				}
				if graph != "" {
					chases, err := chasesIn(c.Context(), named, groups, config, p)
					if err != nil {
						return err
					}
					list = findings.Merge(list, chases)
				}
				p.Done()
				if asJSON {
					return printJSON(s.Out, args[0], findingsObject(list, hierarchyObject(config, cache.source())))
				}
				return printFindings(s.Out, rec.Recording, list, config)
			})
		},
	}
	c.Flags().StringVar(&cache.config, "config", "", "the hierarchy, a TOML file")
	c.Flags().StringVar(&cache.preset, "preset", "", "a shipped hierarchy; without it the one that the window begins with")
	c.Flags().StringVar(&graph, "graph", "", "a file with the compiler's graphs of hot functions")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// groupsOf are the functions whose graphs a file has.
func groupsOf(ctx context.Context, path string, p *progress) (groups []*irgraph.Group, err error) {
	doc, err := graphfile.Open(ctx, path, p.Report)
	if err != nil {
		return nil, err
	}
	doc.Walk(func(_ []string, g *irgraph.Group) { groups = append(groups, g) })
	return groups, nil
}

// chasesIn looks for pointer chases in functions.
func chasesIn(ctx context.Context, rec *session.Recording, groups []*irgraph.Group, config cachesim.Config,
	p *progress) ([]findings.Finding, error) {
	counts, err := heat.Count(ctx, rec, config, p.Report)
	if err != nil {
		return nil, err
	}
	return rec.Chases(groups, counts, config), nil
}

func printFindings(w io.Writer, rec *session.Recording, list []findings.Finding, config cachesim.Config) error {
	var b strings.Builder
	for i := range list {
		f := &list[i]
		fmt.Fprintf(&b, "%d. %s (%s): %s\n", i+1, f.Title, f.Kind, session.CostOf(f))
		fmt.Fprintf(&b, "   %s\n", f.Advice)
		var where []string
		if f.File != "" {
			where = append(where, fmt.Sprintf("%s:%d", path.Base(f.File), f.Line))
		}
		for _, r := range f.Regions {
			if !slices.Contains(where, r) { // blocks are named after the line that asked for them
				where = append(where, r)
			}
		}
		fmt.Fprintf(&b, "   at %s, references %d to %d\n", strings.Join(where, ", "), f.Range.From, f.Range.To)
		for _, e := range f.Evidence {
			fmt.Fprintf(&b, "   %s\n", session.EvidenceOf(e))
		}
	}
	if len(list) == 0 {
		fmt.Fprintf(&b, "nothing found: %s\n", rec.NoFindings(config))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
