package spiral

import (
	"image"
	"math"
	"math/bits"
	"sync"
)

// disc is a round area cut into rings of one device pixel, and each ring into cells that are about as wide: a place for
// every turn of a spiral whose turns lie closer than pixels. A ring has a power of two of cells, twice as many as one
// of half its size.
//
// Rings come in packs. Cells of one pack at the same angle lie next to each other, from the inner to the outer ring,
// for a row of pixels crosses ring after ring: so it finds several cells where it found the last.
type disc struct {
	rings int
	start []int32 // of each ring's cells, which are pack apart; cell 0 belongs to none and stays clear
	cells int
}

// pack is how many rings are a pack: as many as there are cells, of 4 bytes, in half a line of the processor's cache.
const pack = 8

// mostCells is into how many cells a ring is cut at most: up to a radius of 1300 device pixels they are no wider than
// one.
const mostCells = 1 << 13

// cellsOf is into how many cells the ring at a radius is cut: as many as the outermost of its pack needs. They are 0.65
// to 1.3 pixels wide, less near the centre.
func cellsOf(ring int) int {
	n := uint(2 * math.Pi / 1.3 * float64(ring|(pack-1)+1))
	return min(mostCells, 1<<bits.Len(n|3))
}

func newDisc(rings int) disc {
	p := disc{rings: rings, start: make([]int32, rings), cells: 1}
	for k := range p.start {
		p.start[k] = int32(p.cells + k%pack)
		if k%pack == pack-1 || k == rings-1 {
			p.cells += pack * cellsOf(k)
		}
	}
	return p
}

// before is how many cells there are before those of a ring's pack, and beyond after these.
func (p *disc) before(ring int) int32 { return p.start[ring-ring%pack] }

func (p *disc) beyond(ring int) int32 { return p.before(ring) + int32(pack*cellsOf(ring)) }

// view is where a disc lies on a picture, in device pixels: all that decides in which cell a pixel's centre is.
type view struct {
	rings  int
	x, y   float64 // the centre, seen from the corner of the box
	width  int     // of the box
	height int
}

// lookup is by pixel of the box, row by row, the cell in which its centre lies.
type lookup struct {
	view  view
	cells []int32
}

// lookups remembers the last few: from frame to frame of a morph the view stays, and to find a pixel's cell costs more
// than all else that is done with it. What is in it depends on the view alone.
var lookups struct {
	sync.Mutex
	last []*lookup
}

// remembered is how many views are on screen at once, at most, without being in each other's way.
const remembered = 4

// cellsIn is the lookup for a view.
func (p *disc) cellsIn(v view) []int32 {
	lookups.Lock()
	defer lookups.Unlock()
	for _, l := range lookups.last {
		if l.view == v {
			return l.cells
		}
	}
	l := &lookup{view: v, cells: p.find(v)}
	if len(lookups.last) == remembered {
		lookups.last = append(lookups.last[:0], lookups.last[1:]...)
	}
	lookups.last = append(lookups.last, l)
	return l.cells
}

func (p *disc) find(v view) []int32 {
	out := make([]int32, v.width*v.height)
	reach := float64(p.rings * p.rings)
	for y := range v.height {
		dy := float64(y) + 0.5 - v.y
		row := out[y*v.width : (y+1)*v.width]
		for x := range row {
			dx := float64(x) + 0.5 - v.x
			if d2 := dx*dx + dy*dy; d2 < reach {
				ring := int(math.Sqrt(d2))
				n := cellsOf(ring)
				row[x] = p.start[ring] + pack*int32(min(n-1, int(turnOf(dx, dy)*float64(n))))
			}
		}
	}
	return out
}

// atan is the arc tangent from 0 to 1 as an odd polynomial, by least squares at Chebyshev's points; it is off by 2e-6
// at most.
var atan = [6]float64{0.99997983, -0.33265548, 0.19367032, -0.11665112, 0.05282349, -0.01177050}

// turnOf is the angle of a direction in turns, 0 to 1, to about a millionth: a hundredth of the smallest cell.
func turnOf(x, y float64) float64 {
	ax, ay := math.Abs(x), math.Abs(y)
	t, steep := ay, ay > ax
	if steep {
		t = ax / ay
	} else if ax > 0 {
		t = ay / ax
	}
	s := t * t
	a := t * (atan[0] + s*(atan[1]+s*(atan[2]+s*(atan[3]+s*(atan[4]+s*atan[5])))))
	a /= 2 * math.Pi
	if steep {
		a = 0.25 - a
	}
	if x < 0 {
		a = 0.5 - a
	}
	if y < 0 {
		a = 1 - a
	}
	return a
}

// box is the part of a picture that a disc of a radius about c may touch.
func box(cx, cy, r, w, h float64) image.Rectangle {
	lim := func(v, top float64) int { return int(max(0, min(top, v))) }
	return image.Rect(lim(math.Floor(cx-r), w), lim(math.Floor(cy-r), h), lim(math.Ceil(cx+r), w), lim(math.Ceil(cy+r), h))
}
