package spread

import (
	"fmt"
	"image"
	"slices"
)

// Cache keeps the images of densities that were drawn last, as long as what they show stays the same. Its zero value is empty;
// it belongs to one goroutine.
type Cache struct {
	table *Table
	kept  []kept

	spreads map[int][2][]int // distributions by objective, of
	version int
	narrow  bool // not all pass
}

type kept struct {
	key    string
	pixels *image.RGBA
}

// most is how many images are kept: those of one matrix of six objectives and two pictures beside.
const mostKept = 20

// image is the one that make draws, or the same as before. name says which picture of the room it is; back tells that it does not
// depend on what passes.
func (s *State) image(name string, w, h int, back bool, make func() *image.RGBA) *image.RGBA {
	c := s.Cache
	if c == nil {
		return make()
	}
	if c.table != s.Table {
		*c = Cache{table: s.Table}
	}
	version := s.Version
	if back {
		version = -1
	}
	key := fmt.Sprint(name, w, h, version, s.Theme.Name, s.objective(), s.Pass == nil)
	if i := slices.IndexFunc(c.kept, func(k kept) bool { return k.key == key }); i >= 0 {
		return c.kept[i].pixels
	}
	if len(c.kept) >= mostKept {
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	c.kept = append(c.kept, kept{key, make()})
	return c.kept[len(c.kept)-1].pixels
}

// steps is how many bars a distribution has.
const steps = 64

// distribution counts the points by their place on the axis of an objective: all of them, and those that pass.
func (s *State) distribution(objective int) (all, some []int) {
	count := func() [2][]int {
		a := s.axisOf(objective)
		all, some := make([]int, steps), make([]int, steps)
		for _, code := range a.code {
			all[int(code)*steps/(top+1)]++
		}
		if s.Pass == nil {
			return [2][]int{all, all}
		}
		s.Pass.Each(func(p int) { some[int(a.code[p])*steps/(top+1)]++ })
		return [2][]int{all, some}
	}
	c := s.Cache
	if c == nil {
		both := count()
		return both[0], both[1]
	}
	if c.table != s.Table {
		*c = Cache{table: s.Table}
	}
	if c.spreads == nil || c.version != s.Version || c.narrow != (s.Pass != nil) {
		c.spreads, c.version, c.narrow = map[int][2][]int{}, s.Version, s.Pass != nil
	}
	both, ok := c.spreads[objective]
	if !ok {
		both = count()
		c.spreads[objective] = both
	}
	return both[0], both[1]
}
