package region

import (
	"cmp"
	"slices"
	"strings"

	"orrery/traceio"
)

// holders names the blocks of each site after what holds them, where that is sure: among the candidates the first one
// that counts made its store for all of the site's blocks (those that nothing was recorded of aside), and stored to one
// variable that is a pointer, to elements of one array of pointers, or to one field of such. Stores to places on the
// stack without a name, to variables of the language's library and, in the statement that allocates, to what is no
// pointer do not count.
//
// "p = malloc(8)" gives "*p"; a vector's elements are "*v". Everything else keeps the name of its place:
// "heap@list.c:22".
func (m *Map) holders(sites findings) {
	if len(sites.failed) != len(m.sites) { // nothing is known
		return
	}
	found, failed := sites.found, sites.failed
	places := m.places(found)
	library := m.libraryFunctions()
	names := make([]common, len(m.sites))
	for i := range found {
		h := &found[i]
		if failed[h.site] || h.blocks == 0 {
			continue
		}
		if name := m.holder(h, places, library); !names[h.site].merge(name) {
			failed[h.site] = true
		}
	}
	taken := map[string]bool{}
	for i := range m.regions {
		taken[m.regions[i].Name] = true
	}
	for site, c := range names {
		if name := "*" + c.name; c.name != "" && !failed[site] && !taken[name] {
			r := &m.regions[m.sites[site]]
			r.Place, r.Name = r.Name, name
			taken[name] = true
		}
	}
}

// common is a name of all elements of a variable that it was given.
type common struct{ name string }

// add takes in one more element; it says whether that is one of the same variable.
func (c *common) add(element string) bool {
	switch {
	case c.name == "" || c.name == element:
		c.name = element
	case anyIndex(c.name) == anyIndex(element):
		c.name = anyIndex(element)
	default:
		return false
	}
	return true
}

// merge takes in what others have in common; nothing, if they have nothing in common.
func (c *common) merge(o common) bool { return o.name != "" && c.add(o.name) }

// place is what is at an address at some time.
type place struct {
	region int
	offset uint64
}

// places looks up all stores, in the order of time, so that the stacks are followed once.
func (m *Map) places(found []holder) map[stored]place {
	var all []stored
	for i := range found {
		for k := range found[i].stores {
			all = append(all, found[i].stores[k].all()...)
		}
	}
	slices.SortFunc(all, func(a, b stored) int { return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.addr, b.addr)) })
	out := make(map[stored]place, len(all))
	for _, x := range slices.Compact(all) {
		id, _, rest := m.locate(x.addr, x.seq)
		if m.regions[id].Kind == Global {
			rest = uint64(x.addr - m.regions[id].Low)
		}
		out[x] = place{id, rest}
	}
	return out
}

// libraryFunctions are the functions whose source belongs to no project: templates of the standard library.
func (m *Map) libraryFunctions() map[string]bool {
	out := map[string]bool{}
	for i := range m.prog.Sites {
		for _, f := range m.prog.Sites[i].Frames {
			if f.File != "" && f.Function != "" && !traceio.InProject(f.File) {
				out[traceio.ShortFunction(f.Function)] = true
			}
		}
	}
	return out
}

// holder is the name of what holds the blocks of a call, none when there is nothing.
func (m *Map) holder(h *holder, places map[stored]place, library map[string]bool) common {
	for i := range h.stores {
		c := &h.stores[i]
		name, counts := m.holds(c, places, library)
		switch {
		case name.name != "" && c.n == h.blocks:
			return name
		case name.name != "" || counts:
			return common{}
		}
	}
	return common{}
}

// holds is the common name of the places that a candidate's stores went to, none when there is none; counts says that
// they are no pointers that could be told.
func (m *Map) holds(c *candidateStore, places map[stored]place, library map[string]bool) (name common, counts bool) {
	for _, x := range c.all() {
		p := places[x]
		r := &m.regions[p.region]
		function := r.Name[:max(0, strings.LastIndexByte(r.Name, ':'))]
		switch {
		case r.Kind == Stack || r.Kind == Local && library[function]:
			return common{}, false
		case r.Kind != Global && r.Kind != Local || !m.prog.PointerAt(r.Type, p.offset):
			return common{}, !c.sure
		}
		element := m.prog.Element(r.Name, r.Type, p.offset)
		if head, _, ok := strings.Cut(element, "._M_"); ok { // the standard library's own members
			element = head
		}
		if !name.add(element) {
			return common{}, true
		}
	}
	return name, name.name != ""
}

// anyIndex puts a star for each subscript: "rows[3].at" becomes "rows[*].at".
func anyIndex(name string) string {
	if !strings.Contains(name, "[") {
		return name
	}
	var b strings.Builder
	for {
		head, rest, found := strings.Cut(name, "[")
		b.WriteString(head)
		if !found {
			return b.String()
		}
		index, tail, closed := strings.Cut(rest, "]")
		if !closed || strings.Trim(index, "0123456789*") != "" {
			b.WriteString("[")
			name = rest
			continue
		}
		b.WriteString("[*]")
		name = tail
	}
}
