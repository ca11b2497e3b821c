package filter

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/dop251/goja"

	"orrery/analysis/depgraph"
	"orrery/traceio/irgraph"
)

// Function describes one function of scripts, for a help page, with a call to begin from.
type Function struct{ Call, Does, Example string }

// Functions are those that scripts may call. PROPERTY is a name, RE a text, which must describe the whole value, or a
// regular expression between slashes, which must describe a part of it; COLOR is red, green, ... or "#rrggbb".
var Functions = []Function{
	{`colorize(PROPERTY, RE, COLOR)`, `colours nodes: colorize("name", "I.*", red)`, `colorize("name", "I.*", red);`},
	{`colorizeEdges(PROPERTY, RE, COLOR)`, `colours edges; an edge has "from", "to" and "slot" beside its properties`,
		`colorizeEdges("type", "control", red);`},
	{`colorizeBy(PROPERTY)`, `gives each value of a property a colour of its own`, `colorizeBy("name");`},
	{`colorizeEdgesBy(PROPERTY)`, `likewise for edges`, `colorizeEdgesBy("type");`},
	{`heat(PROPERTY)`, `colours nodes from pale to dark red by a number, in steps of powers`, `heat("misses");`},
	{`remove(PROPERTY, RE)`, `removes nodes with their edges`, `remove("category", "constant");`},
	{`keep(PROPERTY, RE, DISTANCE)`, `removes all other nodes but those within DISTANCE edges; 0 if left out`,
		`keep("category", "memory", 1);`},
	{`bypass(PROPERTY, RE)`, `removes nodes and joins their inputs to their uses`, `bypass("name", "Copy|Proj.*");`},
	{`removeEdges(PROPERTY, RE)`, `removes edges`, `removeEdges("type", "control");`},
	{`removeLoose()`, `removes nodes without edges`, `removeLoose();`},
	{`merge(PROPERTY, RE)`, `makes one node of all`, `merge("category", "constant");`},
	{`mergeBy(PROPERTY)`, `makes one node of those with the same value of a property`, `mergeBy("line");`},
	{`mergeUp(PROPERTY, RE)`, `merges nodes into the node their first input comes from; its slots become several`,
		`mergeUp("name", "Proj.*");`},
	{`mergeDown(PROPERTY, RE)`, `merges nodes that are used once into their use`, `mergeDown("category", "constant");`},
	{`split(PROPERTY, RE)`, `gives each use of a node a copy of its own`, `split("category", "constant");`},
	{`addNode(ID, NAME, {KEY: VALUE})`, `adds a node`, `addNode("note", "a node of mine", {category: "data"});`},
	{`addEdge(FROM, TO, TYPE)`, `adds an edge between two nodes, by their IDs`, `addEdge("1", "2", "data");`},
	{`set(PROPERTY, RE, KEY, VALUE)`, `gives nodes a property; $1 in VALUE is what the first group describes`,
		`set("name", "(Load|Store).*", "kind", "$1");`},
	{`count(PROPERTY, RE)`, `how many nodes there are`, `if (count("name", "Phi") > 10) remove("name", "Phi");`},
	{`nodes(PROPERTY, RE)`,
		`the nodes, to be looked at one by one: id, name, get(KEY), set(KEY, VALUE), color(COLOR), inputs(), uses()`,
		`for (const n of nodes("name", "Phi")) if (n.uses().length > 2) n.color(yellow);`},
	{`rgb(R, G, B)`, `a colour of three numbers from 0 to 255`, `colorize("name", "Phi", rgb(90, 160, 250));`},
}

