package record

import (
	"cmp"
	"context"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"orrery/traceio"
)

// selection is what --only asks for.
type selection struct {
	patterns []pattern
	from     []pattern
	entries  []uint64
	spans    []span
	done     int // modules looked at
}

// pattern is one choice: kind is "program", "module", "function", "file" or "" for any of the last three.
type pattern struct {
	kind, text string
	hits       int
}

// parsePatterns reads PATTERN, function:PATTERN, file:PATTERN, module:PATTERN and the word program. In a pattern * stands
// for any text and ? for one character.
func parsePatterns(words []string) ([]pattern, error) {
	var out []pattern
	for _, w := range words {
		p := pattern{text: w}
		for _, kind := range []string{"module", "function", "file"} {
			if rest, ok := strings.CutPrefix(w, kind+":"); ok {
				p.kind, p.text = kind, rest
			}
		}
		if w == "program" {
			p.kind = w
		}
		if p.text == "" {
			return nil, fmt.Errorf("--only %q names nothing; give a function, a file, a module or the word program", w)
		}
		out = append(out, p)
	}
	return out, nil
}

// update takes in modules that have been mapped since the last call; spans and entries are then what to tell the plugin.
func (s *selection) update(ctx context.Context, m *modules) {
	for ; s.done < len(m.list); s.done++ {
		mod := m.list[s.done]
		if len(s.patterns) > 0 {
			s.spans = append(s.spans, s.choose(ctx, mod)...)
		}
		s.entries = append(s.entries, findEntries(s.from, mod)...)
	}
	s.spans = merge(s.spans)
}

// recorded are the addresses of instructions to record.
func (s *selection) recorded(hidden []span) []span {
	if len(s.patterns) > 0 {
		return s.spans
	}
	low := uint64(0)
	var out []span
	for _, h := range merge(slices.Clone(hidden)) {
		out = append(out, span{low, h.low})
		low = h.high
	}
	return append(out, span{low, ^uint64(0)})
}

// unmatched are the patterns that nothing answered to.
func (s *selection) unmatched() []string {
	var out []string
	for _, p := range slices.Concat(s.patterns, s.from) {
		if p.hits == 0 {
			out = append(out, p.text)
		}
	}
	return out
}

// choose gives the run-time spans of one module that any pattern asks for.
func (s *selection) choose(ctx context.Context, mod traceio.Module) []span {
	var out []span
	var file *elf.File
	for i := range s.patterns {
		p := &s.patterns[i]
		before := len(out)
		if p.kind == "program" && mod.Main || (p.kind == "module" || p.kind == "") && matchModule(p.text, mod.Path) {
			out = append(out, span{uint64(mod.Low), uint64(mod.High)})
		} else if p.kind != "program" && p.kind != "module" {
			if file == nil {
				var err error
				if file, err = elf.Open(mod.Path); err != nil {
					return out
				}
				defer file.Close()
			}
			for _, link := range codeOf(ctx, file, *p) {
				out = append(out, span{link.low + uint64(mod.Bias), link.high + uint64(mod.Bias)})
			}
		}
		p.hits += len(out) - before
	}
	return out
}

// matchModule compares with the file's path, its name and its name before ".so".
func matchModule(pat, path string) bool {
	name := filepath.Base(path)
	stem, _, _ := strings.Cut(name, ".so")
	return glob(pat, path) || glob(pat, name) || glob(pat, stem)
}

// codeOf gives the link-time spans of the functions and files that match.
func codeOf(ctx context.Context, f *elf.File, p pattern) []span {
	var out []span
	if p.kind != "file" {
		for _, s := range functions(f) {
			if s.Size > 0 && matchFunction(p.text, s.Name) {
				out = append(out, span{s.Value, s.Value + s.Size})
			}
		}
	}
	// Damaged debug information selects nothing more; debug/dwarf panics on some of it.
	defer func() { _ = recover() }()
	debug, err := f.DWARF()
	if err != nil {
		return out
	}
	if p.kind != "file" {
		out = append(out, inlined(ctx, debug, p.text)...)
	}
	if p.kind != "function" {
		out = append(out, lines(ctx, debug, p.text)...)
	}
	return out
}

// functions are the symbols of code in the symbol table or, in a stripped file, in the dynamic one.
func functions(f *elf.File) []elf.Symbol {
	all, _ := f.Symbols()
	dynamic, _ := f.DynamicSymbols()
	var out []elf.Symbol
	for _, s := range append(all, dynamic...) {
		if t := elf.ST_TYPE(s.Info); (t == elf.STT_FUNC || t == 10) && s.Section != elf.SHN_UNDEF && s.Value != 0 { // 10: resolved at load time
			out = append(out, s)
		}
	}
	return out
}

