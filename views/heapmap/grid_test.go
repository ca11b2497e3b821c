package heapmap

import (
	"context"
	"image/color"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// On the pages of bins every cell answers with blocks of its bin only, and texts stay inside.
func TestGridAnswers(t *testing.T) {
	h := story(t)
	for _, page := range []Page{AddressPage, TimePage, BarsPage} {
		for _, size := range []scene.Size{{W: 900, H: 500, Scale: 1}, {W: 300, H: 160, Scale: 1}, {W: 80, H: 60, Scale: 1},
			{W: 1, H: 1, Scale: 1}} {
			s := State{Theme: palette.Dark(), Heap: h, Page: page, Cursor: 500}
			var draw Renderer
			d := draw.Scene(s, size)
			for _, x := range d.Shapes {
				if i, ok := x.(scene.Image); ok && (i.At.Max.X > size.W || i.At.Max.Y > size.H) {
					t.Errorf("%s, %v: %s at %v leaves the picture", page, size, i.Name, i.At)
				}
			}
			cells, _, at := grid(&s, size)
			if (len(cells) < len(h.Bins)) != (at.bar.W() > 0) && len(cells) > 0 {
				t.Errorf("%s, %v: %d cells of %d bins, scroll bar %v", page, size, len(cells), len(h.Bins), at.bar)
			}
			blocks := 0
			for i := range cells {
				c := &cells[i]
				for k := range 60 {
					p := scene.Point{X: c.plot.Min.X + c.plot.W()*float64(k%10)/10, Y: c.plot.Min.Y + c.plot.H()*float64(k/10)/6}
					got := draw.Hit(s, size, p)
					if got.Thing.What == link.Block {
						blocks++
						if h.Bin(got.Thing.ID) != c.bin || got.Bin != c.bin+1 {
							t.Fatalf("%s: bin %d answers with block %d of bin %d", page, c.bin, got.Thing.ID, h.Bin(got.Thing.ID))
						}
					}
				}
				if got := draw.Hit(s, size, c.bar.Center()); page != TimePage && (got.Bin != c.bin+1 || len(got.Lines) == 0) {
					t.Errorf("%s: the bar of bin %d answers %+v", page, c.bin, got)
				}
			}
			if size.W == 900 && page != BarsPage && blocks == 0 {
				t.Errorf("%s: no block answers", page)
			}
		}
	}
}

// How full a bin is comes from the blocks that are live at the cursor, wherever in its column it stands.
func TestFullness(t *testing.T) {
	h := story(t)
	blocks := blocksOf(h)
	for _, window := range [][2]heap.Time{{}, {1000, 2500}} {
		for at := heap.Time(0); at < h.Axis.End; at += 37 {
			s := State{Heap: h, Page: TimePage, Cursor: at, From: window[0], To: window[1]}
			cells, _, _ := grid(&s, scene.Size{W: 900, H: 600, Scale: 1})
			l := &cells[0].layout
			if s.To > 0 && (at < s.From || at >= s.To) {
				at = min(max(h.PeakAt, s.From), s.To-1)
			}
			bars := ribbons(context.Background(), h, barLook{scale: 1}, l.left, l.perTime, int(l.pixels()), false)
			want := make([]uint64, len(h.Bins))
			for id := range blocks {
				if b := &blocks[id]; b.From <= at && at < b.To {
					want[h.Bin(id)] += b.Size
				}
			}
			if got := fullness(&s, l, bars); !slices.Equal(got, want) {
				t.Fatalf("window %v at %d: %v, want %v", window, at, got, want)
			}
			at = s.Cursor
		}
	}
}

// Where bins have not all room, scrolling comes past each of them, and the bar's ends are the first and the last row.
func TestGridScrolls(t *testing.T) {
	h := story(t)
	for _, page := range []Page{AddressPage, TimePage, BarsPage} {
		size := scene.Size{W: 300, H: 150, Scale: 1}
		if page == BarsPage {
			size.H = 90
		}
		s := State{Theme: palette.Dark(), Heap: h, Page: page}
		_, _, at := grid(&s, size)
		if at.shown >= at.all || at.first != 0 {
			t.Fatalf("%s: rows %d of %d from %d in %v", page, at.shown, at.all, at.first, size)
		}
		seen := map[int]bool{}
		for range at.all {
			cells, _, _ := grid(&s, size)
			for i := range cells {
				seen[cells[i].bin] = true
			}
			s = Scroll(s, size, 1)
		}
		if len(seen) != len(h.Bins) {
			t.Errorf("%s: scrolling shows %d of %d bins", page, len(seen), len(h.Bins))
		}
		for _, row := range []struct {
			y    float64
			want int
		}{{at.bar.Min.Y + 1, 0}, {at.bar.Max.Y - 1, at.all - at.shown}} {
			p := scene.Point{X: at.bar.Center().X, Y: row.y}
			if got := ScrollTo(s, size, p); got.Row != row.want {
				t.Errorf("%s: the bar at %v is row %d, want %d", page, p, got.Row, row.want)
			}
			if got := hitAt(s, size, p); got.Part != Rows || !strings.HasPrefix(got.Lines[0], "rows ") {
				t.Errorf("%s: the bar answers %+v", page, got)
			}
		}
	}
}

// Where blue is empty in one bar, what is in use is not blue in the bar beside it: it is grey, and red is for what is
// free alone.
func TestUsedIsGreyAndFreeIsRed(t *testing.T) {
	for _, theme := range []palette.Theme{palette.Dark(), palette.Light()} {
		used, free := usedColor(theme), freeColor(theme)
		colorful := func(c color.NRGBA) int { return int(max(c.R, c.G, c.B)) - int(min(c.R, c.G, c.B)) }
		if captions := colorful(theme.Dim); colorful(used) > captions+2 {
			t.Errorf("%s: what is in use is %v, which is no grey", theme.Name, used)
		}
		if free.R < 2*free.B || colorful(free) < 80 {
			t.Errorf("%s: what is free is %v, which is no red", theme.Name, free)
		}
	}
}
