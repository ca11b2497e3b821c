package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"orrery/analysis/attribution"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
)

// sharedJSON is one block in what `cache --sharing --json` tells.
type sharedJSON struct {
	Block         string           `json:"block"`
	Region        string           `json:"region"`
	Invalidations uint64           `json:"invalidations"`
	True          uint64           `json:"true_sharing_misses"`
	False         uint64           `json:"false_sharing_misses"`
	Threads       []sharedUserJSON `json:"threads"`
	Lines         []sharedLineJSON `json:"lines"`
}

type sharedUserJSON struct {
	Thread traceio.Thread `json:"thread"`
	Reads  uint64         `json:"reads"`
	Writes uint64         `json:"writes"`
	Parts  []string       `json:"parts"`
}

type sharedLineJSON struct {
	Line          string           `json:"line"`
	Threads       []traceio.Thread `json:"threads"`
	Invalidations uint64           `json:"invalidations"`
	Misses        uint64           `json:"misses"`
}

// sharingOf also says in which order of references sharing was counted, which need not be that of the other counts.
func sharingOf(ctx context.Context, rec *session.Recording, config cachesim.Config, turn int,
	p *progress) ([]sharedJSON, string, error) {
	names := func(a traceio.Addr, s traceio.Seq) (string, string) {
		r, element := rec.Regions.At(a, s)
		return r.Name, element
	}
	blocks, found, err := attribution.Shared(ctx, rec, config, turn, names, rec.Lines, p.Report)
	if err != nil {
		return nil, "", err
	}
	out := []sharedJSON{}
	for _, b := range blocks {
		j := sharedJSON{Block: b.Addr.String(), Region: b.Region, Invalidations: b.Invalidations,
			True: b.True, False: b.False}
		for _, t := range b.Threads {
			j.Threads = append(j.Threads, sharedUserJSON{t.Thread, t.Reads, t.Writes, t.Parts})
		}
		for _, l := range b.Lines {
			j.Lines = append(j.Lines, sharedLineJSON{l.Name, l.Threads, l.Invalidations, l.Misses})
		}
		out = append(out, j)
	}
	return out, orderOf(found, turn), nil
}

// orderOf is a sentence about the run in which sharing was counted.
func orderOf(found *simulator.Sharing, turn int) string {
	c := found.Config
	name, _, _ := strings.Cut(c.Levels[c.Entry(traceio.Load)].Name, "#")
	misses := uint64(0)
	for i, l := range c.Levels {
		if own, _, private := strings.Cut(l.Name, "#"); private && own == name {
			misses += found.Totals.Levels[i].Misses()
		}
	}
	if turn == 0 {
		return fmt.Sprintf("sharing, with the references in the order of the recording as above: %d misses of %s", misses,
			name)
	}
	each := "a reference"
	if turn > 1 {
		each = fmt.Sprintf("%d references", turn)
	}
	return fmt.Sprintf("sharing, with the cores taking turns of %s each as if they ran at the same time (--turn): %d "+
		"misses of %s; the table above has the order of the recording",
		each, misses, name)
}

// printSharing tells which blocks are shared falsely, and how many truly, in a run of which order is a sentence.
func printSharing(out io.Writer, blocks []sharedJSON, order string) error {
	if _, err := fmt.Fprintf(out, "\n%s\n", order); err != nil {
		return err
	}
	falsely := 0
	for _, b := range blocks {
		if b.False > 0 {
			falsely++
		}
	}
	if falsely == 0 {
		_, err := fmt.Fprintf(out,
			"no false sharing in this order; %s that cores take from each other to share what is in them\n",
			count(len(blocks), "block"))
		return err
	}
	fmt.Fprintf(out, "false sharing in %s, of %d that cores take from each other\n", count(falsely, "block"), len(blocks))
	for _, b := range blocks[:falsely] {
		fmt.Fprintf(out,
			"\n%s at %s: %d misses for what other threads have beside one's own, %d for data, %d copies taken away\n", b.Region,
			b.Block, b.False, b.True, b.Invalidations)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, t := range b.Threads {
			fmt.Fprintf(w, "  thread %d\t%d reads\t%d writes\t%s\n", t.Thread, t.Reads, t.Writes, strings.Join(t.Parts, ", "))
		}
		for _, l := range b.Lines {
			fmt.Fprintf(w, "  %s\t%d misses\t%d taken away\tthreads %s\n", l.Line, l.Misses, l.Invalidations,
				strings.Trim(fmt.Sprint(l.Threads), "[]"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}
