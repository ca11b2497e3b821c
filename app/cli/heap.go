package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"orrery/analysis/heap"
)

// heapJSON is the object that `heap --json` prints.
type heapJSON struct {
	Allocations  uint64            `json:"allocations"`
	Frees        uint64            `json:"frees"`
	PeakBytes    uint64            `json:"peak_bytes"`
	PeakTime     uint64            `json:"peak_time"`
	TotalBytes   uint64            `json:"total_bytes"`
	LiveBytes    uint64            `json:"live_bytes"`
	LeakedBlocks uint64            `json:"leaked_blocks"`
	Temporary    uint64            `json:"temporary"`
	Errors       map[string]uint64 `json:"errors"`
	Bins         []binJSON         `json:"bins"`
	Sites        []siteJSON        `json:"sites"`
}

type binJSON struct {
	Name          string  `json:"name"`
	Blocks        uint64  `json:"blocks"`
	PeakBytes     uint64  `json:"peak_bytes"`
	WasteBytes    uint64  `json:"waste_bytes"`
	Fragmentation float64 `json:"fragmentation"`
}

type siteJSON struct {
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Blocks    uint64 `json:"blocks"`
	Bytes     uint64 `json:"bytes"`
	LiveBytes uint64 `json:"live_bytes"`
}

func heapCommand(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "heap FILE",
		Short:   "tell how the program used its heap",
		Long:    "Heap tells the allocations of a recording: totals, the peak, size classes, allocation sites, leaks and errors in the log.",
		Example: "  orrery heap testdata/recordings/list.orr\n  orrery heap testdata/recordings/list.orr --json",
		Args:    oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			return withRecording(c.Context(), s, args[0], "reading", func(rec *loaded, p *progress) error {
				p.Done()
				if asJSON {
					return printJSON(s.Out, heapObject(rec.Heap))
				}
				return printHeap(s, rec.Heap, strings.TrimSuffix(rec.TimeUnit(), "s"))
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func heapObject(h *heap.Heap) heapJSON {
	out := heapJSON{Allocations: h.Allocations, Frees: h.Frees, PeakBytes: h.PeakBytes, PeakTime: uint64(h.PeakTime), TotalBytes: h.TotalBytes,
		LiveBytes: h.LiveBytes, LeakedBlocks: h.LeakedBlocks, Temporary: h.Temporary, Errors: h.ErrorCounts(), Bins: []binJSON{}, Sites: []siteJSON{}}
	for _, b := range h.Bins {
		out.Bins = append(out.Bins, binJSON{b.Name, b.Blocks, b.PeakBytes, b.WasteBytes, b.Fragmentation})
	}
	for _, a := range h.Sites {
		out.Sites = append(out.Sites, siteJSON{a.Function, a.File, a.Line, a.Blocks, a.Bytes, a.LiveBytes})
	}
	return out
}

// printHeap writes the table; unit is what time counts, in the singular.
func printHeap(s Streams, h *heap.Heap, unit string) error {
	if h.Allocations == 0 {
		_, err := fmt.Fprintln(s.Out, "No allocations in this recording: the program made none, or it was recorded by a tool that does not log them; orrery record does.")
		return err
	}
	fmt.Fprintf(s.Out, "%d allocations, %d frees, %d bytes in all, peak %d bytes at %s %d\n", h.Allocations, h.Frees, h.TotalBytes, h.PeakBytes, unit, h.PeakTime)
	fmt.Fprintf(s.Out, "%d blocks with %d bytes never freed, %d temporary\n", h.LeakedBlocks, h.LiveBytes, h.Temporary)
	for _, e := range h.Errors {
		fmt.Fprintf(s.Out, "%s of %v at %s %d\n", e.Kind, e.Addr, unit, e.Seq)
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nsize class\tblocks\tpeak bytes\twaste\tfragmentation\t")
	for _, b := range h.Bins {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t\n", b.Name, b.Blocks, b.PeakBytes, b.WasteBytes, b.Fragmentation)
	}
	fmt.Fprintln(w, "\nallocated at\tblocks\tbytes\tnever freed\t")
	for _, a := range h.Sites {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", a.Name(), a.Blocks, a.Bytes, a.LiveBytes)
	}
	return w.Flush()
}
