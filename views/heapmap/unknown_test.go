package heapmap

import (
	"slices"
	"strings"
	"testing"

	"orrery/analysis/heap"
	"orrery/analysis/region"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/scene"
)

// writing is all that a drawing says.
func writing(d scene.Drawing) string {
	var list []string
	var walk func(shapes []scene.Shape)
	walk = func(shapes []scene.Shape) {
		for _, x := range shapes {
			switch x := x.(type) {
			case scene.Text:
				list = append(list, x.S)
			case scene.Group:
				walk(x.Shapes)
			}
		}
	}
	walk(d.Shapes)
	return strings.Join(list, "|")
}

// Blocks of which nothing is known are grey, all of them, and the legend says why: a colour of the map would be a
// statement.
func TestWhatIsNotKnownHasNoColorOfTheMap(t *testing.T) {
	h := story(t)
	size := scene.Size{W: 900, H: 400, Scale: 1}
	for _, by := range []ColorBy{Heat, Lag, Drag, Untouched} {
		for _, plain := range []bool{false, true} {
			s := State{Theme: palette.Dark(), Heap: h, Color: by, Cushion: Flat, Plain: plain, Why: "not known of the other"}
			d := Scene(s, size)
			if text := writing(d); !strings.Contains(text, by.String()+"|not known of the other|") {
				t.Errorf("%s: the legend says %q", by, text)
			}
			for _, x := range d.Shapes {
				i, ok := x.(scene.Image)
				if !ok || i.Name != "heap blocks over time and address" {
					continue
				}
				grey, back := palette.Others(s.Theme), ground(s.Theme)
				for p := 0; p < len(i.Pixels.Pix); p += 4 { // between the ground and grey
					for k, ends := range [][2]uint8{{grey.R, back.R}, {grey.G, back.G}, {grey.B, back.B}} {
						if v := i.Pixels.Pix[p+k]; v > max(ends[0], ends[1], s.Theme.Panel.B)+1 {
							t.Fatalf("%s, plain %v: a pixel is %v", by, plain, i.Pixels.Pix[p:p+4])
						}
					}
				}
			}
		}
	}
	s := State{Theme: palette.Dark(), Heap: h, Color: Untouched}
	var r Renderer
	if before := r.colors(&s); before.class == nil {
		t.Error("blocks whose use is not known have amounts")
	}
	s.Usage = &heap.Usage{Blocks: make([]heap.Use, h.Count())}
	if now := r.colors(&s); now.class != nil || now.high != 1 {
		t.Error("once it is known they have none")
	}
}

// What is chosen in one run is in another what has the same name; numbers of blocks mean nothing there.
func TestCounterpart(t *testing.T) {
	mine, other := State{Heap: story(t)}, State{Heap: crowd(t, 2000, 4)}
	both := ""
	for i := range mine.Heap.Sites {
		x := &mine.Heap.Sites[i]
		if slices.ContainsFunc(other.Heap.Sites, func(y heap.Site) bool { return y.Name() == x.Name() }) {
			both = x.Name()
		}
	}
	if both == "" {
		t.Fatal("no site is in both")
	}
	mine.Regions = make([]string, len(mine.Heap.Sites))
	mine.Regions[slices.IndexFunc(mine.Heap.Sites, func(x heap.Site) bool { return x.Name() == both })] = "nodes"
	function, line := link.Thing{What: link.Function, Name: "list_push"},
		link.Thing{What: link.Line, File: "/home/u/src/list.c", Line: 22}
	for _, row := range []struct{ is, want link.Thing }{
		{BlockThing(mine.Heap, 3), link.Thing{}},
		{link.Thing{What: link.Address, Low: 1, High: 2}, link.Thing{}},
		{link.Thing{}, link.Thing{}},
		{function, function},
		{line, line},
		{link.Thing{What: link.Region, Name: "nodes"}, link.Thing{What: link.Region, Name: "heap@" + both}},
		{link.Thing{What: link.Region, Name: "stack"}, link.Thing{What: link.Region, Name: "stack"}},
	} {
		if got := Counterpart(&mine, &other, row.is); got != row.want {
			t.Errorf("%+v is %+v in the other run, want %+v", row.is, got, row.want)
		}
	}
}

// The legend of amounts says its unit once, in the singular of one, and whole where there is room for it at all; where
// a run has more than the map's end, which is another run's, it says so.
func TestScaleWords(t *testing.T) {
	h := story(t)
	use := make([]region.BlockUse, h.Count())
	for i := range use {
		use[i] = region.BlockUse{Use: region.Use{Loads: h.Size(i) / 2}}
	}
	var r Renderer
	use[0].Loads = h.Size(0)
	s := State{Theme: palette.Dark(), Heap: h, Color: Heat, Use: use}
	if text := writing(Scene(s, scene.Size{W: 900, H: 400, Scale: 1})); !strings.HasPrefix(strings.Join(strings.Split(text,
		"touch heat")[1:], ""), " (log)|0|1 reference a byte|") {
		t.Errorf("the legend says %q", text)
	}
	more := slices.Clone(use)
	more[0].Loads *= 2
	like := State{Theme: s.Theme, Heap: h, Color: Heat, Use: more, Like: r.Like(s)}
	if text := writing(Scene(like, scene.Size{W: 900, H: 400, Scale: 1})); !strings.Contains(text,
		"|0|1 reference a byte or more|") {
		t.Errorf("beside a run with less the legend says %q", text)
	}
	for room := 215.0; room < 500; room += 7 {
		name, low, high, ramp := s.scaleWords(r.colors(&s), room)
		wide := scene.Measure(scene.Sans, labelSize, name) + scene.Measure(scene.Sans, labelSize,
			low) + scene.Measure(scene.Sans, labelSize, high) + 24 + ramp
		if wide > room || ramp < leastRamp || high != "1 reference a byte" {
			t.Errorf("in %g units %q, %q, %q and a map of %g take %g", room, name, low, high, ramp, wide)
		}
	}
}
