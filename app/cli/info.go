package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
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
standard error, and under "lost" with --json. FILE may be - for standard input.`,
		Example: "  orrery info testdata/recordings/list.orr\n  orrery info testdata/oracles/quicksort.lk.gz --json",
		Args:    oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if err := refuse(c.Flags(), applies{!asJSON, "all", "to the list that is printed without --json"}); err != nil {
				return err
			}
			return withRecording(c.Context(), s, input(s, args[0]), "reading", func(rec *loaded, p *progress) error {
				p.Done()
				if asJSON {
					return printJSON(s.Out, args[0], rec.info())
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
	out := infoJSON{Format: l.Format(), References: uint64(l.Len()), Loads: n.Loads, Stores: n.Stores,
		Fetches: n.Fetches, Threads: n.Threads,
		Allocations: l.Heap.Allocations, Modules: len(p.Modules), Regions: len(l.Use.Ranked), Sources: len(p.Sources),
		DurationTicks: uint64(l.Duration()), Lost: map[string]uint64{}, Command: p.Command,
		Recorder: p.Recorder, Notes: p.Notes}
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
		fmt.Fprintf(&out, "%s: %s, %s (%s, %s), no references\n", l.Name(), i.Format,
			plainly(uint64(l.Extent()), "allocator event"),
			plainly(i.Allocations, "allocation"), plainly(l.Heap.Frees, "free"))
	} else {
		fmt.Fprintf(&out, "%s: %s, %s (%s, %s), %s, %s\n", l.Name(), i.Format, plainly(i.References, "reference"),
			plainly(i.Loads, "load"),
			plainly(i.Stores, "store"), plainly(i.Fetches, "fetch", "fetches"), plainly(i.Allocations, "allocation"))
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
			fmt.Fprintf(&out, "region    %-24s %s\n", regions[id].Name, plainly(n, "reference"))
		} else {
			rest += n
		}
	}
	if rest > 0 {
		fmt.Fprintf(&out, "and %d regions more with %s: --all lists them\n", len(l.Use.Ranked)-mostRegions,
			plainly(rest, "reference"))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// plainly is a number with the name of what it counts: "1 block", "5000 blocks". That takes an s unless many says how
// it is.
func plainly[T ~int | ~int64 | ~uint64](n T, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		one = many[0]
	default:
		one += "s"
	}
	return fmt.Sprintf("%d %s", n, one)
}

// input is the path of a file to read: - stands for standard input.
func input(s Streams, path string) string {
	if path != "-" {
		return path
	}
	if f, ok := s.In.(*os.File); ok && f.Fd() != 0 {
		return fmt.Sprintf("/dev/fd/%d", f.Fd())
	}
	return "/dev/stdin"
}
