package recording

import (
	"encoding/json"
	"fmt"
	"strings"

	"orrery/analysis/topology"
	"orrery/app/panes"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/link"
)

// kept is what a document says of itself in a session file: everything that was chosen in it, but for what the link
// holds. What can be told by a name is, so that a file means the same to later versions. What is empty is said, too: a
// pane that has no filter is not one of which the file says nothing, see Restore.
type kept struct {
	Preset    string     `json:"preset,omitempty"` // of the hierarchy's name
	Hierarchy string     `json:"hierarchy,omitempty"`
	Cycles    keptCycles `json:"cycles"`
	Cache     keptCache  `json:"cache"`
	Heap      panes.Said `json:"heap"`
	Curve     keptCurve  `json:"curve"`
	Table     keptTable  `json:"table"`
	Sites     keptTable  `json:"sites"`
	Flame     panes.Said `json:"flame"`
	Source    keptSource `json:"source"`
	Timeline  keptSpan   `json:"timeline"`

	Designs json.RawMessage           `json:"designs,omitempty"`
	Panes   map[shell.Slot]panes.Said `json:"panes,omitempty"` // those that keep themselves
}

// keptCamera is where a picture was moved to.
type keptCamera struct {
	Zoom float64 `json:"zoom"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

func keepCamera(c camera) keptCamera { return keptCamera{c.zoom, c.panX, c.panY} }

func (k keptCamera) camera() camera {
	if !(k.Zoom > 0.01 && k.Zoom < 1e4) {
		return camera{zoom: 1}
	}
	return camera{k.Zoom, k.X, k.Y}
}

// keptCycles is the cycles' lens, rank and picture.
type keptCycles struct {
	Picture  string     `json:"picture"`
	Color    string     `json:"color"`
	Groups   []string   `json:"groups"`
	Hidden   []string   `json:"hidden"`
	Spliced  []int      `json:"spliced"`
	Rank     int        `json:"rank"` // index of the parameterization
	Alphabet string     `json:"alphabet"`
	Window   int        `json:"window"`
	Eps      float64    `json:"eps"`
	Every    int        `json:"every"`
	Scale    float64    `json:"scale"`
	Camera   keptCamera `json:"camera"`

	Accepted []uint64    `json:"accepted"` // steps of thinning, of
	Thin     int         `json:"thin"`
	From     traceio.Seq `json:"from"`
	Count    int         `json:"count"`

	Looked bool     `json:"looked"` // what to show first has been decided
	AsOne  keptSpan `json:"as_one"` // a long window that is analysed as one
}

// keptCache is what the cache pane shows.
type keptCache struct {
	Tail    int                `json:"tail"`
	Mean    int                `json:"mean"`
	Weights []simulator.Weight `json:"weights"`
	Hidden  []int              `json:"hidden"`
	Filter  string             `json:"filter"`
	Grain   string             `json:"grain"`
	Core    int                `json:"core"`
	Preset  string             `json:"against"`
	File    string             `json:"against_file"`
	Camera  keptCamera         `json:"camera"`
}

// keptCurve is what the curve pane shows.
type keptCurve struct {
	By  int  `json:"by"`
	Log bool `json:"log"`
}

// keptTable is what a pane with a table shows.
type keptTable struct {
	What   string  `json:"what"`
	Than   string  `json:"than"`
	Sort   int     `json:"sort"`
	Upward bool    `json:"upward"`
	Sorted bool    `json:"sorted"`
	Filter string  `json:"filter"`
	Scroll float64 `json:"scroll"`
}

// keptSource is what the source pane shows.
type keptSource struct {
	File   string   `json:"file"`
	Misses bool     `json:"misses"`
	Folded []string `json:"folded"`
	Scroll float64  `json:"scroll"`
}

// keptSpan is a stretch of time; of the timeline the one that it shows, nothing for all.
type keptSpan struct {
	From traceio.Seq `json:"from"`
	To   traceio.Seq `json:"to"`
}

// Keep implements shell.Keeper.
func (d *Document) Keep() json.RawMessage {
	k := kept{Preset: d.hierarchy.Name, Hierarchy: d.hierarchy.TOML(), Cycles: d.cyclesView.keep(), Cache: d.rings.keep(),
		Heap:  d.heap.keep(),
		Curve: keptCurve{int(d.curve.shown.By), d.curve.shown.Log}, Table: d.table.keep(), Sites: d.sites.keep(),
		Flame: d.flame.keep(), Source: d.source.keep(), Designs: d.designs.Keep()}
	if v := d.timeline; v != nil {
		k.Timeline = keptSpan{v.view.From, v.view.To}
	}
	for _, p := range d.views {
		if v, ok := p.View.(panes.Keeper); ok {
			if said := v.Session(); said != nil {
				if k.Panes == nil {
					k.Panes = map[shell.Slot]panes.Said{}
				}
				k.Panes[p.Slot] = said
			}
		}
	}
	data, err := json.Marshal(k)
	if err != nil { // a number that JSON has no word for
		d.host.Log("keep-failed", "error", err.Error())
		return nil
	}
	return data
}

// Restore implements shell.Keeper: it takes up what Keep said, as far as it makes sense of this recording, before or
// after the window has begun to watch the document.
func (d *Document) Restore(data json.RawMessage) error {
	k := d.now()
	if err := json.Unmarshal(data, &k); err != nil {
		return fmt.Errorf("what the session says of %s makes no sense (%w); it opens as it does without a session", d.Name(),
			err)
	}
	if config, err := cachesim.ParseConfig([]byte(k.Hierarchy), k.Preset); err == nil && k.Hierarchy != "" {
		d.hierarchy = config
	}
	d.cyclesView.restore(k.Cycles)
	d.rings.restore(k.Cache)
	for _, p := range d.views {
		if v, ok := p.View.(panes.Keeper); ok {
			v.Resume(k.Panes[p.Slot])
		}
	}
	d.heap.restore(k.Heap)
	d.curve.restore(k.Curve)
	d.table.restore(k.Table)
	d.sites.restore(k.Sites)
	d.flame.restore(k.Flame)
	d.source.restore(k.Source)
	if v := d.timeline; v != nil {
		v.view = link.Range{From: k.Timeline.From, To: min(k.Timeline.To, d.rec.Extent())}
		if v.view.Empty() {
			v.view = link.Range{}
		}
	}
	if d.tell != nil {
		d.takeUp()
	}
	return d.designs.Restore(k.Designs)
}

// now is what the document would keep, as the ground on which a file that says less is read.
func (d *Document) now() kept {
	var k kept
	if json.Unmarshal(d.Keep(), &k) != nil {
		return kept{}
	}
	return k
}

// takeUp makes what follows from choices that were restored in a document that runs.
func (d *Document) takeUp() {
	d.cyclesView.recolour()
	d.cycles.follow(d)
	d.simulate()
	d.rings.chosen()
	d.heap.Redraw()
	d.changed()
}

// keptGroup writes groups as people write them.
func keptGroup(list []session.Group) []string {
	var out []string
	for _, g := range list {
		if len(g.Members) > 0 {
			out = append(out, g.String())
		}
	}
	return out
}

// readGroups leaves out what makes no sense.
func readGroups(list []string) []session.Group {
	var out []session.Group
	for _, text := range list {
		if g, err := session.ParseGroup(text); err == nil {
			out = append(out, g)
		}
	}
	return out
}

// alphabetOf is the alphabet with a name, the addresses for a name that there is no more.
func alphabetOf(name string) topology.Alphabet {
	a, err := topology.ParseAlphabet(strings.TrimSpace(name))
	if err != nil {
		return topology.Alphabet{}
	}
	return a
}
