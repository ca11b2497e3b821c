package design

import (
	"context"
	"image/color"
	"math"
	"slices"

	"orrery/analysis/depgraph/layout"
	"orrery/analysis/dse"
	"orrery/traceio/designs"
	"orrery/views/palette"
	"orrery/views/scene"
)

// Case is what all pictures of the designs of a space share. It is made once.
type Case struct {
	Space *dse.Space

	flow   [2]*layout.Layout // of the processes, downward and to the right
	ring   []int             // the processes in the order of the flow
	kinds  []int             // of each component the rank of its type among all types, processors' first
	twin   []int             // and its number among those of its type
	twins  []int             // how many there are of the type
	memory []int             // of each component the rank of its type among memories' types
	types  []string

	execution, read, write [][]float64 // by process
	busy                   [][]float64 // by component
	doing                  [3][][]float64
	slow                   float64 // the latency that is drawn as the worst
}

// NewCase prepares the pictures of a space's designs.
func NewCase(ctx context.Context, s *dse.Space) (*Case, error) {
	c := &Case{Space: s}
	if s.Platform == nil {
		return c, ctx.Err()
	}
	c.typed()
	c.execution, c.read, c.write, c.busy = s.About(designs.Execution), s.About(designs.ReadLatency),
		s.About(designs.WriteLatency), s.About(designs.Utilization)
	c.doing = [3][][]float64{s.About(designs.ExecuteTime), s.About(designs.ReadTime), s.About(designs.WriteTime)}
	c.slow = worst(append(slices.Clone(c.read), c.write...))
	return c, c.arrange(ctx)
}

// worst is the 99th percentile of positive values: a few extreme designs do not make all others look alike. Of many
// values each n-th is enough.
func worst(columns [][]float64) float64 {
	var all []float64
	for _, col := range columns {
		for i := 0; i < len(col); i += 1 + len(col)/4096 {
			if col[i] > 0 {
				all = append(all, col[i])
			}
		}
	}
	if len(all) == 0 {
		return 1
	}
	slices.Sort(all)
	return all[len(all)*99/100]
}

// typed numbers the types of components.
func (c *Case) typed() {
	p := c.Space.Platform
	rank := map[string]int{}
	memories := 0
	for i := range p.Components() {
		what := p.Component(i).Type
		key := what
		if i >= len(p.Processors) { // a memory may have the name of a processor's type
			key = "memory " + what
		}
		k, ok := rank[key]
		if !ok {
			k = len(c.types)
			rank[key], c.types, c.twins = k, append(c.types, what), append(c.twins, 0)
			if i >= len(p.Processors) {
				memories++
			}
		}
		c.kinds, c.twin, c.memory = append(c.kinds, k), append(c.twin, c.twins[k]), append(c.memory, memories-1)
		c.twins[k]++
	}
}

// missing says why there is no such picture, "" when there is.
func (c *Case) missing(p Picture) string {
	s := c.Space
	none := func(columns [][]float64) bool {
		return !slices.ContainsFunc(columns, func(col []float64) bool { return col != nil })
	}
	switch {
	case p == Generations && !s.Generations.Known():
		return "The table tells no generations."
	case p == Generations:
		return ""
	case s.Platform == nil || s.Mapping == nil && p != Platform && p != Operations:
		return "The table tells no mapping. A description beside it can name processes, channels, processors and memories."
	case p == Execution && none(c.execution):
		return "The table does not tell how long processes are executed."
	case p == Latency && none(c.read) && none(c.write):
		return "The table does not tell how long processes wait for reads and writes."
	case p == Platform && none(c.busy):
		return "The table does not tell how busy the components are."
	case p == Operations && none(c.doing[0]) && none(c.doing[1]) && none(c.doing[2]):
		return "The table does not tell what the processors do."
	}
	return ""
}

// value is a number of a column of secondary objectives, NaN when there is none.
func value(columns [][]float64, i int, p int32) float64 {
	if i >= len(columns) || columns[i] == nil {
		return math.NaN()
	}
	return columns[i][p]
}

// ink is the colour of a component: that of its type, lighter or darker for further ones of the type.
func (c *Case) ink(t palette.Theme, component int) color.NRGBA {
	k := c.kinds[component]
	base := palette.Qualitative(t, k)
	if n := c.twins[k]; n > 1 {
		share := float64(c.twin[component]) / float64(n-1) // 0 .. 1
		if share < 0.5 {
			return palette.Mix(base, color.NRGBA{R: 255, G: 255, B: 255, A: 255}, 0.35*(1-2*share))
		}
		return palette.Mix(base, color.NRGBA{A: 255}, 0.4*(2*share-1))
	}
	return base
}

// dashes are the styles of types of memory.
var dashes = [][]float64{{7, 3}, {2, 3}, {9, 3, 2, 3}, {4, 2}, {1.5, 2, 6, 2}, {12, 4}}

func (c *Case) dash(component int) []float64 {
	return dashes[max(0, c.memory[component])%len(dashes)]
}

// shape is the outline of a process on a processor: one for each type of processor.
func (c *Case) shape(component int, r scene.Rect) scene.Path {
	at := func(pts ...[2]float64) (p scene.Path) {
		for i, q := range pts {
			x, y := r.Min.X+q[0]*r.W(), r.Min.Y+q[1]*r.H()
			if i == 0 {
				p.Move(x, y)
			} else {
				p.Line(x, y)
			}
		}
		p.Close()
		return p
	}
	if component < 0 {
		return scene.RoundBox(r, 3)
	}
	switch c.kinds[component] % 7 {
	case 0:
		return at([2]float64{0, 0.38}, [2]float64{0.5, 0}, [2]float64{1, 0.38}, [2]float64{0.86, 1}, [2]float64{0.14, 1})
	case 1:
		return at([2]float64{0.16, 0}, [2]float64{0.84, 0}, [2]float64{1, 0.5}, [2]float64{0.84, 1},
			[2]float64{0.16, 1}, [2]float64{0, 0.5})
	case 2:
		return scene.Box(r)
	case 3:
		return scene.RoundBox(r, min(r.W(), r.H())/2)
	case 4:
		return at([2]float64{0.2, 0}, [2]float64{1, 0}, [2]float64{0.8, 1}, [2]float64{0, 1})
	case 5:
		return at([2]float64{0.18, 0}, [2]float64{0.82, 0}, [2]float64{1, 1}, [2]float64{0, 1})
	}
	return at([2]float64{0.12, 0}, [2]float64{0.88, 0}, [2]float64{1, 0.3}, [2]float64{1, 0.7}, [2]float64{0.88, 1},
		[2]float64{0.12, 1}, [2]float64{0, 0.7}, [2]float64{0, 0.3})
}
