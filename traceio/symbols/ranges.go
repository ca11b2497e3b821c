package symbols

import (
	"cmp"
	"context"
	"debug/dwarf"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"orrery/traceio"
)

// Range is a run of code, [Low, High), in link-time addresses: a module's bias added, they are run-time addresses.
type Range struct{ Low, High traceio.Addr }

// Ranges gives the code of the ELF file at path that belongs to the named functions and source files, ordered and
// without overlap. A pattern may hold * (any characters) and ? (one character) and names
//
//	a function      "list_push", "matmul::*", "std::sort<*>" or with parameters as demangled,
//	a source file   "list.c", "src/*.c": whole path components at the end of the file's name,
//	this file       its base name or path: all of its code.
//
// A function means its instances wherever they were inlined, and what was inlined into it; a file means the lines that
// stand in it. Without debug information functions are found in the symbol table. The error names the first pattern
// that matches nothing.
func Ranges(path string, patterns []string) ([]Range, error) {
	o, err := openObject(path, "")
	if err != nil {
		return nil, err
	}
	return o.ranges(path, patterns)
}

func (o *object) ranges(path string, patterns []string) ([]Range, error) {
	m := &matcher{patterns: patterns, hit: make([]bool, len(patterns)), names: map[string]bool{}, files: map[string]bool{}}
	for i, p := range patterns {
		if Match(p, path) || Match(p, filepath.Base(path)) {
			m.hit[i] = true
			for _, s := range o.file.Sections {
				if s.Flags&4 != 0 && s.Size > 0 { // SHF_EXECINSTR
					m.add(s.Addr, s.Addr+s.Size)
				}
			}
		}
	}
	err := o.units(context.Background(), func(e *dwarf.Entry, _ [][2]uint64) error {
		w := o.walkScopes(e)
		for _, s := range w.all {
			if m.function(s.scope.name) {
				m.add(s.low, s.high)
			}
		}
		var lines lineTable
		_ = guard(path, func() (err error) { lines, err = o.readLines(e, o.text(e, dwarf.AttrCompDir)); return err })
		for i, r := range lines {
			if !r.end && i+1 < len(lines) && m.file(r.file) {
				m.add(r.addr, lines[i+1].addr)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range o.funcs {
		if m.function(readable(s.name)) {
			m.add(s.low, s.high)
		}
	}
	for i, hit := range m.hit {
		if !hit {
			return nil, fmt.Errorf(
				"no function or source file in %s matches %q; names are as in the source, * stands for anything%s",
				path, patterns[i], map[bool]string{true: ", and files are known only when compiled with -g"}[o.debug == nil])
		}
	}
	return merge(m.out), nil
}

// matcher remembers what it decided, because names repeat a thousand times.
type matcher struct {
	patterns []string
	hit      []bool
	names    map[string]bool
	files    map[string]bool
	out      []Range
}

func (m *matcher) add(low, high uint64) {
	if low < high && low != 0 {
		m.out = append(m.out, Range{traceio.Addr(low), traceio.Addr(high)})
	}
}

func (m *matcher) function(name string) bool {
	if name == "" {
		return false
	}
	yes, ok := m.names[name]
	if !ok {
		short := traceio.ShortFunction(name)
		bare, _, _ := strings.Cut(name, "(")
		for i, p := range m.patterns {
			if Match(p, name) || Match(p, short) || Match(p, bare) {
				m.hit[i], yes = true, true
			}
		}
		m.names[name] = yes
	}
	return yes
}

func (m *matcher) file(name string) bool {
	if name == "" {
		return false
	}
	yes, ok := m.files[name]
	if !ok {
		for i, p := range m.patterns {
			if Match(p, name) || Match("*/"+p, name) {
				m.hit[i], yes = true, true
			}
		}
		m.files[name] = yes
	}
	return yes
}

// merge orders ranges and joins those that touch.
func merge(in []Range) []Range {
	slices.SortFunc(in, func(a, b Range) int { return cmp.Compare(a.Low, b.Low) })
	out := in[:0]
	for _, r := range in {
		if n := len(out); n > 0 && r.Low <= out[n-1].High {
			out[n-1].High = max(out[n-1].High, r.High)
			continue
		}
		out = append(out, r)
	}
	return out
}

// Match tells whether s matches a pattern in which * stands for any run of characters and ? for one; everything else,
// brackets too, stands for itself. It takes time proportional to the product of the lengths at worst.
func Match(pattern, s string) bool {
	star, mark := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0: // let the last star take one character more
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
