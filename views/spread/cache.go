package spread

import (
	"context"
	"fmt"
	"image"
	"slices"
)

// Cache keeps the images of densities and the distributions that were drawn last, as long as what they show stays the
// same. Its zero value is empty; it belongs to one goroutine. With Later set, a frame shows outdated ones instead of
// computing them, and Work computes what it lacked.
type Cache struct {
	Later bool

	table *Table
	kept  []kept
	lacks []piece
}

// kept is an image or a distribution. The last one of a name is shown until the next one is there.
type kept struct {
	key, name string
	pixels    *image.RGBA
	counts    []int
}

// piece is an image or a distribution that the last frame lacked.
type piece struct {
	kept
	of   *State // with what passed then
	make func(s *State) kept
}

// Lacks reports whether the last frame showed something outdated.
func (c *Cache) Lacks() bool { return len(c.lacks) > 0 }

// Made is what Work has made.
type Made struct {
	table *Table
	list  []kept
}

// Work is what makes the pieces that the last frame lacked. It may be called on another goroutine; its error is that of
// ctx.
func (c *Cache) Work() func(ctx context.Context) (Made, error) {
	table, lacks := c.table, c.lacks
	return func(ctx context.Context) (Made, error) {
		m := Made{table: table}
		for _, p := range lacks {
			if ctx.Err() != nil {
				break
			}
			k := p.make(p.of)
			k.key, k.name = p.key, p.name
			m.list = append(m.list, k)
		}
		return m, ctx.Err()
	}
}

// Take keeps what was made.
func (c *Cache) Take(m Made) {
	if m.table == c.table {
		for _, k := range m.list {
			c.keep(k)
		}
	}
}

// mostKept is how many pieces are kept: those of one matrix of six objectives and two pictures beside.
const mostKept = 32

func (c *Cache) keep(k kept) {
	if len(c.kept) >= mostKept {
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	c.kept = append(c.kept, k)
}

// begin starts a frame.
func (s *State) begin() {
	c := s.Cache
	if c == nil {
		return
	}
	if c.table != s.Table {
		*c = Cache{Later: c.Later, table: s.Table}
	}
	c.lacks = nil
}

// piece is what make gives, or the kept one where nothing that it depends on has changed. name says which one of the
// picture it is, detail what else it depends on; back says that it does not depend on which points pass.
func (s *State) piece(name, detail string, back bool, make func(s *State) kept) kept {
	c := s.Cache
	if c == nil {
		return make(s)
	}
	version := s.Version
	if back {
		version = -1
	}
	key := fmt.Sprint(name, detail, version, s.Theme.Name, s.objective(), s.Pass == nil)
	if i := slices.IndexFunc(c.kept, func(k kept) bool { return k.key == key }); i >= 0 {
		return c.kept[i]
	}
	k := kept{key: key, name: name}
	if c.Later {
		then := *s
		then.Cache = nil
		if s.Pass != nil {
			then.Pass = s.Pass.Clone() // the filter goes on
		}
		c.lacks = append(c.lacks, piece{k, &then, make})
		for _, before := range slices.Backward(c.kept) {
			if before.name == name {
				return before
			}
		}
		return k
	}
	k = make(s)
	k.key, k.name = key, name
	c.keep(k)
	return k
}

// image is a piece of a size; nil when there is none yet.
func (s *State) image(name, detail string, w, h int, back bool, make func(s *State) *image.RGBA) *image.RGBA {
	return s.piece(fmt.Sprint(name, " ", w, h), detail, back, func(s *State) kept { return kept{pixels: make(s)} }).pixels
}

// steps is how many bars a distribution has.
const steps = 64

// distribution counts the points by their place on the axis of an objective: all of them, and those that pass.
func (s *State) distribution(objective int) (all, some []int) {
	a := s.axisOf(objective)
	if s.Pass == nil {
		return a.spread, a.spread
	}
	some = s.piece(fmt.Sprint("distribution ", objective), "", false, func(s *State) kept {
		counts := make([]int, steps)
		s.Pass.Each(func(p int) { counts[step(a.code[p])]++ })
		return kept{counts: counts}
	}).counts
	if some == nil { // not there yet
		some = make([]int, steps)
	}
	return a.spread, some
}

// step is the bar of a code.
func step(code uint16) int { return int(code) * steps / (top + 1) }