func findEntries(from []pattern, mod traceio.Module) []uint64 {
	if len(from) == 0 {
		return nil
	}
	f, err := elf.Open(mod.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []uint64
	for i := range from {
		for _, s := range functions(f) {
			if matchFunction(from[i].text, s.Name) {
				from[i].hits++
				out = append(out, s.Value+uint64(mod.Bias))
			}
		}
	}
	return out
}

// matchFunction compares with the name as the linker knows it and, for C++ and Rust, with the readable name without
// parameters, with and without template arguments.
func matchFunction(pat, symbol string) bool {
	if glob(pat, symbol) {
		return true
	}
	if !strings.HasPrefix(symbol, "_") {
		return false
	}
	if full, err := demangle.ToString(symbol, demangle.NoParams); err == nil && glob(pat, full) {
		return true
	}
	bare, err := demangle.ToString(symbol, demangle.NoParams, demangle.NoTemplateParams)
	return err == nil && glob(pat, bare)
}

// inlined gives the code of functions that match, where it was inlined into others.
func inlined(ctx context.Context, d *dwarf.Data, pat string) []span {
	var out []span
	names := map[dwarf.Offset]bool{}
	r := d.Reader()
	for ctx.Err() == nil {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		if e.Tag != dwarf.TagInlinedSubroutine {
			continue
		}
		origin, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			continue
		}
		match, known := names[origin]
		if !known {
			match = matchOrigin(d, origin, pat)
			names[origin] = match
		}
		if match {
			out = append(out, entryRanges(d, e)...)
		}
	}
	return out
}

// matchOrigin follows an inlined function to where its name is.
func matchOrigin(d *dwarf.Data, at dwarf.Offset, pat string) bool {
	for range 4 {
		r := d.Reader()
		r.Seek(at)
		e, err := r.Next()
		if err != nil || e == nil {
			return false
		}
		if name, ok := e.Val(dwarf.AttrLinkageName).(string); ok && matchFunction(pat, name) {
			return true
		}
		if name, ok := e.Val(dwarf.AttrName).(string); ok && glob(pat, name) {
			return true
		}
		next, ok := e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		if !ok {
			if next, ok = e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); !ok {
				return false
			}
		}
		at = next
	}
	return false
}

func entryRanges(d *dwarf.Data, e *dwarf.Entry) []span {
	ranges, err := d.Ranges(e)
	if err != nil {
		return nil
	}
	var out []span
	for _, r := range ranges {
		if r[0] != 0 && r[0] < r[1] {
			out = append(out, span{r[0], r[1]})
		}
	}
	return out
}

// lines gives the code that the line table says comes from a matching file.
func lines(ctx context.Context, d *dwarf.Data, pat string) []span {
	var out []span
	r := d.Reader()
	for ctx.Err() == nil {
		unit, err := r.Next()
		if err != nil || unit == nil {
			break
		}
		r.SkipChildren()
		table, err := d.LineReader(unit)
		if err != nil || table == nil {
			continue
		}
		var e dwarf.LineEntry
		var open *span
		for {
			if err := table.Next(&e); err == io.EOF || err != nil {
				break
			}
			if open != nil && e.Address > open.low && open.low != 0 {
				open.high = e.Address
				out = append(out, *open)
			}
			open = nil
			if !e.EndSequence && e.File != nil && matchFile(pat, e.File.Name) {
				open = &span{low: e.Address}
			}
		}
	}
	return out
}

// matchFile compares with the path and with every tail of it, so that "sort.c" and "src/sort.c" both find /a/src/sort.c.
func matchFile(pat, path string) bool {
	for {
		if glob(pat, path) {
			return true
		}
		_, rest, more := strings.Cut(path, "/")
		if !more {
			return false
		}
		path = rest
	}
}

// glob matches all of s; * is any text and ? any one byte, so that operator[] needs no escape.
func glob(pat, s string) bool {
	star, from := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pat) && pat[p] == '*':
			star, from = p, i
			p++
		case p < len(pat) && (pat[p] == '?' || pat[p] == s[i]):
			p++
			i++
		case star >= 0:
			from++
			p, i = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pat[p:], "*") == ""
}

// merge sorts spans and joins those that touch.
func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.low <= out[n-1].high {
			out[n-1].high = max(out[n-1].high, s.high)
			continue
		}
		out = append(out, s)
	}
	return out
}
