package recording

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"orrery/analysis/findings"
	"orrery/analysis/heat"
	"orrery/app/graphs"
	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/gossa"
	"orrery/traceio/irgraph/graphfile"
	"orrery/views/link"
)

// compiled is what the recording knows of the compiler's graphs: of functions in Go they are asked from the compiler
// when they are looked at, others come from a file. Nodes carry the references and misses of their instructions or
// lines.
type compiled struct {
	d      *Document
	e      *graphs.Explorer
	asked  string         // the function that the compiler was asked for last
	known  map[string]int // function -> its entry
	file   string         // that graphs come from; "" for the compiler
	list   []graphs.Entry
	counts *heat.Counts
	of     string             // the hierarchy that they were counted with
	judged *session.Recording // inGo is of it
	inGo   bool
	open   link.Thing // a line to be opened when its function is there
}

func newCompiled(d *Document) *compiled {
	c := &compiled{d: d, known: map[string]int{}}
	c.e = graphs.New(d.host, d.path+"#compiled", d.link, d.changed)
	c.e.Line = c.line
	c.e.Place = d.lineOf
	c.e.ByMisses()
	c.e.Seen = c.seen
	c.e.Empty = c.nothing()
	c.e.Idle = c.idle
	d.link.Subscribe(func(old, now link.State) {
		if old.Selected != now.Selected && c.e.Shown() {
			c.follow(now.Selected)
		}
	})
	return c
}

// nothing says how to get a graph.
func (c *compiled) nothing() string {
	if f := c.hottest(); f != "" {
		return "The graph of " + traceio.ShortFunction(f) + " is asked from Go's compiler …"
	}
	return "The compiler's graph of the code behind a line would be here. For programs in Go it is made at once. For " +
		"others make it with the compiler " +
		"(node --trace-turbo, gcc -fdump-tree-all-graph-lineno) and open it with File, Graphs of this program…, or from " +
		"GCC's folder…"
}

// line is a source line of the compiler as the recording names it.
func (c *compiled) line(file string, line int) link.Thing {
	for _, name := range c.d.rec.SourceFiles() {
		if file == "" || irgraph.SameFile(name, file) {
			return link.OfLine(name, line)
		}
	}
	return link.OfLine(file, line)
}

// hottest is the function in Go with the most references of which there is source text; "" where there is none.
func (c *compiled) hottest() (function string) {
	rec := c.d.rec
	refs := map[string]uint64{}
	most := uint64(0)
	for i := range int32(rec.Lines.Len()) {
		l := rec.Lines.At(i)
		if l.Line <= 0 || !strings.HasSuffix(l.File, ".go") || rec.Text(l.File) == "" {
			continue
		}
		if refs[l.Function] += l.References(); refs[l.Function] > most {
			most, function = refs[l.Function], l.Function
		}
	}
	return function
}

// seen is called when the pane is drawn: the first time, there is to be a graph.
func (c *compiled) seen() {
	if c.asked != "" || c.file != "" {
		return
	}
	if f := c.functionOf(c.d.rec.CodeOf(c.d.link.State().Selected)); f != "" {
		c.ask(f)
	} else if f := c.hottest(); f != "" {
		c.ask(f)
	}
}

// functionOf is the function in Go that a line belongs to: a line that makes no references belongs to that of the
// nearest that does.
func (c *compiled) functionOf(t link.Thing) (function string) {
	if t.What != link.Line || !strings.HasSuffix(t.File, ".go") {
		return ""
	}
	nearest := 1 << 30
	for i := range int32(c.d.rec.Lines.Len()) {
		if l := c.d.rec.Lines.At(i); l.File == t.File && l.Line > 0 {
			if d := max(l.Line-t.Line, t.Line-l.Line); d < nearest {
				nearest, function = d, l.Function
			}
		}
	}
	return function
}

// follow shows the function of what has been selected elsewhere.
func (c *compiled) follow(t link.Thing) {
	if f := c.functionOf(c.d.rec.CodeOf(t)); f != "" && c.file == "" && f != c.asked {
		c.ask(f)
	}
}

