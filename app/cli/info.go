package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// infoJSON is the object that `info --json` prints.
type infoJSON struct {
	Format        string            `json:"format"`
	References    uint64            `json:"references"`
	Loads         uint64            `json:"loads"`
	Stores        uint64            `json:"stores"`
	Fetches       uint64            `json:"fetches"`
	Threads       int               `json:"threads"`
	Allocations   uint64            `json:"allocations"`
	Modules       int               `json:"modules"`
	Regions       int               `json:"regions"`
	Sources       int               `json:"sources"`
	DurationTicks uint64            `json:"duration_ticks"`
	Lost          map[string]uint64 `json:"lost"`
	Command       []string          `json:"command,omitempty"`
	Recorder      string            `json:"recorder,omitempty"`
	Notes         []string          `json:"notes,omitempty"`
}

func infoCommand(s Streams) *cobra.Command {
	var asJSON, all bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "tell what is in a recording",
		Long: `Info counts what is in a recording of any format, and lists its regions, the most used first: 40, or --all. A note says what the recording
or the files of its program do not tell, and so has no name or size here. Records that could not be used are counted by kind on
standard error, and under "lost" with --json.`,
		Example: "  orrery info testdata/recordings/list.orr\n  orrery info testdata/oracles/quicksort.lk.gz --json",
		Args:    oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			return withRecording(c.Context(), s, args[0], "reading", func(rec *loaded, p *progress) error {
				p.Done()
				if asJSON {
					return printJSON(s.Out, rec.info())
				}
				return rec.print(s.Out, all)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&all, "all", false, "list all regions")
	return c
}

func (l *loaded) info() infoJSON {
	n := l.Counts()
	p := l.Program()
	out := infoJSON{Format: l.Format(), References: uint64(l.Len()), Loads: n.Loads, Stores: n.Stores, Fetches: n.Fetches, Threads: n.Threads,
		Allocations: l.Heap.Allocations, Modules: len(p.Modules), Regions: len(l.Use.Ranked), Sources: len(p.Sources),
		DurationTicks: uint64(l.Duration()), Lost: map[string]uint64{}, Command: p.Command, Recorder: p.Recorder, Notes: p.Notes}
	for _, loss := range l.Loss() {
		out.Lost[loss.Kind] += loss.Count
	}
	return out
}

// mostRegions are listed unless all are asked for: a large program has thousands of variables that it reads once.
const mostRegions = 40

func (l *loaded) print(w io.Writer, all bool) error {
	var out bytes.Buffer
	i := l.info()
	if l.EventsOnly() {
		fmt.Fprintf(&out, "%s: %s, %d allocator events (%d allocations, %d frees), no references\n", l.Name(), i.Format, l.Extent(), i.Allocations, l.Heap.Frees)
	} else {
		fmt.Fprintf(&out, "%s: %s, %d references (%d loads, %d stores), %d fetches, %d allocations\n", l.Name(), i.Format, i.References, i.Loads, i.Stores, i.Fetches, i.Allocations)
	}
	if len(i.Command) > 0 {
		fmt.Fprintf(&out, "command   %s\n", strings.Join(i.Command, " "))
	}
	fmt.Fprintf(&out, "threads   %d\nmodules   %d\n", i.Threads, i.Modules)
	if limited := l.Program().Limited(); limited != "" {
		fmt.Fprintf(&out, "note      %s\n", limited)
	}
	for _, n := range i.Notes {
		fmt.Fprintf(&out, "note      %s\n", n)
	}
	for _, f := range l.Program().Sources {
		fmt.Fprintf(&out, "source    %s\n", f.Path)
	}
	regions, rest := l.Regions.Regions(), uint64(0)
	for k, id := range l.Use.Ranked {
		n := l.Use.Regions[id].References()
		if all || k < mostRegions || len(l.Use.Ranked) == mostRegions+1 {
			fmt.Fprintf(&out, "region    %-24s %d references\n", regions[id].Name, n)
		} else {
			rest += n
		}
	}
	if rest > 0 {
		fmt.Fprintf(&out, "and %d regions more with %d references: --all lists them\n", len(l.Use.Ranked)-mostRegions, rest)
	}
	_, err := w.Write(out.Bytes())
	return err
}