// define gives the script its functions and colours.
func (r *run) define() {
	r.defineMethods()
	for name := range named {
		r.must(r.vm.Set(name, name))
	}
	node := func(f func(a args, m *Match, mark []bool)) func(args) {
		return func(a args) {
			m := r.match(a)
			mark, n := m.Nodes(r.g)
			r.result.Nodes += n
			f(a, m, mark)
		}
	}
	for name, f := range map[string]func(args){
		"colorize":        node(r.colorize),
		"colorizeEdges":   r.colorizeEdges,
		"colorizeBy":      func(a args) { r.colorizeBy(a.text(0)) },
		"colorizeEdgesBy": func(a args) { r.colorizeEdgesBy(a.text(0)) },
		"heat":            func(a args) { r.heat(a.text(0)) },
		"remove":          node(func(_ args, _ *Match, mark []bool) { drop(r.g, mark) }),
		"keep":            node(r.keep),
		"bypass":          node(func(_ args, _ *Match, mark []bool) { r.enough(bypass(r.g, mark)) }),
		"removeEdges":     r.removeEdges,
		"removeLoose":     func(args) { r.removeLoose() },
		"merge":           node(func(_ args, _ *Match, mark []bool) { r.merge(mark) }),
		"mergeBy":         func(a args) { r.mergeBy(a.text(0)) },
		"mergeUp":         node(func(_ args, _ *Match, mark []bool) { r.mergeInto(mark, true) }),
		"mergeDown":       node(func(_ args, _ *Match, mark []bool) { r.mergeInto(mark, false) }),
		"split":           node(func(_ args, _ *Match, mark []bool) { r.enough(split(r.g, mark)) }),
		"addNode":         r.addNode,
		"addEdge":         r.addEdge,
		"set":             node(func(a args, m *Match, mark []bool) { set(r.g, m, mark, a.text(2), a.text(3)) }),
	} {
		r.must(r.vm.Set(name, func(call goja.FunctionCall) goja.Value {
			r.check()
			defer r.at()()
			r.changes++
			f(args{r, name, call.Arguments})
			return goja.Undefined()
		}))
	}
	r.must(r.vm.Set("count", func(call goja.FunctionCall) goja.Value {
		defer r.at()()
		_, n := r.match(args{r, "count", call.Arguments}).Nodes(r.g)
		return r.vm.ToValue(n)
	}))
	r.must(r.vm.Set("nodes", func(call goja.FunctionCall) goja.Value {
		defer r.at()()
		return r.handles(args{r, "nodes", call.Arguments})
	}))
	r.must(r.vm.Set("rgb", func(red, green, blue int) string {
		byte := func(v int) int { return max(0, min(v, 255)) }
		return fmt.Sprintf("#%02x%02x%02x", byte(red), byte(green), byte(blue))
	}))
}

// must panics on errors that only a fault of this package can cause.
func (r *run) must(err error) {
	if err != nil {
		panic(err)
	}
}

// args are the arguments of one call.
type args struct {
	r    *run
	name string
	v    []goja.Value
}

// fail throws a sentence in the script.
func (r *run) fail(format string, a ...any) {
	panic(r.vm.NewTypeError(fmt.Sprintf(format, a...)))
}

// text is argument i, which must be there.
func (a args) text(i int) string {
	if i >= len(a.v) || goja.IsUndefined(a.v[i]) {
		a.r.fail("%s needs %d arguments", a.name, i+1)
	}
	return a.v[i].String()
}

func (a args) color(i int) color.NRGBA {
	s := a.text(i)
	c, ok := parse(s)
	if !ok {
		a.r.fail("%s: %q is no colour; say red, \"#f80\" or rgb(255, 136, 0)", a.name, s)
	}
	return c
}

// match makes the match of the first two arguments.
func (r *run) match(a args) *Match {
	key := a.text(0)
	expression := a.text(1)
	make := Whole
	if o, ok := a.v[1].(*goja.Object); ok && o.ClassName() == "RegExp" {
		make, expression = Part, o.Get("source").String()
		if o.Get("ignoreCase").ToBoolean() {
			expression = "(?i)" + expression
		}
	}
	m, err := make(key, expression)
	if err != nil {
		r.fail("%s: %v", a.name, err)
	}
	m.check = r.check
	return m
}

func (r *run) enough(ok bool) {
	if !ok {
		r.fail("this would make more than %d edges", most)
	}
}

func (r *run) colorize(a args, _ *Match, mark []bool) {
	c := a.color(2)
	for v := range r.g.Nodes {
		if mark[v] {
			r.g.Nodes[v].Color = c
		}
	}
}

func (r *run) colorizeEdges(a args) {
	m, c := r.match(a), a.color(2)
	for i := range r.g.Edges {
		if e := &r.g.Edges[i]; m.Edge(r.g, e) {
			e.Color = c
			r.result.Edges++
		}
	}
}

// wheel is the colour of a value: the next one where it is new.
func (r *run) wheel(value string) color.NRGBA {
	if r.colors == nil {
		r.colors = map[string]int{}
	}
	i, ok := r.colors[value]
	if !ok {
		i = len(r.colors)
		r.colors[value] = i
	}
	return named[wheel[i%len(wheel)]]
}

func (r *run) colorizeBy(key string) {
	for v := range r.g.Nodes {
		if value := text(&r.g.Nodes[v], key); value != "" {
			r.g.Nodes[v].Color = r.wheel(value)
			r.result.Nodes++
		}
	}
}

func (r *run) colorizeEdgesBy(key string) {
	for i := range r.g.Edges {
		if value := r.g.Edges[i].Properties.Get(key); value != "" {
			r.g.Edges[i].Color = r.wheel(value)
			r.result.Edges++
		}
	}
}

