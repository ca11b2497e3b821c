package heapmap

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// chip is one entry of the legend as it is placed.
type chip struct {
	entry int
	box   scene.Rect
	name  string
}

const (
	swatch  = 9.0
	chipGap = 16.0
)

// moreWide is the room that is left for "+3 more" where not all entries fit.
const moreWide = 64.0

// moreBox is where that stands: behind the last chip. It opens a list of all entries.
func moreBox(l *layout, placed []chip) scene.Rect {
	x := l.legend.Min.X
	if n := len(placed); n > 0 {
		x = placed[n-1].box.Max.X + chipGap
	}
	return scene.R(x, l.legend.Min.Y, moreWide-chipGap, l.legend.H())
}

// chips places the entries of which there are blocks in one row; those that do not fit are left out, and more tells how
// many.
func chips(l *layout, entries []Entry) (placed []chip, more int) {
	x := l.legend.Min.X
	left := 0
	for i := range entries {
		if entries[i].Blocks > 0 {
			left++
		}
	}
	for i, e := range entries {
		if e.Blocks == 0 {
			continue
		}
		name := scene.Ellipsis(scene.Sans, labelSize, e.Name, 170)
		w := swatch + 6 + scene.Measure(scene.Sans, labelSize, name)
		room := l.legend.Max.X
		if left > 1 {
			room -= moreWide
		}
		if x+w > room && len(placed) > 0 {
			return placed, left
		}
		left--
		placed = append(placed, chip{i, scene.R(x, l.legend.Min.Y, w, l.legend.H()), name})
		x += w + chipGap
	}
	return placed, 0
}

// others names in lines what an entry stands for, the first of them where they are many.
func (e *Entry) others() (lines []string) {
	const most, line = 12, 4
	for i, name := range e.Others[:min(most, len(e.Others))] {
		if i%line == 0 {
			lines = append(lines, name)
		} else {
			lines[len(lines)-1] += ", " + name
		}
	}
	if more := len(e.Others) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// drawLegend names the classes, or draws the map of amounts with its ends.
func (r *Renderer) drawLegend(d *scene.Drawing, s *State, l *layout, c *coloring) {
	mid := l.legend.Center().Y
	if c.by >= Size {
		drawScale(d, s, l, c)
		return
	}
	entries, _ := r.entries(s, c)
	placed, more := chips(l, entries)
	for _, c := range placed {
		col, text := entries[c.entry].Color, s.Theme.Dim
		if c.entry < len(s.Hidden) && s.Hidden[c.entry] {
			col, text = palette.Alpha(col, 0.25), s.Theme.Faint
		}
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(c.box.Min.X, mid-swatch/2, swatch, swatch), 2), Color: col},
			scene.Text{At: scene.Point{X: c.box.Min.X + swatch + 6, Y: mid + 3.7}, Size: labelSize, Color: text, S: c.name,
				Max: l.legend.Max.X - c.box.Min.X - swatch - 6})
	}
	if more > 0 {
		box := moreBox(l, placed)
		d.Add(scene.Text{At: scene.Point{X: box.Min.X, Y: mid + 3.7}, Size: labelSize, Color: s.Theme.Dim, Max: box.W(),
			S: fmt.Sprintf("+%d more", more)})
	}
}

// The legend of amounts: how long its map of colours is where there is room, and at least.
const (
	rampW     = 120.0
	leastRamp = 40.0
)

// drawScale is the legend of amounts. Where they are not known it says so.
func drawScale(d *scene.Drawing, s *State, l *layout, c *coloring) {
	mid, x := l.legend.Center().Y, l.legend.Min.X
	text := func(t string) {
		d.Add(scene.Text{At: scene.Point{X: x, Y: mid + 3.7}, Size: labelSize, Color: s.Theme.Dim, S: t,
			Max: max(1, l.legend.Max.X-x)})
		x += scene.Measure(scene.Sans, labelSize, t) + 8
	}
	if c.class != nil {
		text(c.by.String())
		d.Add(scene.Fill{Path: scene.RoundBox(scene.R(x, mid-swatch/2, swatch, swatch), 2), Color: c.entries[0].Color})
		x += swatch + 6
		text(c.entries[0].Name)
		return
	}
	name, low, high, ramp := s.scaleWords(c, l.legend.W())
	text(name)
	text(low)
	drawRamp(d, scene.R(x, mid-4, ramp, 8), func(v float64) color.NRGBA { return amountColor(s.Theme, v) })
	x += ramp + 8
	text(high)
}

// drawRamp draws a map of colours from 0 to 1.
func drawRamp(d *scene.Drawing, box scene.Rect, of func(v float64) color.NRGBA) {
	const steps = 40
	w := box.W() / steps
	for i := range steps {
		d.Add(scene.Fill{Path: scene.Box(scene.R(box.Min.X+w*float64(i), box.Min.Y, w+0.5, box.H())),
			Color: of((float64(i) + 0.5) / steps)})
	}
}

// scaleWords is what the legend of amounts says before, at the low and at the high end of its map, and how long that
// is: of several ways to say it the longest that fits.
func (s *State) scaleWords(c *coloring, room float64) (name, low, high string, ramp float64) {
	name = c.by.String()
	names := []string{name}
	if c.by == Untouched {
		names = []string{"bytes never touched by a recorded reference", name}
	}
	low, _ = s.amountText(c.by, c.low)
	high, unit := s.amountText(c.by, c.high)
	if unit == " %" { // what is longer stands once
		low += unit
	}
	if c.under {
		low += " or less"
	}
	high += unit
	if c.over {
		high += " or more"
	}
	if !evenly(c.by) && c.high > c.low {
		for i := range names {
			names[i] += " (log)"
		}
		names = append(names, name)
	}
	wide := func(t string) float64 { return scene.Measure(scene.Sans, labelSize, t) + 8 }
	for _, name = range names {
		if ramp = min(rampW, room-wide(name)-wide(low)-wide(high)); ramp >= leastRamp {
			return name, low, high, ramp
		}
	}
	return name, low, high, leastRamp
}

