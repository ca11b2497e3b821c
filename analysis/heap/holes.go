package heap

import (
	"cmp"
	"slices"

	"orrery/traceio"
)

// Hole is a run of free bytes between two live blocks of one pool: [Low, High).
type Hole struct {
	Low, High    traceio.Addr
	Below, Above int // the blocks that it lies between
}

// Size is the number of bytes.
func (x Hole) Size() uint64 { return uint64(x.High - x.Low) }

// standing is the live blocks at t by address.
func (h *Heap) standing(t Time) []int {
	var ids []int
	h.Within(t, t, 0, ^traceio.Addr(0), func(id int) { ids = append(ids, id) })
	slices.SortFunc(ids, func(a, b int) int {
		return cmp.Or(cmp.Compare(h.blocks.low[a], h.blocks.low[b]), cmp.Compare(a, b))
	})
	return ids
}

// Holes is the n largest holes at time t, the largest first.
func (h *Heap) Holes(t Time, n int) []Hole { return largest(h.holes(h.standing(t)), n) }

// holes lists the holes between standing blocks in order of address. What the allocator needs between two neighbours is
// none.
func (h *Heap) holes(standing []int) (out []Hole) {
	top := -1
	for _, id := range standing {
		high := h.blocks.low[id]
		if top >= 0 {
			low := h.blocks.reach(int32(top))
			if high > low && high-low > chunkHead && high-low <= MaxGap {
				out = append(out, Hole{low, high, top, id})
			}
		}
		if top < 0 || h.blocks.reach(int32(id)) > h.blocks.reach(int32(top)) {
			top = id
		}
	}
	return out
}

// sized is something with a size and a place, to be ranked.
type sized interface{ Size() uint64 }

func largest[T sized](all []T, n int) []T {
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(b.Size(), a.Size()) })
	return all[:min(n, len(all))]
}

// Region is a compact piece of the heap: live blocks side by side. Low is its first block's, High the end of what is
// set aside for its last.
type Region struct {
	Low, High traceio.Addr
	Blocks    int
	Bytes     uint64 // asked for
	Site      int    // that has most of the bytes
}

// Size is the number of bytes.
func (r Region) Size() uint64 { return uint64(r.High - r.Low) }

// Compact is the n largest compact regions at time t, the largest first: with holes of at most slack bytes in them,
// beside what the allocator itself keeps between blocks.
func (h *Heap) Compact(t Time, slack uint64, n int) []Region {
	var out []Region
	bySite := map[int32]uint64{}
	close := func() {
		if len(out) > 0 {
			r, best := &out[len(out)-1], uint64(0)
			for site, bytes := range bySite {
				if bytes > best || bytes == best && int(site) < r.Site {
					best, r.Site = bytes, int(site)
				}
			}
			clear(bySite)
		}
	}
	for _, id := range h.standing(t) {
		b := h.Block(id)
		if k := len(out); k == 0 || b.Low > out[k-1].High && uint64(b.Low-out[k-1].High) > slack+chunkHead {
			close()
			out = append(out, Region{Low: b.Low, High: b.Low, Site: int(b.Site)})
		}
		r := &out[len(out)-1]
		r.High = max(r.High, b.reach())
		r.Blocks++
		r.Bytes += b.Size
		bySite[b.Site] += b.Size
	}
	close()
	return largest(out, n)
}

// Pin is a live block that keeps free memory apart or the heap from shrinking.
type Pin struct {
	Block        int
	Below, Above uint64 // free bytes right below and above it, in its pool
	Shrinks      uint64 // bytes by which its pool would end earlier without it; 0 unless it is the last of its pool
}

// Size is the bytes in one piece that there would be without the block, beside its own.
func (p Pin) Size() uint64 { return p.Below + p.Above }

// Pins is the n live blocks at time t that keep most free memory in two pieces or from being given back.
func (h *Heap) Pins(t Time, n int) []Pin {
	standing := h.standing(t)
	pins := map[int]*Pin{}
	pin := func(id int) *Pin {
		if pins[id] == nil {
			pins[id] = &Pin{Block: id}
		}
		return pins[id]
	}
	for _, x := range h.holes(standing) {
		pin(x.Below).Above = x.Size()
		pin(x.Above).Below = x.Size()
	}
	for i, id := range standing {
		last := i+1 == len(standing)
		if !last && h.pool(h.blocks.low[id]) == h.pool(h.blocks.low[standing[i+1]]) {
			continue
		}
		p := pin(id)
		p.Shrinks = p.Below + h.blocks.usable(int32(id))
	}
	var out []Pin
	for _, id := range standing {
		if p := pins[id]; p != nil {
			out = append(out, *p)
		}
	}
	slices.SortStableFunc(out, func(a, b Pin) int { return cmp.Compare(b.Shrinks, a.Shrinks) })
	return largest(out, n)
}

// Survivor is a site whose blocks alone keep pages in use: memory that the program holds on to for little.
type Survivor struct {
	Site   int
	Pages  uint64 // pages of 4 KiB on which no other site has a live block
	Blocks uint64 // of the site that lie on them
	Bytes  uint64 // asked for on these pages
}

// Size is the bytes of the pages that are not the site's.
func (s Survivor) Size() uint64 { return s.Pages*survivorPage - min(s.Bytes, s.Pages*survivorPage) }

const (
	survivorPage = 4096
	survivorBits = 12
)

// Survivors are the sites that pin pages at time t, those first that waste most of them. Blocks of more than a page pin
// only their first and last.
func (h *Heap) Survivors(t Time) []Survivor {
	type pageUse struct {
		site  int32 // -1 for several
		bytes uint64
	}
	pages := map[traceio.Addr]*pageUse{}
	ends := func(b Block) []traceio.Addr { // those of its first and last page that are not all the block's
		switch first, last := b.Low>>survivorBits, (b.High()-1)>>survivorBits; {
		case first == last:
			return []traceio.Addr{first}
		case b.Low == first<<survivorBits:
			return []traceio.Addr{last}
		default:
			return []traceio.Addr{first, last}
		}
	}
	standing := h.standing(t)
	for _, id := range standing {
		b := h.Block(id)
		for _, page := range ends(b) {
			u := pages[page]
			if u == nil {
				u = &pageUse{site: b.Site}
				pages[page] = u
			}
			if u.site != b.Site {
				u.site = -1
			}
			low, high := max(b.Low, page<<survivorBits), min(b.High(), (page+1)<<survivorBits)
			u.bytes += uint64(high - low)
		}
	}
	bySite := map[int32]*Survivor{}
	for _, u := range pages {
		if u.site < 0 {
			continue
		}
		s := bySite[u.site]
		if s == nil {
			s = &Survivor{Site: int(u.site)}
			bySite[u.site] = s
		}
		s.Pages++
		s.Bytes += u.bytes
	}
	for _, id := range standing { // one on two such pages is one
		b := h.Block(id)
		if slices.ContainsFunc(ends(b), func(page traceio.Addr) bool { return pages[page].site == b.Site }) {
			bySite[b.Site].Blocks++
		}
	}
	var out []Survivor
	for _, s := range bySite {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Survivor) int {
		return cmp.Or(cmp.Compare(b.Size(), a.Size()), cmp.Compare(a.Site, b.Site))
	})
	return out
}
