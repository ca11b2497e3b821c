package cli

import (
	"orrery/analysis/heap"
	"orrery/traceio"
)

// heapJSON is the object that `heap --json` prints. What --sites, --leaks and --temporaries leave out is not there.
type heapJSON struct {
	Allocations   uint64            `json:"allocations"`
	Frees         uint64            `json:"frees"`
	PeakBytes     uint64            `json:"peak_bytes"`
	PeakTime      uint64            `json:"peak_time"`
	TotalBytes    uint64            `json:"total_bytes"`
	LiveBytes     uint64            `json:"live_bytes"`
	LeakedBlocks  uint64            `json:"leaked_blocks"`
	Temporary     uint64            `json:"temporary"`
	Crossed       uint64            `json:"crossed"`
	Reallocations int               `json:"reallocations"`
	Fragmentation float64           `json:"fragmentation"`
	Errors        map[string]uint64 `json:"errors"`
	ErrorList     []errorJSON       `json:"error_list,omitempty"`
	Bins          []binJSON         `json:"bins,omitempty"`
	Sites         []siteJSON        `json:"sites"`
	Leaks         []leakJSON        `json:"leaks,omitempty"`
	Pins          []pinJSON         `json:"pins,omitempty"`
	Survivors     []survivorJSON    `json:"survivors,omitempty"`
	Compact       []regionJSON      `json:"compact,omitempty"`
	Bursts        []burstJSON       `json:"bursts,omitempty"`
	Latency       []latencyJSON     `json:"latency,omitempty"`
	Crossings     []crossingJSON    `json:"crossings,omitempty"`
	Changes       []changeJSON      `json:"changes,omitempty"`
}

