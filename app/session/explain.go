package session

import (
	"fmt"
	"path"
	"strings"

	"orrery/analysis/heap"
	"orrery/cachesim"
	"orrery/traceio"
	"orrery/views/explain"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/words"
)

// Explain says in words what a thing is and what happened to it; without a thing it is about the reference at the
// cursor. caches may be nil, and usage while nobody knows which bytes of blocks are touched; colors are those of the
// lines.
func (r *Recording) Explain(theme palette.Theme, t link.Thing, caches *Caches, usage *heap.Usage, cursor traceio.Seq,
	colors LineColors) []explain.Section {
	if i := heapmap.ErrorOf(r.Heap, t); i >= 0 {
		return r.explainError(theme, i, usage)
	}
	switch t.What {
	case link.Line:
		return r.explainLine(theme, t, colors)
	case link.Instructions:
		return r.explainInstructions(theme, t, colors)
	case link.Region:
		return r.explainRegion(theme, t)
	case link.Block:
		return r.explainBlock(t.ID, usage)
	case link.Set:
		return []explain.Section{{Title: fmt.Sprintf("%s, set %d", t.Name, t.ID),
			Lines: []string{"The blocks of this set are one arm in the cache picture, the next victim outermost."}}}
	case link.Address:
		return r.explainBytes(theme, t, caches, cursor)
	case link.Time:
		return []explain.Section{{Title: "A stretch of time",
			Lines: []string{fmt.Sprintf("%s %d to %d", r.TimeUnit(), t.Span.From, t.Span.To)}}}
	}
	return r.explainMoment(theme, caches, cursor)
}

func (r *Recording) explainLine(theme palette.Theme, t link.Thing, colors LineColors) []explain.Section {
	s := explain.Section{Title: fmt.Sprintf("%s:%d", path.Base(t.File), t.Line)}
	if t.Line <= 0 {
		s.Title = "Code of unknown lines"
		if t.File != "" {
			s.Title = "Unknown lines of " + path.Base(t.File)
		}
	}
	if folder := path.Dir(t.File); folder != "." {
		s.Lines = append(s.Lines, "in the folder "+folder)
	}
	switch text := r.LineText(t.File, t.Line); {
	case text != "":
		s.Lines = append(s.Lines, text)
	case t.Line > 0 && r.Text(t.File) == "":
		s.Lines = append(s.Lines, "its text is not in this recording")
	}
	if id := r.Lines.Find(t.File, t.Line); id >= 0 {
		l := r.Lines.At(id)
		s.Chip = colors.Of(theme, id)
		if l.Function != "" {
			s.Lines = append(s.Lines, "in "+traceio.ShortFunction(l.Function))
		}
		s.Lines = append(s.Lines, r.useText(l.Loads, l.Stores))
	} else {
		s.Lines = append(s.Lines, "makes no references in this recording")
	}
	return []explain.Section{s}
}

// mostInstructions is how many instructions are told by their addresses.
const mostInstructions = 4

// explainInstructions tells what some instructions do, and what their line does in all.
func (r *Recording) explainInstructions(theme palette.Theme, t link.Thing, colors LineColors) []explain.Section {
	pcs, is := t.PCs(), r.codeIn(t)
	if len(pcs) == 0 {
		return nil
	}
	var loads, stores uint64
	for i := range r.Digest.Pieces {
		for _, x := range r.Digest.Pieces[i].Code {
			if is(x.PC) {
				loads, stores = loads+uint64(x.Loads), stores+uint64(x.Stores)
			}
		}
	}
	s := explain.Section{Title: "Instruction " + pcs[0].String(), Lines: []string{r.useText(loads, stores)}}
	if n := len(pcs); n > 1 {
		s.Title = fmt.Sprintf("%d instructions", n)
		at := strings.Join(strings.Fields(t.Name)[:min(n, mostInstructions)], ", ")
		if n > mostInstructions {
			at += " …"
		}
		s.Lines = append([]string{at}, s.Lines...)
	}
	if t.Line <= 0 {
		return []explain.Section{s}
	}
	return append([]explain.Section{s}, r.explainLine(theme, t, colors)...)
}

func (r *Recording) explainRegion(theme palette.Theme, t link.Thing) []explain.Section {
	id := r.Regions.Find(t.Name)
	if id < 0 {
		return nil
	}
	g, use := r.Regions.Regions()[id], r.Use.Regions[id]
	s := explain.Section{Title: regionTitle(g.Name), Chip: r.RegionColor(theme, id)}
	if g.Site >= 0 && g.Site < len(r.Heap.Sites) {
		s.Lines = append(siteText(&r.Heap.Sites[g.Site]), r.doubtText(g.Site)...)
	} else {
		s.Lines = append(s.Lines, fmt.Sprintf("%s, %d bytes", g.Kind, g.Size))
	}
	if !r.EventsOnly() {
		s.Lines = append(s.Lines, r.useText(use.Loads, use.Stores))
	}
	if stack, variables := r.StackVariables(); id == stack && len(variables) > 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("beside its %s; the %s has %s references",
			words.Plural(len(variables), "variable"), WholeStack, r.Figure(r.WholeStackReferences())))
	}
	return []explain.Section{s}
}

// regionTitle is a region's name as a title: what is named after the place that allocated it are blocks from there.
func regionTitle(name string) string {
	if place, ok := strings.CutPrefix(name, "heap@"); ok {
		return "Blocks from " + place
	}
	return name
}

