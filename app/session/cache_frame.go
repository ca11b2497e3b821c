package session

import (
	"context"

	"orrery/cachesim"
	"orrery/cachesim/simulator"
	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/rings"
)

// Caches is a recording run through a hierarchy, ready to be drawn at any moment. It is immutable.
type Caches struct {
	*simulator.Replay
	Of    *Recording // what was run
	Items *rings.Items
	Grain Grain // that was asked for
}

// RunCaches simulates the recording through a hierarchy and collects the data items that it touches.
func (r *Recording) RunCaches(ctx context.Context, c cachesim.Config, report func(done, total int64)) (*Caches, error) {
	return r.RunCachesAt(ctx, c, AutoGrain, report)
}

// RunCachesAt is RunCaches with glyphs of the given grain.
func (r *Recording) RunCachesAt(ctx context.Context, c cachesim.Config, g Grain,
	report func(done, total int64)) (*Caches, error) {
	replay, err := simulator.NewReplay(ctx, r, c, report)
	if err != nil {
		return nil, err
	}
	items, err := r.CacheItems(ctx, c, g)
	if err != nil {
		return nil, err
	}
	return &Caches{Replay: replay, Of: r, Items: items, Grain: g}, nil
}

// Divide is the same simulation with glyphs of another grain.
func (c *Caches) Divide(ctx context.Context, g Grain) (*Caches, error) {
	items, err := c.Of.CacheItems(ctx, c.Config(), g)
	if err != nil {
		return nil, err
	}
	return &Caches{Replay: c.Replay, Of: c.Of, Items: items, Grain: g}, nil
}

// CacheLook is everything that the user chooses of the caches' picture, but for its moment. The zero value leaves no
// pathlines; Mean counts from 1.
type CacheLook struct {
	Tail    int                // references that leave pathlines
	Speed   int                // references per animation frame, 0 is 1
	Mean    int                // references that the temperatures are means over
	Weights []simulator.Weight // of the temperatures, by level of the configuration; nil is the default
	// of several, whose caches are shown: 0 the one that makes the reference, k the one with number k-1
	Core    int
	Regions map[int]bool // the regions, by ID, that are not to be shown
	Hidden  []bool       // by item: the ones that a filter leaves out; nil leaves none out
}

// Frames makes the frames of one picture. A frame is a function of caches, look, theme and moment alone, whatever was
// drawn before; what the last one read of the recording is kept, so that the frames of one reference cost little. It
// belongs to one goroutine.
type Frames struct {
	loaded rings.State
	of     frameKey
	ready  bool
}

type frameKey struct {
	caches      *Caches
	at          traceio.Seq
	tail, speed int
	core        int
}

// Frame is the state of the picture at reference at, of which the share frac has passed: the one that rings.Scene
// draws.
func (f *Frames) Frame(c *Caches, look CacheLook, theme palette.Theme, at traceio.Seq,
	frac float64) (rings.State, error) {
	if n := c.Len(); at >= n {
		at = max(1, n) - 1
	}
	key := frameKey{c, at, look.Tail, look.Speed, look.Core}
	s := &f.loaded
	s.At, s.Frac, s.Tail, s.Speed, s.Mean, s.Weights, s.Core, s.Items = at, frac, look.Tail, look.Speed, look.Mean,
		look.Weights, look.Core, c.Items
	var err error
	if f.ready && key == f.of {
		err = s.Temper(c)
	} else {
		err = s.Load(c, c.Of)
	}
	f.of, f.ready = key, err == nil
	out := *s
	out.Levels = append([]rings.Level(nil), s.Levels...) // the temperatures are those of this frame
	out.Theme, out.Hidden, out.Names = theme, look.Hidden, c.Of.NamesAt(at)
	out.Regions = c.Of.RingRegions(theme, look.Regions)
	return out, err
}

// RingRegions are the regions as the cache rings show them, by ID: on the arc of the stack stand its variables, too.
// hidden names those that the user does not want to see.
func (r *Recording) RingRegions(theme palette.Theme, hidden map[int]bool) []rings.Region {
	regions := r.Regions.Regions()
	out := make([]rings.Region, len(regions))
	for i, g := range regions {
		out[i] = rings.Region{Name: g.Name, Color: r.RegionColor(theme, i), Count: r.Use.Regions[i].References(), Low: g.Low,
			High: g.High, Hidden: hidden[i]}
	}
	if stack, variables := r.StackVariables(); stack >= 0 && len(variables) > 0 {
		out[stack].Label, out[stack].Count = WholeStack, r.WholeStackReferences()
	}
	return out
}