// errorJSON is an event that a correct program and a complete log cannot have: its number in the log, its time in
// events or references, the bytes that it asks for as the log has them (a negative number plus 2^64), the block
// concerned, -1 for none, and the place in the program that made it, as for sites: Site is its short name, and what is
// not known is empty, or 0.
type errorJSON struct {
	Kind     string `json:"kind"`
	Event    int    `json:"event"`
	Time     uint64 `json:"time"`
	Addr     string `json:"addr"`
	Size     uint64 `json:"size"`
	Block    int    `json:"block"`
	Thread   int    `json:"thread"`
	Site     string `json:"site"`
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

type binJSON struct {
	Name               string  `json:"name"`
	Blocks             uint64  `json:"blocks"`
	PeakBytes          uint64  `json:"peak_bytes"`
	WasteBytes         uint64  `json:"waste_bytes"`
	Fragmentation      float64 `json:"fragmentation"`
	WorstFragmentation float64 `json:"worst_fragmentation"`
	BurstsUp           int     `json:"bursts_up"`
	BurstsDown         int     `json:"bursts_down"`
	BurstsMixed        int     `json:"bursts_mixed"`
}

type siteJSON struct {
	Function  string   `json:"function"`
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Blocks    uint64   `json:"blocks"`
	Bytes     uint64   `json:"bytes"`
	PeakBytes uint64   `json:"peak_bytes"`
	LiveBytes uint64   `json:"live_bytes"`
	Temporary uint64   `json:"temporary"`
	Waste     uint64   `json:"waste"`
	Use       *useJSON `json:"use,omitempty"`
}

type useJSON struct {
	References   uint64   `json:"references"`
	Unused       uint64   `json:"unused_blocks"`
	NeverTouched uint64   `json:"never_touched_bytes"`
	Lag          uint64   `json:"lag"`
	Drag         uint64   `json:"drag"`
	LagShare     float64  `json:"lag_share"`
	DragShare    float64  `json:"drag_share"`
	Profile      []uint64 `json:"profile"`
}

type leakJSON struct {
	Site   string   `json:"site"`
	Blocks uint64   `json:"blocks"`
	Bytes  uint64   `json:"bytes"`
	First  uint64   `json:"first"`
	Last   uint64   `json:"last"`
	Growth []uint64 `json:"growth"`
	Grows  bool     `json:"grows"`
}

type pinJSON struct {
	Addr    string `json:"addr"`
	Size    uint64 `json:"size"`
	Below   uint64 `json:"free_below"`
	Above   uint64 `json:"free_above"`
	Shrinks uint64 `json:"shrinks"`
	Site    string `json:"site"`
}

type survivorJSON struct {
	Site   string `json:"site"`
	Pages  uint64 `json:"pages"`
	Blocks uint64 `json:"blocks"`
	Bytes  uint64 `json:"bytes"`
}

type regionJSON struct {
	Low    string `json:"low"`
	Bytes  uint64 `json:"bytes"`
	Blocks int    `json:"blocks"`
	Site   string `json:"site"`
}

// burstJSON is one of the longest bursts of allocations in a bin, its time in events or references.
type burstJSON struct {
	Bin    string `json:"bin"`
	From   uint64 `json:"from"`
	To     uint64 `json:"to"`
	Blocks int    `json:"blocks"`
	Up     int    `json:"up"`
	Down   int    `json:"down"`
}

type latencyJSON struct {
	Op      string `json:"op"`
	Bin     string `json:"bin,omitempty"`
	Count   uint64 `json:"count"`
	Mean    uint64 `json:"mean"`
	Median  uint64 `json:"median"`
	P99     uint64 `json:"p99"`
	Slowest uint64 `json:"slowest"`
}

type crossingJSON struct {
	Site     string `json:"site"`
	FreeSite string `json:"free_site"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Blocks   uint64 `json:"blocks"`
	Bytes    uint64 `json:"bytes"`
}

type changeJSON struct {
	Site         string `json:"site"`
	BlocksBefore uint64 `json:"blocks_before"`
	BlocksAfter  uint64 `json:"blocks_after"`
	BytesBefore  uint64 `json:"bytes_before"`
	BytesAfter   uint64 `json:"bytes_after"`
	LiveBefore   uint64 `json:"live_before"`
	LiveAfter    uint64 `json:"live_after"`
}

// object makes the report's object.
func (r *heapReport) object(f *heapFlags) heapJSON {
	h := r.Heap
	out := heapJSON{Allocations: h.Allocations, Frees: h.Frees, PeakBytes: h.PeakBytes, PeakTime: uint64(h.PeakTime),
		TotalBytes: h.TotalBytes,
		LiveBytes:  h.LiveBytes, LeakedBlocks: h.LeakedBlocks, Temporary: h.Temporary, Crossed: h.Crossed,
		Reallocations: len(h.Links),
		Fragmentation: h.PeakFragmentation, Errors: h.ErrorCounts(), Sites: []siteJSON{}}
	whole := !f.some()
	if whole {
		r.shape(&out)
	}
	if whole || f.sites {
		for i := range h.Sites {
			out.Sites = append(out.Sites, r.siteObject(i, &h.Sites[i]))
		}
	}
	if f.temporaries && !f.sites {
		for _, s := range temporarySites(h.Sites) {
			out.Sites = append(out.Sites, r.siteObject(-1, s))
		}
	}
	if whole || f.leaks {
		for _, l := range r.leaks {
			out.Leaks = append(out.Leaks, leakJSON{h.Sites[l.Site].Name(), l.Blocks, l.Bytes, uint64(h.Axis.Seq(l.First)),
				uint64(h.Axis.Seq(l.Last)), l.Growth[:], l.Growing()})
		}
	}
	if r.change != nil {
		for _, x := range r.change.Sites {
			out.Changes = append(out.Changes, changeJSON{x.Name, x.Before.Blocks, x.After.Blocks, x.Before.Bytes, x.After.Bytes,
				x.Before.LiveBytes, x.After.LiveBytes})
		}
	}
	return out
}

func (r *heapReport) siteObject(i int, s *heap.Site) siteJSON {
	out := siteJSON{s.Function, s.File, s.Line, s.Blocks, s.Bytes, s.PeakBytes, s.LiveBytes,
		s.Temporary, s.WasteBytes, nil}
	if r.usage != nil && i >= 0 {
		u := &r.usage.Sites[i]
		out.Use = &useJSON{u.References, u.Unused, u.Bytes - u.Touched, u.Lag, u.Drag, u.LagShare(),
			u.DragShare(), u.Profile[:]}
	}
	return out
}

// shape fills in errors, bins and what lies where.
func (r *heapReport) shape(out *heapJSON) {
	h := r.Heap
	for _, e := range printed(h.Errors, r.top) {
		at := h.Caller(e.Stack)
		row := errorJSON{Kind: e.Kind.String(), Event: e.Event, Time: uint64(e.Seq), Addr: e.Addr.String(), Size: e.Size,
			Block: e.Block, Thread: int(e.Thread),
			Function: at.Function, File: at.File, Line: at.Line}
		if at != (heap.Site{}) {
			row.Site = at.Name()
		}
		out.ErrorList = append(out.ErrorList, row)
	}
	out.Bins = []binJSON{}
	if h.Allocations == 0 {
		return
	}
	for i, b := range h.Bins {
		_, most := worst(r.curves.Bins[i])
		o := r.orders[i].Bursts
		out.Bins = append(out.Bins, binJSON{b.Name, b.Blocks, b.PeakBytes, b.WasteBytes, b.Fragmentation, most,
			o[heap.Upward], o[heap.Downward], o[heap.Mixed]})
	}
	end := h.Axis.End - 1
	for _, p := range h.Pins(end, r.top) {
		b := h.Block(p.Block)
		out.Pins = append(out.Pins, pinJSON{b.Low.String(), b.Size, p.Below, p.Above, p.Shrinks, h.Sites[b.Site].Name()})
	}
	for _, s := range printed(h.Survivors(end), r.top) {
		out.Survivors = append(out.Survivors, survivorJSON{h.Sites[s.Site].Name(), s.Pages, s.Blocks, s.Bytes})
	}
	for _, x := range h.Compact(h.PeakAt, 0, r.top) {
		out.Compact = append(out.Compact, regionJSON{x.Low.String(), x.Size(), x.Blocks, h.Sites[x.Site].Name()})
	}
	for _, b := range heap.Longest(r.bursts, r.top) {
		out.Bursts = append(out.Bursts, burstJSON{h.Bins[b.Bin].Name, uint64(h.Axis.Seq(b.From)), uint64(h.Axis.Seq(b.To)),
			b.Blocks, b.Up, b.Down()})
	}
	for i := range r.latency {
		g := &r.latency[i]
		row := latencyJSON{Op: "allocate", Count: g.Count, Mean: uint64(g.Mean()), Median: uint64(g.Quantile(0.5)),
			P99: uint64(g.Quantile(0.99)), Slowest: uint64(g.Slowest)}
		if g.Op == traceio.Free {
			row.Op = "free"
		}
		if g.Bin >= 0 {
			row.Bin = h.Bins[g.Bin].Name
		}
		out.Latency = append(out.Latency, row)
	}
	for _, c := range printed(h.Crossings(), r.top) {
		out.Crossings = append(out.Crossings, crossingJSON{h.Sites[c.Site].Name(), h.FreeSites[c.FreeSite].Name(),
			int(c.From), int(c.To), c.Blocks, c.Bytes})
	}
}
