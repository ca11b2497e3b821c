package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"orrery/analysis/heat"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/traceio/irgraph"
)

// graphHeat is what a recording says of one function.
type graphHeat struct {
	Phase string          `json:"phase"`
	Exact bool            `json:"exact"`           // by instruction
	Entry string          `json:"entry,omitempty"` // of the function in the recording
	Lines []graphLineJSON `json:"lines"`

	levels []string
}

type graphLineJSON struct {
	Line       string            `json:"line"`
	References uint64            `json:"references"`
	Misses     map[string]uint64 `json:"misses"`
	Nodes      []graphNodeJSON   `json:"nodes"`
}

type graphNodeJSON struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	References uint64            `json:"references"`
	Misses     map[string]uint64 `json:"misses"`
	Stride     int64             `json:"stride"`
}

// join puts a recording on the last chosen graph of each group.
func (r *graphReport) join(ctx context.Context, path string, config cachesim.Config, top int, p *progress) error {
	rec, err := session.Load(ctx, path, p.Report)
	if err != nil {
		return err
	}
	defer rec.Close()
	counts, err := heat.Count(ctx, rec, config, p.Report)
	if err != nil {
		return err
	}
	for _, g := range r.groups {
		last := g.Snapshots[g.last]
		j := heat.Join(counts, rec.Program(), g.Group, last)
		h := graphHeat{Phase: last.Name, Exact: j.Exact, Lines: []graphLineJSON{}}
		if j.Exact {
			h.Entry = j.Entry.String()
		}
		for _, l := range config.Levels {
			h.levels = append(h.levels, l.Name)
		}
		for _, l := range j.Lines[:min(top, len(j.Lines))] {
			h.Lines = append(h.Lines, h.line(&l, j, last))
		}
		r.heat = append(r.heat, h)
	}
	return nil
}

func (h *graphHeat) line(l *heat.Line, j *heat.Joined, s *irgraph.Snapshot) graphLineJSON {
	out := graphLineJSON{Line: fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line), References: l.References(),
		Misses: h.misses(l.Misses), Nodes: []graphNodeJSON{}}
	for _, n := range l.Nodes {
		own := &j.Nodes[n]
		out.Nodes = append(out.Nodes, graphNodeJSON{ID: s.Nodes[n].ID, Name: s.Nodes[n].Name(), References: own.References(),
			Misses: h.misses(own.Misses), Stride: own.Stride})
	}
	return out
}

func (h *graphHeat) misses(by []uint64) map[string]uint64 {
	out := map[string]uint64{}
	for i, m := range by {
		out[h.levels[i]] += m // the cores of a level have one name
	}
	return out
}

func (h *graphHeat) print(w io.Writer) error {
	if len(h.Lines) == 0 {
		_, err := fmt.Fprintln(w, "the recording has no references of its lines")
		return err
	}
	how := "by line, for the recorded instructions do not fit the code"
	if h.Exact {
		how = "by instruction, its code at " + h.Entry
	}
	fmt.Fprintf(w, "after %s, %s\n", h.Phase, how)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\tnode\treferences\tstride\t")
	for _, l := range unique(h.levels) {
		fmt.Fprintf(t, "%s misses\t", l)
	}
	fmt.Fprintln(t)
	for _, l := range h.Lines {
		h.row(t, l.Line, "", l.References, "", l.Misses)
		for _, n := range l.Nodes {
			h.row(t, n.Name, n.ID, n.References, fmt.Sprint(n.Stride), n.Misses)
		}
	}
	return t.Flush()
}

func (h *graphHeat) row(w io.Writer, name, id string, references uint64, stride string, misses map[string]uint64) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%s\t", name, id, references, stride)
	for _, l := range unique(h.levels) {
		fmt.Fprintf(w, "%d\t", misses[l])
	}
	fmt.Fprintln(w)
}

// unique leaves out repeated names.
func unique(names []string) (out []string) {
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}
