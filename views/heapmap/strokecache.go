package heapmap

import (
	"image"
	"slices"
	"sync/atomic"
)

// While alpha is dragged the same blocks lie in the same places, and only their weights change. So strokes of an image
// are kept from the second alpha on.

// strokes are those of an image by band, in lists as they were made. Bands are filled by different goroutines.
type strokes struct {
	bands [][][]stroke
	whole bool // nothing is missing
	large bool // too many to keep
	size  atomic.Int64
	used  int // the last look that they were weighed for
}

// cacheGeneration identifies looks that differ in alpha alone, and so share their strokes: by its address, which is why
// it has a byte.
type generation struct{ _ byte }

// strokeCache is the strokes that are kept, all of one generation.
type strokeCache struct {
	generation *generation
	look       *look
	looks      int // so far
	all        map[any]*strokes
	size       int64
}

// mostStrokes is about how many are kept of all images: some 130 MB.
const mostStrokes = 130 << 20 / 28

// ready prepares for so many bands, and reports whether all their strokes are there.
func (s *strokes) ready(bands int) bool {
	if s == nil {
		return false
	}
	if s.whole && len(s.bands) == bands {
		return true
	}
	s.bands = make([][][]stroke, bands)
	s.size.Store(0)
	return false
}

// keep takes strokes of a band, unless there are too many in all.
func (s *strokes) keep(band int, list []stroke) {
	if s != nil && len(list) > 0 && s.size.Add(int64(len(list))) <= mostStrokes/2 {
		s.bands[band] = append(s.bands[band], slices.Clone(list))
	}
}

// done tells that the image is made. If its strokes are too many, none are kept, but that it is so.
func (s *strokes) done() {
	if s.whole = s.size.Load() <= mostStrokes/2; !s.whole {
		s.bands, s.large = nil, true
		s.size.Store(0)
	}
}

// drawn is the image that paint makes, from the strokes that are kept of the same place where there are any. key tells
// the place.
func (p *resultStore) drawn(c *look, key any, paint func(*strokes) *image.RGBA) *image.RGBA {
	if !c.alphaChanged || c.plain {
		p.forget(c)
		return paint(nil)
	}
	s := p.recall(c, key)
	pix := paint(s)
	if s != nil && !s.whole {
		s.done()
		p.remember(c, key, s)
	}
	return pix
}

// forget drops the strokes of another generation: they are many, and will not be needed.
func (p *resultStore) forget(c *look) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.strokeCache.generation != c.generation {
		p.strokeCache = strokeCache{}
	}
}

// recall is the strokes that are kept of a place, or new ones; nil where they are too many, or where there is no room
// for more.
func (p *resultStore) recall(c *look, key any) *strokes {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := &p.strokeCache
	if a.generation != c.generation {
		*a = strokeCache{generation: c.generation, all: map[any]*strokes{}}
	}
	if a.look != c {
		a.look = c
		a.looks++
	}
	if s := a.all[key]; s != nil {
		if s.used = a.looks; s.large {
			return nil
		}
		return s
	}
	if a.size < mostStrokes {
		return &strokes{}
	}
	for k, s := range a.all { // of places that have been left
		if s.used < a.looks-1 {
			a.size -= s.size.Load()
			delete(a.all, k)
		}
	}
	return nil
}

func (p *resultStore) remember(c *look, key any, s *strokes) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := &p.strokeCache; a.generation == c.generation && a.all[key] == nil {
		s.used = a.looks
		a.all[key] = s
		a.size += s.size.Load()
	}
}