// openSelected is openLine for what is selected, or says why there is nothing to open.
func (c *compiled) openSelected() {
	t := c.d.rec.CodeOf(c.d.link.State().Selected)
	switch {
	case t.What != link.Line:
		c.d.host.Notice("No line is selected whose loads and stores could be opened in the compiler's graph; press one in " +
			"the source, the findings or the cycles first.")
	case c.functionOf(t) == "" && c.file == "":
		c.d.host.Notice("There is no compiler's graph of the selected line; for programs in Go it is made at once, for " +
			"others open one with File, Graphs of this program….")
	default:
		c.openLine(t)
	}
}

// openLine shows the loads and stores of a line, in the graph of its function.
func (c *compiled) openLine(t link.Thing) {
	c.open = t
	c.d.show(shell.Code)
	f := c.functionOf(t)
	switch {
	case c.file != "" || f != "" && f == c.asked:
		c.opened()
	case f != "":
		c.ask(f)
	}
}

// opened opens the line that waits for its function.
func (c *compiled) opened() {
	if t := c.open; t.What == link.Line && c.e.Phases() > 0 {
		c.open = link.Thing{}
		if !c.e.OpenLine(t) && c.file != "" {
			c.d.host.Notice(fmt.Sprintf("%s has no node of %s:%d.", filepath.Base(c.file), filepath.Base(t.File), t.Line))
		}
	}
}

// ask gets the graph of a function from Go's compiler, once.
func (c *compiled) ask(function string) {
	c.asked = function
	if at, ok := c.known[function]; ok {
		c.e.Show(c.list, at, -1)
		c.opened()
		return
	}
	rec, name := c.d.rec, traceio.ShortFunction(function)
	c.e.Empty = "Asking Go's compiler for the graph of " + name + " …"
	c.d.changed(shell.Code)
	jobs.Start(c.d.host.Engine, c.d.key("compiler"), "asking Go's compiler about "+name,
		func(ctx context.Context, _ func(done, total int64)) (*gossa.Recorded, error) {
			return rec.GoGraph(ctx, function)
		}, func(r *gossa.Recorded, err error) {
			if err != nil {
				c.e.Empty = "There is no graph of " + name + ". " + err.Error()
				c.d.changed(shell.Code)
				return
			}
			c.count(func() {
				c.known[function] = len(c.list)
				c.list = append(c.list[:len(c.list):len(c.list)], graphs.Entries(r.Document)...)
				c.chase()
				c.e.Show(c.list, c.known[function], -1)
				c.opened()
			})
		})
}

// count counts references and misses by instruction, unless that is done, and goes on.
func (c *compiled) count(then func()) {
	rec, config := c.d.rec, c.d.hierarchy
	if rec.EventsOnly() || c.counts != nil && c.of == config.TOML() {
		then()
		return
	}
	jobs.Start(c.d.host.Engine, c.d.key("heat"), "counting misses by instruction",
		func(ctx context.Context, report func(done, total int64)) (*heat.Counts, error) {
			return heat.Count(ctx, rec, config, report)
		}, func(counts *heat.Counts, err error) {
			if err != nil {
				c.d.host.Failed(err.Error())
				then()
				return
			}
			c.counts, c.of = counts, config.TOML()
			level := max(0, config.Entry(traceio.Load))
			c.e.Lends(func(g *irgraph.Group) func(s *irgraph.Snapshot) *heat.Joined {
				program := rec.Program()
				return func(s *irgraph.Snapshot) *heat.Joined { return heat.Join(counts, program, g, s) }
			}, level, config.Levels[level].Name)
			then()
		})
}

// recount follows another hierarchy.
func (c *compiled) recount() {
	if c.e.Phases() > 0 {
		c.count(func() {
			c.chase()
			c.e.Refresh()
		})
	}
}

