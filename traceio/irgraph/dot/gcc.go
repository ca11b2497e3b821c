package dot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// function is one of GCC's clusters at the outside: a function with its basic blocks.
type function struct {
	name  string
	nodes []string
	edges [][2]string
}

// enter begins a function when the cluster is one: the loops in it are clusters too, but have numbers.
func (p *parser) enter(cluster string) {
	if p.function == nil {
		p.function = &function{name: strings.TrimPrefix(cluster, "cluster_")}
		p.inside = append(p.inside, p.function)
	}
}

// dumpName is what GCC calls a graph: the source file, the number of the pass, t, r or i for the kind, and the name.
var dumpName = regexp.MustCompile(`^.+\.(\d{3}[tri]\.[\w-]+)$`)

// passOf is the pass in a graph's name.
func passOf(name string) (string, bool) {
	m := dumpName.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// finishGCC makes a group of each function.
func (p *parser) finishGCC(pass string) {
	whole := p.draft.Snapshot()
	index := map[string]int{}
	for i := range whole.Nodes {
		index[whole.Nodes[i].ID] = i
	}
	edges := map[string][]irgraph.Edge{} // by the function's node that they leave
	for _, e := range whole.Edges {
		id := whole.Nodes[e.From].ID
		edges[id] = append(edges[id], e)
	}
	for _, f := range p.inside {
		d := irgraph.NewDraft(p.doc, irgraph.NewBudget(irgraph.MaxElements), p.pool.Text(pass))
		for _, id := range f.nodes {
			short := p.short(id)
			at := irgraph.Position{}
			if !d.AddNode(short, p.block(short, p.nodes[id]), at) {
				continue
			}
			b := d.AddBlock(short)
			d.AddToBlock(b, short, at)
		}
		for _, id := range f.nodes {
			for k, e := range edges[id] {
				to := whole.Nodes[e.To].ID
				q := e.Properties.With(irgraph.KeyType, "control")
				d.AddEdge(p.short(id), p.short(to), int32(k), 0, q, irgraph.Position{})
				if e.Properties.Get("style") != "invis" { // from the entry to the exit, for the layout's sake
					d.AddSuccessor(d.AddBlock(p.short(id)), p.short(to), irgraph.Position{})
				}
			}
		}
		p.doc.Groups = append(p.doc.Groups, &irgraph.Group{Name: p.pool.Text(f.name),
			Snapshots: []*irgraph.Snapshot{d.Snapshot()}})
	}
}

// short is a block's name as GCC's other dumps have it, without its function's number: "bb 3" of fn_0_basic_block_3.
func (p *parser) short(id string) string {
	if rest, ok := strings.CutPrefix(id, "fn_"); ok {
		if _, name, ok := strings.Cut(rest, "_"); ok && name != "" {
			if number, ok := strings.CutPrefix(name, "basic_block_"); ok && number != "" {
				name = "bb " + number
			}
			return p.pool.Text(name)
		}
	}
	return id
}

// ReadSeries reads the dumps of all passes in a directory, as -fdump-tree-all-graph leaves them: functions are groups,
// passes their snapshots in order. Blocks of a number are taken for the same in all passes, as GCC mostly keeps them.
// Where the source file lies in the directory too, functions have its text. report gets files and may be nil. The error
// is an *traceio.Error, or the context's.
func ReadSeries(ctx context.Context, dir string, report func(done, total int64)) (*irgraph.Document, error) {
	files, err := filepath.Glob(filepath.Join(escaped(dir), "*.[0-9][0-9][0-9][tri].*.dot"))
	if err != nil || len(files) == 0 {
		return nil, &traceio.Error{File: dir, Msg: "the directory has no dumps of GCC",
			Hint: "make some with gcc -O2 -fdump-tree-all-graph-lineno"}
	}
	slices.SortStableFunc(files, func(a, b string) int { return strings.Compare(order(a), order(b)) })
	all := &irgraph.Document{Path: dir, Format: "gcc"}
	groups := map[string]*irgraph.Group{}
	elements := 0
	for i, file := range files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // a pipe may never end, nor begin
			all.Problem(irgraph.Position{}, "the pass is left out", "%s is not a file", filepath.Base(file))
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			all.Problem(irgraph.Position{}, "the pass is left out", "%v", err)
			continue
		}
		doc, err := Read(f, file)
		f.Close()
		if err != nil {
			all.Problem(irgraph.Position{}, "the pass is left out", "%v", err)
			continue
		}
		for _, e := range doc.Problems {
			all.Problem(irgraph.Position{Line: e.Line}, e.Hint, "%s: %s", filepath.Base(file), e.Msg)
		}
		source, _, _ := strings.Cut(filepath.Base(file), order(file))
		for _, g := range doc.Groups {
			if elements += len(g.Snapshots[0].Nodes) + len(g.Snapshots[0].Edges); elements > irgraph.MaxElements {
				all.Problem(irgraph.Position{}, "dump fewer passes",
					"the passes have more than %d nodes and edges; the rest is left out", irgraph.MaxElements)
				takeSources(dir, all.Groups)
				return all, nil
			}
			key := source + g.Name
			if groups[key] == nil {
				groups[key] = &irgraph.Group{Name: g.Name,
					Properties: irgraph.Properties{{Key: "source", Value: strings.TrimSuffix(source, ".")}}}
				all.Groups = append(all.Groups, groups[key])
			}
			groups[key].Snapshots = append(groups[key].Snapshots, g.Snapshots...)
		}
		if report != nil {
			report(int64(i+1), int64(len(files)))
		}
	}
	if len(all.Groups) == 0 {
		return nil, &traceio.Error{File: dir, Msg: fmt.Sprintf("none of its %d dumps can be read", len(files)),
			Hint: "make them again with gcc -fdump-tree-all-graph-lineno"}
	}
	takeSources(dir, all.Groups)
	return all, nil
}

// order is the part of a file's name that passes sort by: "015t.cfg".
func order(file string) string {
	pass, _ := passOf(strings.TrimSuffix(filepath.Base(file), ".dot"))
	return pass
}

// escaped is a path that filepath.Glob takes as it is.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