// heat colours by the logarithm of a number, from the least above 0 to the largest: counts of references and misses
// span many powers of ten.
func (r *run) heat(key string) {
	value, low, high := make([]float64, len(r.g.Nodes)), math.Inf(1), 0.0
	for v := range r.g.Nodes {
		x, err := strconv.ParseFloat(text(&r.g.Nodes[v], key), 64)
		if err == nil && x > 0 && !math.IsInf(x, 1) {
			value[v], low, high = x, min(low, x), max(high, x)
		}
	}
	for v, x := range value {
		if x > 0 {
			t := 1.0
			if high > low {
				t = math.Log(x/low) / math.Log(high/low)
			}
			r.g.Nodes[v].Color = ramp(t)
			r.result.Nodes++
		}
	}
}

func (r *run) keep(a args, _ *Match, mark []bool) {
	distance := 0
	if len(a.v) > 2 {
		distance = int(max(0, min(a.v[2].ToInteger(), 1<<30)))
	}
	r.g.Keep(near(r.g, mark, distance))
}

func (r *run) removeEdges(a args) {
	m := r.match(a)
	before := len(r.g.Edges)
	r.g.Edges = slices.DeleteFunc(r.g.Edges, func(e depgraph.Edge) bool { return m.Edge(r.g, &e) })
	r.result.Edges += before - len(r.g.Edges)
}

func (r *run) removeLoose() {
	joined := make([]bool, len(r.g.Nodes))
	for _, e := range r.g.Edges {
		joined[e.From], joined[e.To] = true, true
	}
	before := len(r.g.Nodes)
	r.g.Keep(joined)
	r.result.Nodes += before - len(r.g.Nodes)
}

// themselves is the start of a merge: every node stays.
func (r *run) themselves() []int32 {
	into := make([]int32, len(r.g.Nodes))
	for v := range into {
		into[v] = int32(v)
	}
	return into
}

func (r *run) merge(mark []bool) {
	into := r.themselves()
	whole := slices.Index(mark, true)
	for v := range mark {
		if mark[v] {
			into[v] = int32(whole)
		}
	}
	join(r.g, into)
}

func (r *run) mergeBy(key string) {
	into, whole := r.themselves(), map[string]int32{}
	for v := range r.g.Nodes {
		value := text(&r.g.Nodes[v], key)
		if value == "" {
			continue
		}
		r.result.Nodes++
		if w, ok := whole[value]; ok {
			into[v] = w
		} else {
			whole[value] = int32(v)
		}
	}
	join(r.g, into)
}

// mergeInto merges marked nodes into the source of their first input, or into their only use.
func (r *run) mergeInto(mark []bool, up bool) {
	into := r.themselves()
	slot, uses := make([]int32, len(into)), make([]int32, len(into))
	for i := range r.g.Edges {
		switch e := &r.g.Edges[i]; {
		case up && mark[e.To]:
			if into[e.To] == e.To || e.ToSlot < slot[e.To] {
				into[e.To], slot[e.To] = e.From, e.ToSlot
			}
		case !up && mark[e.From]:
			uses[e.From]++
			into[e.From] = e.To
		}
	}
	for v := range into {
		if !up && uses[v] > 1 {
			into[v] = int32(v)
		}
	}
	// A chain of merged nodes ends in one that stays; a cycle of them stays as it is.
	state := make([]int8, len(into))
	for v := range into {
		var path []int32
		w := int32(v)
		for state[w] == 0 && into[w] != w {
			state[w] = 1
			path = append(path, w)
			w = into[w]
		}
		ring := state[w] == 1
		for _, u := range path {
			state[u] = 2
			if ring {
				into[u] = u
			} else {
				into[u] = into[w]
			}
		}
		state[w] = 2
	}
	join(r.g, into)
}

func (r *run) addNode(a args) {
	var p irgraph.Properties
	if len(a.v) > 2 {
		if o, ok := a.v[2].(*goja.Object); ok {
			for _, k := range o.Keys() {
				p = append(p, irgraph.Property{Key: k, Value: o.Get(k).String()})
			}
		}
	}
	if !add(r.g, a.text(0), a.text(1), p) {
		r.fail("addNode: there is a node %q already", a.text(0))
	}
	r.result.Nodes++
}

func (r *run) addEdge(a args) {
	find := func(id string) int32 {
		v := slices.IndexFunc(r.g.Nodes, func(n depgraph.Node) bool { return n.ID == id })
		if v < 0 {
			r.fail("addEdge: there is no node %q", id)
		}
		return int32(v)
	}
	e := depgraph.Edge{From: find(a.text(0)), To: find(a.text(1)), Of: -1}
	e.ToSlot = r.g.Nodes[e.To].Inputs
	if len(a.v) > 2 {
		e.Properties = irgraph.Properties{{Key: irgraph.KeyType, Value: a.text(2)}}
	}
	r.g.Edges = append(r.g.Edges, e)
	r.g.Nodes[e.To].Inputs++
	r.result.Edges++
}
