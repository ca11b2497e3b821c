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