// chase puts the pointer chases in the functions whose graphs are known among the findings.
func (c *compiled) chase() {
	if c.counts == nil {
		return
	}
	rec, counts, config := c.d.rec, c.counts, c.d.hierarchy
	var groups []*irgraph.Group
	for _, e := range c.list {
		groups = append(groups, e.Group)
	}
	jobs.Start(c.d.host.Engine, c.d.key("chases"), "looking for pointer chases",
		func(context.Context, func(done, total int64)) ([]findings.Finding, error) {
			return rec.Chases(groups, counts, config), nil
		}, func(list []findings.Finding, err error) {
			if err == nil {
				c.d.noticed.chased = list
				c.d.noticed.merge()
			}
		})
}

// attached is a file of graphs, and the recording with the names that they give to code.
type attached struct {
	doc     *irgraph.Document
	entries []graphs.Entry
	named   *session.Recording
}

// rename takes the same recording with more names of code. Times, regions and what recurs stay; what is counted by code
// is counted again.
func (d *Document) rename(rec *session.Recording) {
	d.cycles.grow(rec)
	d.rec = rec
	d.simulate()
	d.changed()
}

// attach takes the graphs of the recorded program from a file, or from a folder of GCC's dumps.
func (c *compiled) attach(path string) {
	rec := c.d.rec
	jobs.Start(c.d.host.Engine, c.d.key("graphs"), "reading "+filepath.Base(path),
		func(ctx context.Context, report func(done, total int64)) (*attached, error) {
			doc, err := graphfile.Open(ctx, path, report)
			if err != nil {
				return nil, err
			}
			a := &attached{doc: doc, entries: graphs.Entries(doc)}
			var groups []*irgraph.Group
			for _, e := range a.entries {
				groups = append(groups, e.Group)
			}
			a.named = rec.WithGraphs(groups)
			return a, nil
		}, func(a *attached, err error) {
			if err != nil {
				c.d.host.Failed(err.Error())
				return
			}
			for _, p := range a.doc.Problems {
				c.d.host.Notice(p.Error())
			}
			if a.named != rec && c.d.rec == rec {
				c.d.rename(a.named)
			}
			c.count(func() {
				c.file, c.list = path, a.entries
				c.chase()
				c.d.show(shell.Code)
				c.e.Show(c.list, c.busiest(), -1)
				c.opened()
			})
		})
}

// mostJoined bounds among how many functions of a file the busiest is looked for.
const mostJoined = 500

// busiest is the function of the list whose nodes refer to memory most; of equals one with the name of the busiest
// code.
func (c *compiled) busiest() (best int) {
	if c.counts == nil {
		return 0
	}
	hottest := ""
	if c.d.rec.Lines.Len() > 0 {
		hottest = traceio.ShortFunction(c.d.rec.Lines.At(0).Function)
	}
	most, named := uint64(0), false
	for i, e := range c.list[:min(len(c.list), mostJoined)] {
		sum := uint64(0)
		for _, h := range heat.Join(c.counts, c.d.rec.Program(), e.Group, e.Snapshots[len(e.Snapshots)-1]).Nodes {
			sum += h.References()
		}
		if is := e.Name == hottest; sum > most || sum == most && is && !named {
			best, most, named = i, sum, is
		}
	}
	return best
}

// commands are the graph's.
func (c *compiled) commands() []shell.Command {
	list := []shell.Command{
		{ID: "graph.open", Title: "Graphs of this program…", Menu: "File", Run: func() { c.d.host.OpenFile(c.attach) },
			Enabled: func() bool { return c.d.host.OpenFile != nil }},
		{ID: "graph.open.folder", Title: "Graphs of this program from GCC's folder…", Menu: "File", Run: func() {
			c.d.host.OpenFolder(c.attach)
		},
			Enabled: func() bool { return c.d.host.OpenFolder != nil }},
		{ID: "graph.line", Title: "Open the selected line in the compiler's graph", Menu: "Analyse", Keys: "G",
			Run: c.openSelected},
	}
	return append(list, c.e.Commands()...)
}