// siteText tells of the blocks of a place that allocates.
func siteText(x *heap.Site) []string {
	lines := []string{words.Plural(x.Blocks, "block") + " with " + words.Bytes(x.Bytes) + " in all",
		words.Bytes(x.PeakBytes) + " at the heap's peak"}
	if x.Function != "" && traceio.ShortFunction(x.Function) != x.Name() {
		lines = append([]string{"in " + traceio.ShortFunction(x.Function)}, lines...)
	}
	if x.LeakedBlocks > 0 {
		lines = append(lines, words.Bytes(x.LiveBytes)+" in "+words.Plural(x.LeakedBlocks, "block")+" never freed")
	}
	if x.Temporary > 0 {
		lines = append(lines, words.Plural(x.Temporary, "block")+" freed at once")
	}
	if x.Crossed > 0 {
		lines = append(lines, words.Plural(x.Crossed, "block")+" freed by another thread")
	}
	if x.WasteBytes > 0 {
		lines = append(lines, words.Bytes(x.WasteBytes)+" set aside beyond what was asked for")
	}
	return lines
}

// doubtText says how many blocks of a site count with no bytes because their sizes cannot be.
func (r *Recording) doubtText(site int) []string {
	n := uint64(0)
	for i := range r.Heap.Errors {
		if e := &r.Heap.Errors[i]; e.Doubt() != "" && int(r.Heap.SiteOf(e.Block)) == site {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []string{words.Plural(n, "block") + " of an impossible size counted with no bytes"}
}

func (r *Recording) explainBlock(id int, usage *heap.Usage) []explain.Section {
	if id < 0 || id >= r.Heap.Count() {
		return nil
	}
	b := r.Heap.Block(id)
	s := explain.Section{Title: fmt.Sprintf("Block #%d", id),
		Lines: []string{fmt.Sprintf("%s bytes asked for, %s usable, at %v", words.Count(b.Size),
			words.Count(b.Usable()), r.own(b.Low))}}
	if e := r.Heap.Doubted(id); e != nil {
		s.Lines[0] = fmt.Sprintf("%s asked for at %v, %s", heapmap.Asked(e.Size), r.own(b.Low), e.Doubt())
	}
	if b.Site >= 0 {
		site := &r.Heap.Sites[b.Site]
		s.Lines = append(s.Lines, fmt.Sprintf("allocated in %s at %s", site.Name(), r.moment(r.Heap.Alloc(b))))
		for _, g := range r.Regions.Regions() {
			if g.Site == int(b.Site) && g.Place != "" {
				s.Lines = append(s.Lines, "its pointer was first put into "+strings.TrimPrefix(g.Name, "*"))
			}
		}
	}
	if alloc, _ := r.Heap.Latencies(id); alloc > 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("the allocator answered in %d ns", alloc))
	}
	if b.Leaked {
		s.Lines = append(s.Lines, "never freed")
	} else if r.Heap.FreeSite(b) >= 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("freed in %s at %s", r.Heap.FreeSites[r.Heap.FreeSite(b)].Name(),
			r.moment(r.Heap.Free(b))))
	}
	if id < len(r.Use.Blocks) && !r.EventsOnly() {
		if u := r.Use.Blocks[id]; u.References() == 0 {
			s.Lines = append(s.Lines, "never touched by a recorded reference")
		} else {
			s.Lines = append(s.Lines, fmt.Sprintf("%s and %s, the first at %s, the last at %s", words.Plural(u.Loads, "load"),
				words.Plural(u.Stores, "store"), words.Count(u.First), words.Count(u.Last)))
			lag, drag := u.First-min(u.First, r.Heap.Alloc(b)), r.Heap.Free(b)-min(r.Heap.Free(b), u.Last+1)
			s.Lines = append(s.Lines, fmt.Sprintf("idle for %s before the first and %s after the last",
				words.Plural(uint64(lag), "reference"), words.Plural(uint64(drag), "reference")))
			if told := heapmap.NeverTouched(r.Heap, usage, id); told != "" {
				s.Lines = append(s.Lines, told)
			}
		}
	}
	return []explain.Section{s}
}

// explainMoment tells what the reference at the cursor does.
func (r *Recording) explainMoment(theme palette.Theme, caches *Caches, cursor traceio.Seq) []explain.Section {
	if r.EventsOnly() && cursor < r.Extent() {
		return r.explainEvent(theme, int(cursor))
	}
	if cursor >= r.Len() {
		return nil
	}
	a, err := r.At(cursor)
	if err != nil {
		return nil
	}
	region, name := r.Regions.At(a.Addr, cursor)
	s := explain.Section{Title: "Reference " + words.Count(cursor), Chip: r.RegionColor(theme, region.ID)}
	s.Lines = append(s.Lines, fmt.Sprintf("%s of %s, %s", a.Kind, words.Bytes(uint64(a.Size)), name))
	if at := r.Program().SiteAt(a.PC).Own(); at.Line > 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("%s, %s", at.Resolved(), traceio.ShortFunction(at.Function)))
		if text := r.LineText(at.File, at.Line); text != "" {
			s.Lines = append(s.Lines, text)
		}
	}
	if caches != nil {
		if served, err := caches.Served(cursor); err == nil && served != cachesim.Unserved {
			s.Lines = append(s.Lines, servedBy(served, caches.Config()))
		}
	}
	return []explain.Section{s}
}

// servedBy says which level had the data of a reference.
func servedBy(s cachesim.Served, c cachesim.Config) string {
	switch {
	case s.Level() >= len(c.Levels):
		return "served by memory"
	case s.Whole():
		return "missed in " + c.Levels[s.Level()].Name + ", which it wrote whole: nothing was fetched"
	}
	return "served by " + c.Levels[s.Level()].Name
}
