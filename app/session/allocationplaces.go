package session

import (
	"fmt"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/table"
	"orrery/views/words"
)

// The tables of where blocks lie: whether addresses are handed out in order, where memory is densest, and what keeps
// free memory in pieces.

// bursts answers the paper's question whether allocations go from low to high addresses, burst by burst.
func (t *allocationTable) bursts() {
	h := t.a.Heap
	list := h.Bursts()
	fill(t.s, list[:min(len(list), mostRows)], []cells[heap.Burst]{
		{table.Column{Title: "blocks", Tip: "allocations in a row in one bin, by one thread"}, func(b heap.Burst) float64 {
			return float64(b.Blocks)
		}},
		{table.Column{Title: "steps up", Tip: "of the steps lead to a higher address", Format: table.Share},
			func(b heap.Burst) float64 { return float64(b.Up) / float64(max(1, b.Blocks-1)) }},
		{table.Column{Title: "from", Tip: "is when it begins, in " + t.a.Unit}, func(b heap.Burst) float64 {
			return float64(h.Axis.Seq(b.From))
		}},
		{table.Column{Title: "to", Tip: "is when it ends, in " + t.a.Unit}, func(b heap.Burst) float64 {
			return float64(h.Axis.Seq(b.To))
		}},
	}, func(b heap.Burst) table.Row {
		row := t.block(b.First, fmt.Sprintf("bin %s, #%d to #%d", h.Bins[b.Bin].Name, b.First, b.Last))
		row.Note = "addresses go " + b.Direction().String()
		if b.Direction() == heap.Mixed {
			row.Note = "addresses go both ways"
		}
		return row
	})
}

// compact lists where memory is densest when the heap is largest.
func (t *allocationTable) compact() {
	h := t.a.Heap
	fill(t.s, h.Compact(h.PeakAt, 0, mostRows), []cells[heap.Region]{
		{table.Column{Title: "bytes", Tip: "bytes from its first block to the end of its last"}, func(x heap.Region) float64 {
			return count(x.Size())
		}},
		{table.Column{Title: "asked for", Tip: "bytes asked for"}, func(x heap.Region) float64 { return count(x.Bytes) }},
		{table.Column{Title: "blocks", Tip: "blocks without a hole between them"}, func(x heap.Region) float64 {
			return float64(x.Blocks)
		}},
	}, func(x heap.Region) table.Row {
		row := t.site(x.Site)
		row.Name, row.Short = fmt.Sprintf("%v to %v", x.Low, x.High), ""
		row.Note = "most from " + h.Sites[x.Site].Name()
		row.Thing = link.OfBytes(x.Low, x.High)
		return row
	})
}

// holes lists the free memory between live blocks when the heap is largest.
func (t *allocationTable) holes() {
	h := t.a.Heap
	fill(t.s, h.Holes(h.PeakAt, mostRows), []cells[heap.Hole]{
		{table.Column{Title: "bytes", Tip: "free bytes in one piece", Red: true}, func(x heap.Hole) float64 {
			return count(x.Size())
		}},
		{table.Column{Title: "below", Tip: "bytes asked for by the block right below it"}, func(x heap.Hole) float64 {
			return count(h.Block(x.Below).Size)
		}},
		{table.Column{Title: "above", Tip: "bytes asked for by the block right above it"}, func(x heap.Hole) float64 {
			return count(h.Block(x.Above).Size)
		}},
	}, func(x heap.Hole) table.Row {
		row := t.site(int(h.Block(x.Below).Site))
		row.Name, row.Short = fmt.Sprintf("%v to %v", x.Low, x.High), ""
		row.Note = fmt.Sprintf("between #%d of %s and #%d of %s", x.Below, h.Sites[h.Block(x.Below).Site].Name(), x.Above,
			h.Sites[h.Block(x.Above).Site].Name())
		row.Thing = link.OfBytes(x.Low, x.High)
		return row
	})
}