// drawBarLegend is the legend of bars alone.
func drawBarLegend(d *scene.Drawing, s *State, l *layout) {
	mid, x := l.legend.Center().Y, l.legend.Min.X
	for i, word := range []string{"empty", "each bin's own peak"} {
		d.Add(scene.Text{At: scene.Point{X: x, Y: mid + 3.7}, Size: labelSize, Color: s.Theme.Dim, S: word,
			Max: max(1, l.legend.Max.X-x)})
		x += scene.Measure(scene.Sans, labelSize, word) + 8
		const w = 100.0
		if i == 0 && x+w < l.legend.Max.X {
			drawRamp(d, scene.R(x, mid-4, w, 8), func(v float64) color.NRGBA { return occupancyColor(s.Theme, v) })
		}
		if i == 0 {
			x += w + 8
		}
	}
}

// amountText is an end of the scale, and its unit.
func (s *State) amountText(by ColorBy, v float64) (number, unit string) {
	plural := func(number, unit string) (string, string) {
		if number != "1" {
			unit += "s"
		}
		return number, " " + unit
	}
	whole := func() string { return words.Count(uint64(math.Round(v))) }
	switch by {
	case Size:
		return words.Bytes(uint64(math.Round(v))), ""
	case Lifetime:
		return plural(whole(), strings.TrimSuffix(s.Heap.Axis.Unit(), "s"))
	case Heat:
		number, unit = plural(trim(v), "reference")
		return number, unit + " a byte"
	case Lag, Drag:
		return plural(whole(), "reference")
	case Latency:
		return nanoseconds(v), ""
	}
	return trim(100 * v), " %"
}

// nanoseconds is a response time: "70.9 µs".
func nanoseconds(v float64) string {
	switch {
	case v >= 999.5e3:
		return strconv.FormatFloat(v/1e6, 'f', 1, 64) + " ms"
	case v >= 999.5:
		return strconv.FormatFloat(v/1e3, 'f', 1, 64) + " µs"
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + " ns"
}

// manyBlocks is the number of live blocks whose fragmentation takes about a millisecond.
const manyBlocks = 20000

// drawFooter writes the heap at the cursor in numbers, or the bin that is shown alone.
func (r *Renderer) drawFooter(d *scene.Drawing, s *State, l *layout) {
	if l.footer == 0 {
		return
	}
	peak, at := s.peak()
	numbers := r.numbers(s)
	left := "peak " + words.Bytes(peak) + " at " + words.Count(uint64(at))
	if most := s.most(); most > peak { // the bar's colours are those of two runs
		left = words.Bytes(most) + ", " + left + " here"
	}
	errors, bar := errorKeys(s), []key{occupancyKey(s.Theme, "occupancy 0", left)}
	need := bar[0].width() + keyGap + scene.Measure(scene.Sans, labelSize, numbers)
	for i := range errors {
		need += errors[i].width() + keyGap
	}
	x := l.plot.Min.X
	if need <= l.plot.W() {
		x = drawKeys(d, s.Theme.Dim, x, l.plot.Max.X, l.footer, bar)
	} else { // the colours would take room from numbers
		left = "occupancy, " + left
		d.Add(scene.Text{At: scene.Point{X: x, Y: l.footer}, Size: labelSize, Color: s.Theme.Dim, S: left, Max: l.plot.W()})
		x += scene.Measure(scene.Sans, labelSize, left)
	}
	x += keyGap
	if len(errors) > 0 {
		x = drawKeys(d, s.Theme.Text, x, l.plot.Max.X, l.footer, errors) + keyGap
	}
	if room := l.plot.Max.X - x; room > 120 {
		d.Add(scene.Text{At: scene.Point{X: l.plot.Max.X, Y: l.footer}, Size: labelSize, Color: s.Theme.Text, Align: 1,
			Max: room, S: numbers})
	}
}

// numbers are those at the cursor, or at the peak without one; nothing while they are not known.
func (r *Renderer) numbers(s *State) string {
	of := r.totals(s)
	if of == nil {
		return ""
	}
	t := min(max(s.Cursor, 0), max(s.Heap.Axis.End-1, 0))
	if s.NoCursor {
		_, t = s.peak()
	}
	blocks, bytes, waste := of.Live(t)
	share := 0.0
	if bytes+waste > 0 {
		share = 100 * float64(waste) / float64(bytes+waste)
	}
	estimated := ""
	if s.Heap.Estimated {
		estimated = "about "
	}
	// Fragmentation costs a look at all live blocks: too much for every frame of a large heap while time plays.
	fragmentation := s.peakFragmentation()
	if all, _, _ := s.Heap.Live(t); all <= manyBlocks {
		fragmentation = fmt.Sprintf("fragmentation %.2f", of.Fragmentation(t))
	}
	return fmt.Sprintf("%s in %s   %s   waste %s%.1f %%", words.Bytes(bytes), words.Plural(uint64(blocks), "block"),
		fragmentation, estimated, share)
}

// peakFragmentation is that at the heap's peak.
func (s *State) peakFragmentation() string {
	if s.Bin > 0 {
		return fmt.Sprintf("fragmentation at the heap's peak %.2f", s.Heap.Bins[s.Bin-1].Fragmentation)
	}
	return fmt.Sprintf("fragmentation at the peak %.2f", s.Heap.PeakFragmentation)
}
