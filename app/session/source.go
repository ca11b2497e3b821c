package session

import (
	"orrery/traceio"
	"orrery/views/heapmap"
	"orrery/views/link"
	"orrery/views/palette"
	"orrery/views/source"
)

// CodeOf is the line of source that a thing comes from: of a block and of the blocks of a place that allocates that
// place, of a function its first line that makes references, of instructions the line that they name, of an error of
// the log the line that called the allocator in error. Other things are themselves.
func (r *Recording) CodeOf(t link.Thing) link.Thing {
	if i := heapmap.ErrorOf(r.Heap, t); i >= 0 {
		if x := r.Heap.Caller(r.Heap.Errors[i].Stack); x.File != "" && x.Line > 0 {
			return link.OfLine(x.File, x.Line)
		}
		return t
	}
	switch t.What {
	case link.Instructions:
		return t.AsLine()
	case link.Block:
		if t.ID >= 0 && t.ID < r.Heap.Count() {
			if x := &r.Heap.Sites[r.Heap.SiteOf(t.ID)]; x.File != "" && x.Line > 0 {
				return link.OfLine(x.File, x.Line)
			}
		}
	case link.Region:
		regions := r.Regions.Regions()
		if id := r.Regions.Find(t.Name); id >= 0 && regions[id].Site >= 0 {
			if x := &r.Heap.Sites[regions[id].Site]; x.File != "" && x.Line > 0 {
				return link.OfLine(x.File, x.Line)
			}
		}
	case link.Function:
		first := link.Thing{}
		for i := range int32(r.Lines.Len()) {
			l := r.Lines.At(i)
			if l.Line > 0 && r.Text(l.File) != "" && traceio.ShortFunction(l.Function) == traceio.ShortFunction(t.Name) &&
				(first.Line == 0 || l.File == first.File && l.Line < first.Line) {
				first = link.OfLine(l.File, l.Line)
			}
		}
		if first.Line > 0 {
			return first
		}
	}
	return t
}

// SourceText is the state of a source pane that shows a file, or with "" the file that runs at the cursor. misses,
// which may be nil, are the first cache level's misses by line number; colors are those of the lines.
func (r *Recording) SourceText(theme palette.Theme, file string, cursor traceio.Seq, misses []uint64,
	colors LineColors) source.State {
	s := source.State{Theme: theme, Files: r.files(), Heat: map[int]source.Heat{}}
	now := r.lineAt(cursor)
	if file == "" {
		file = r.fileAt(now)
	}
	s.File = file
	if now >= 0 && r.Lines.At(now).File == file {
		s.Now = r.Lines.At(now).Line
	}
	if text := r.Text(file); text != "" {
		s.Text = source.Lines(text)
	}
	for i := range r.Lines.Len() {
		l := r.Lines.At(int32(i))
		if l.File != file || l.Line == 0 {
			continue
		}
		h := source.Heat{References: l.References(), Color: colors.Of(theme, int32(i)), Function: l.Function}
		if misses != nil {
			h.Misses = misses[i]
		}
		s.Heat[l.Line] = h
	}
	s.Empty = "This recording has no source text. Compile with -g and keep the sources where they were, then record again."
	if len(s.Files) == 0 && r.Len() > 0 && r.Lines.Len() == 0 {
		s.Empty = "This recording does not tell which instructions made its references, so there is no source to show. " +
			"orrery record tells."
	}
	return s
}

// lineAt is the number of the line that reference s comes from, -1 when unknown.
func (r *Recording) lineAt(s traceio.Seq) int32 {
	if s >= r.Len() {
		return -1
	}
	a, err := r.At(s)
	if err != nil {
		return -1
	}
	return r.Lines.Of(a.PC)
}

// fileAt is the file of a line if the recording has its text, else the file of the most referenced line that has text.
func (r *Recording) fileAt(line int32) string {
	if line >= 0 {
		if f := r.Lines.At(line).File; r.Text(f) != "" {
			return f
		}
	}
	for i := range r.Lines.Len() {
		if f := r.Lines.At(int32(i)).File; r.Text(f) != "" {
			return f
		}
	}
	return ""
}

// files lists the source files with text that make references, in the recording's order.
func (r *Recording) files() []string {
	used := map[string]bool{}
	for i := range r.Lines.Len() {
		used[r.Lines.At(int32(i)).File] = true
	}
	var out []string
	for _, s := range r.Program().Sources {
		if used[s.Path] {
			out = append(out, s.Path)
		}
	}
	return out
}