// pins lists the blocks that keep free memory in two pieces, or from being given back.
func (t *allocationTable) pins() {
	h := t.a.Heap
	fill(t.s, h.Pins(h.Axis.End-1, mostRows), []cells[heap.Pin]{
		{table.Column{Title: "free beside it", Tip: "free bytes right below and above it, one piece without it", Red: true},
			func(p heap.Pin) float64 { return count(p.Size()) }},
		{table.Column{Title: "below", Tip: "free bytes right below it"}, func(p heap.Pin) float64 { return count(p.Below) }},
		{table.Column{Title: "above", Tip: "free bytes right above it"}, func(p heap.Pin) float64 { return count(p.Above) }},
		{table.Column{Title: "would shrink by", Tip: "bytes by which its pool would end earlier without it"},
			func(p heap.Pin) float64 { return count(p.Shrinks) }},
		{table.Column{Title: "size", Tip: "bytes asked for"}, func(p heap.Pin) float64 {
			return count(h.Block(p.Block).Size)
		}},
	}, func(p heap.Pin) table.Row {
		return t.block(p.Block, fmt.Sprintf("#%d, %s", p.Block, h.Sites[h.Block(p.Block).Site].Name()))
	})
}

// block is a row that leads to one block, in the colour of its site.
func (t *allocationTable) block(id int, name string) table.Row {
	row := t.site(int(t.a.Heap.Block(id).Site))
	row.Name, row.Short, row.Thing = name, "", blockThing(t.a.Heap, id)
	return row
}

func (a *Allocating) toldBursts() string {
	h := a.Heap
	list := h.Bursts()
	if len(list) == 0 {
		return fmt.Sprintf("No bin gives out %d blocks in a row, so there is no order to check.", heap.MinBurst)
	}
	var all heap.Order
	for _, o := range h.Orders(list) {
		for d := range o.Bursts {
			all.Bursts[d] += o.Bursts[d]
		}
		all.Up, all.Steps = all.Up+o.Up, all.Steps+o.Steps
	}
	return fmt.Sprintf(
		"%s of %d allocations or more: in %d addresses go up, in %d down, in %d both ways; %s of all steps go up.",
		words.Plural(len(list), "burst"), heap.MinBurst,
		all.Bursts[heap.Upward], all.Bursts[heap.Downward], all.Bursts[heap.Mixed],
		portion(uint64(all.Up), uint64(all.Steps)))
}

func (a *Allocating) toldCompact() string {
	h := a.Heap
	list := h.Compact(h.PeakAt, 0, 1)
	if len(list) == 0 {
		return "Nothing is allocated at the peak."
	}
	x := list[0]
	return fmt.Sprintf("At the peak the largest region without a hole is %s with %s, most of it from %s.",
		words.Bytes(x.Size()), words.Plural(x.Blocks, "block"), a.siteWords(x.Site, h.Sites[x.Site].PeakBytes))
}

func (a *Allocating) toldHoles() string {
	h := a.Heap
	list := h.Holes(h.PeakAt, h.Count())
	if len(list) == 0 {
		return "At the peak there is no free memory between live blocks."
	}
	var sum uint64
	for _, x := range list {
		sum += x.Size()
	}
	text := fmt.Sprintf("At the peak %s between live blocks hold %s; the largest is %s.", words.Plural(len(list), "hole"),
		words.Bytes(sum), words.Bytes(list[0].Size()))
	if len(list) == 1 {
		text = fmt.Sprintf("At the peak 1 hole between live blocks holds %s.", words.Bytes(sum))
	}
	if len(list) > mostRows {
		text += fmt.Sprintf(" The first %s are listed.", words.Count(mostRows))
	}
	return text
}

func (a *Allocating) toldPins() string {
	h := a.Heap
	list := h.Pins(h.Axis.End-1, mostRows)
	if len(list) == 0 {
		return "At the end no block pins free memory."
	}
	p := list[0]
	where := traceio.ShortFunction(h.Sites[h.Block(p.Block).Site].Function)
	if where != "" {
		where = " of " + where
	}
	text := fmt.Sprintf("At the end %s free memory; beside block #%d%s lie %s of it", pinning(len(list)), p.Block, where,
		words.Bytes(p.Size()))
	if p.Shrinks > 0 {
		text += fmt.Sprintf(", and without it the heap would shrink by %s", words.Bytes(p.Shrinks))
	}
	return text + "."
}

func pinning(n int) string {
	if n == 1 {
		return "1 block pins"
	}
	return words.Plural(n, "block") + " pin"
}
