// Layered draws graphs with orrery's layout and with Graphviz's dot, and prints processor seconds of both and the crossings of both
// drawings, counted from their lines alone.
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"orrery/analysis/depgraph/layout"
	"orrery/analysis/depgraph/layout/layouttest"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/gossa"
	"orrery/traceio/irgraph/graphfile"
)

func main() {
	limit := flag.Int("limit", 300, "most processor seconds of one run of dot")
	long := flag.Int("long", 0, "cut edges over more layers than this")
	straight := flag.Bool("straight", false, "dot with -Gnslimit=1 -Gsplines=line")
	ports := flag.Bool("ports", false, "in dot, too, all edges leave the bottom of a node and enter the top of one, those upwards as well")
	alone := flag.Bool("alone", false, "do not run dot")
	flag.Parse()
	begun := own() // what this process took until here is its start
	if !*alone {
		_, _, _ = dot(layout.Graph{}, *limit, *straight, *ports) // so that its files are in memory
		if start, _, err := dot(layout.Graph{}, *limit, *straight, *ports); err == nil {
			fmt.Printf("starts: dot takes %.3f s for a graph without nodes, orrery's process %.3f s before it draws\n", start, begun.Seconds())
			starts = [2]float64{begun.Seconds(), start}
		}
	}
	var all summary
	for _, name := range flag.Args() {
		if err := compare(name, *limit, *long, *straight, *ports, *alone, &all); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	all.print()
}

// summary is what the graphs drawn by both have in common.
type summary struct {
	graphs           int
	times, crossings float64 // sums of logarithms
	slowest, worst   string
	least, most      float64 // ratios of the two
}

func (s *summary) add(name string, times, crossings float64) {
	if s.graphs == 0 || times < s.least {
		s.least, s.slowest = times, name
	}
	if s.graphs == 0 || crossings > s.most {
		s.most, s.worst = crossings, name
	}
	s.graphs++
	s.times += math.Log(times)
	s.crossings += math.Log(max(crossings, 1e-9))
}

func (s *summary) print() {
	if n := float64(s.graphs); s.graphs > 1 {
		fmt.Printf("%d graphs: dot takes %.0f times as long on the geometric mean, least %.0f for %s; crossings %.3f on the geometric mean, most %.3f for %s\n",
			s.graphs, math.Exp(s.times/n), s.least, s.slowest, math.Exp(s.crossings/n), s.most, s.worst)
	}
}

// starts are processor seconds that orrery's process and dot take before they draw.
var starts [2]float64

// graph makes what a name says: layered:SEED:NODES:LAYERS:EDGES, compiled:SEED:NODES, go:PACKAGE:FUNCTION:PHASE, which Go's compiler is
// asked for, or FILE#GROUP#PHASE, a phase of a file that orrery graph reads; without a group the first, without a phase the one with
// the most nodes.
func graph(ctx context.Context, name string) (layout.Graph, error) {
	f := strings.Split(name, ":")
	var v [4]int
	for i := range min(len(f)-1, len(v)) {
		v[i], _ = strconv.Atoi(f[i+1])
	}
	switch f[0] {
	case "layered":
		return layouttest.Layered(uint64(v[0]), v[1], v[2], v[3]), nil
	case "compiled":
		return layouttest.Compiled(uint64(v[0]), v[1]), nil
	case "go":
		if len(f) != 4 {
			return layout.Graph{}, fmt.Errorf("%s is not go:PACKAGE:FUNCTION:PHASE", name)
		}
		got, err := gossa.Record(ctx, gossa.Options{Package: f[1], Func: f[2]})
		if err != nil {
			return layout.Graph{}, err
		}
		return choose(got.Document, name, "", f[3])
	}
	file, rest, _ := strings.Cut(name, "#")
	group, phase, _ := strings.Cut(rest, "#")
	doc, err := graphfile.Open(ctx, file, nil)
	if err != nil {
		return layout.Graph{}, err
	}
	return choose(doc, file, group, phase)
}

// choose takes a phase out of a document.
func choose(doc *irgraph.Document, from, group, phase string) (layout.Graph, error) {
	var chosen *irgraph.Snapshot
	doc.Walk(func(_ []string, g *irgraph.Group) {
		for _, s := range g.Snapshots {
			if (group == "" || g.Name == group) && (phase == "" || s.Name == phase) && (chosen == nil || len(s.Nodes) > len(chosen.Nodes)) {
				chosen = s
			}
		}
	})
	if chosen == nil {
		return layout.Graph{}, fmt.Errorf("%s has no group %q with a phase %q", from, group, phase)
	}
	g := layout.Graph{}
	for range chosen.Nodes {
		g.Nodes = append(g.Nodes, layout.Node{Width: layouttest.Width, Height: layouttest.Height, Block: -1})
	}
	for _, e := range chosen.Edges {
		g.Edges = append(g.Edges, layout.Edge{From: e.From, To: e.To, FromX: layouttest.Width / 2, ToX: layouttest.Width / 2})
	}
	return g, nil
}

func compare(name string, limit, long int, straight, ports, alone bool, all *summary) error {
	g, err := graph(context.Background(), name)
	if err != nil {
		return err
	}
	c := comparison{limit: limit, straight: straight, ports: ports, alone: alone, o: layout.Options{Long: long}}
	for range rounds {
		if err := c.round(g); err != nil {
			fmt.Printf("%s: %v after %.1f s\n", name, err, c.theirs[len(c.theirs)-1])
			return nil
		}
		if alone || c.theirs[0] > 2 {
			break
		}
	}
	slices.Sort(c.ours)
	slices.Sort(c.theirs)
	crossings := layouttest.Crossings(layouttest.Lines(c.drawn))
	ours, middle := c.ours[0], c.ours[len(c.ours)/2]
	fmt.Printf("%s: %d nodes, %d edges; orrery %.2f ms, median %.2f, %d crossings, span %d", name, len(g.Nodes), len(g.Edges), 1e3*ours, 1e3*middle, crossings, c.drawn.Span)
	if alone {
		fmt.Println()
		return nil
	}
	least, median := c.theirs[0], c.theirs[len(c.theirs)/2]
	n := layouttest.Crossings(c.lines)
	all.add(name, least/ours, float64(crossings)/float64(max(n, 1)))
	fmt.Printf("; dot %.1f ms, median %.1f, %d crossings; dot takes %.0f times as long, medians %.0f, both without their starts %.0f, both with them %.0f; crossings %.3f\n",
		1e3*least, 1e3*median, n, least/ours, median/middle, (least-starts[1])/ours, least/(ours+starts[0]), float64(crossings)/float64(max(n, 1)))
	return nil
}

// rounds is how often the two draw a graph in turns, unless dot takes more than two seconds.
const rounds = 9

// comparison is processor seconds of both, and what they drew last.
type comparison struct {
	o                      layout.Options
	limit                  int
	straight, ports, alone bool
	ours, theirs           []float64
	drawn                  *layout.Layout
	lines                  [][]layout.Point
}

// round draws with orrery for a tenth of a second, or a hundred times, of which the mean counts, and then with dot once.
func (c *comparison) round(g layout.Graph) (err error) {
	runs := 0
	before := own()
	for runs == 0 || own()-before < 100*time.Millisecond && runs < 100 {
		if c.drawn, err = layout.Compute(context.Background(), g, c.o, nil); err != nil {
			return err
		}
		runs++
	}
	c.ours = append(c.ours, (own()-before).Seconds()/float64(runs))
	if c.alone {
		return nil
	}
	theirs, lines, err := dot(g, c.limit, c.straight, c.ports)
	c.theirs, c.lines = append(c.theirs, theirs), lines
	return err
}

// own is the processor time of this process.
func own() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// dot draws with Graphviz and gives its processor seconds and its lines. Those go from middle to middle of their nodes: by default dot
// ends them where they first meet a node, also where they have run through the corner of a neighbour, and crossings would be hidden
// behind nodes. Nothing else of its drawing depends on that.
func dot(g layout.Graph, limit int, straight, ports bool) (float64, [][]layout.Point, error) {
	edges := "headclip=false tailclip=false"
	if ports {
		edges = "headport=n tailport=s"
	}
	var in bytes.Buffer
	fmt.Fprintf(&in, "digraph { node [shape=box label=\"\" fixedsize=true width=%g height=%g] edge [%s]\n", layouttest.Width/72.0, layouttest.Height/72.0, edges)
	for v := range g.Nodes {
		fmt.Fprintf(&in, "%d\n", v)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&in, "%d -> %d\n", e.From, e.To)
	}
	fmt.Fprintln(&in, "}")
	args := "exec dot -Tplain"
	if straight {
		args += " -Gnslimit=1 -Gsplines=line"
	}
	c := exec.Command("sh", "-c", fmt.Sprintf("ulimit -t %d; %s", limit, args))
	c.Stdin = &in
	var out, diagnosis bytes.Buffer
	c.Stdout, c.Stderr = &out, &diagnosis
	err := c.Run()
	cpu := (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	if err != nil {
		return cpu, nil, fmt.Errorf("dot: %w %s", err, strings.TrimSpace(diagnosis.String()))
	}
	return cpu, plain(&out), nil
}

// plain reads the curves of dot's plain output, each as a polyline of nine pieces a curve. Where a curve is cut differs from edge
// to edge: two that cross in the middle of both, as symmetry makes them, would otherwise only touch.
func plain(out *bytes.Buffer) [][]layout.Point {
	var lines [][]layout.Point
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		f := strings.Fields(s.Text())
		if f[0] != "edge" {
			continue
		}
		n, _ := strconv.Atoi(f[3])
		at := make([]layout.Point, n)
		for i := range at {
			at[i].X, _ = strconv.ParseFloat(f[4+2*i], 64)
			at[i].Y, _ = strconv.ParseFloat(f[5+2*i], 64)
			at[i].X, at[i].Y = at[i].X*72, at[i].Y*72
		}
		line := at[:1:1]
		for i := 0; i+3 < n; i += 3 {
			_, off := math.Modf(0.61803398875 * float64(len(lines)+1))
			for k := range 9 {
				t := (float64(k) + 0.1 + 0.8*off) / 9
				if k == 8 {
					t = 1
				}
				b := [4]float64{(1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t}
				var p layout.Point
				for j, w := range b {
					p.X += w * at[i+j].X
					p.Y += w * at[i+j].Y
				}
				line = append(line, p)
			}
		}
		lines = append(lines, line)
	}
	return lines
}
