package record

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"orrery/traceio"
	"orrery/traceio/symbols"
)

// selection is what --only and --from ask for.
type selection struct {
	patterns []pattern
	from     []pattern
	entries  []uint64 // where --from begins
	spans    []span   // what --only allows of modules
	bare     []span   // where no module is, as far as --only allows that
	done     int      // modules looked at
}

// pattern is one choice: "program" is the main executable, "jit" code that is in no file, since the program made it
// itself, anything else names functions, source files or modules.
type pattern struct {
	text      string
	hits      int
	inProgram bool // found in the main executable, so not looked for elsewhere
}

func parsePatterns(words []string) ([]pattern, error) {
	var out []pattern
	for _, w := range words {
		if w == "" {
			return nil, errors.New("--only names nothing; give a function, a source file, a module or the word program")
		}
		out = append(out, pattern{text: w})
	}
	return out, nil
}

// clone is an independent copy.
func (s *selection) clone() *selection {
	c := *s
	c.patterns, c.from = slices.Clone(s.patterns), slices.Clone(s.from)
	c.entries, c.spans, c.bare = slices.Clone(s.entries), slices.Clone(s.spans), slices.Clone(s.bare)
	return &c
}

// update adds modules that have been mapped since the last call; spans and entries are then what the plugin needs.
func (s *selection) update(m *modules) {
	for ; s.done < len(m.list); s.done++ {
		mod := m.list[s.done]
		for i := range s.patterns {
			s.spans = append(s.spans, s.patterns[i].choose(mod)...)
		}
		s.entries = append(s.entries, findEntries(s.from, mod)...)
	}
	s.spans = merge(s.spans)
	if i := slices.IndexFunc(s.patterns, func(p pattern) bool { return p.text == generated }); i >= 0 {
		s.patterns[i].hits++
		files := slices.Clone(m.hidden)
		for _, mod := range m.list {
			files = append(files, span{uint64(mod.Low), uint64(mod.High)})
		}
		s.bare = around(files)
	}
}

// generated is the pattern of code that is in no file.
const generated = "jit"

// around are the addresses beside spans.
func around(spans []span) (out []span) {
	low := uint64(0)
	for _, s := range merge(spans) {
		out = append(out, span{low, s.low})
		low = s.high
	}
	return append(out, span{low, ^uint64(0)})
}

// recorded are the addresses of instructions to record.
func (s *selection) recorded(hidden []span) []span {
	if len(s.patterns) > 0 {
		return merge(slices.Concat(s.spans, s.bare))
	}
	return around(slices.Clone(hidden))
}

// unmatched are notes on the patterns that matched nothing, with what the user can do.
func (s *selection) unmatched() []string {
	var out []string
	for _, p := range s.patterns {
		if p.hits > 0 {
			continue
		}
		why := fmt.Sprintf("nothing in the program or its libraries is called %q; ", p.text)
		if name, line, ok := strings.Cut(p.text, ":"); ok && line != "" && strings.Trim(line, "0123456789") == "" {
			out = append(out, why+fmt.Sprintf("--only takes no line, but the file %s or a function", name))
			continue
		}
		out = append(out, why+"--only takes the whole name of a function, source file or module (* stands for any text), "+
			"and a stripped program has no names of functions "+
			"and files: build it with -g")
	}
	for _, p := range s.from {
		if p.hits == 0 {
			out = append(out, fmt.Sprintf("no function of the program or its libraries is called %q, so no reference was "+
				"recorded; --from takes its whole name "+
				"(* stands for any text), and a stripped program has no names: build it with -g", p.text))
		}
	}
	return out
}

// choose gives the run-time spans of one module that the pattern asks for.
func (p *pattern) choose(mod traceio.Module) []span {
	if p.text == "program" && mod.Main || p.text != "program" && matchModule(p.text, mod.Path) {
		p.hits++
		p.inProgram = p.inProgram || mod.Main
		return []span{{uint64(mod.Low), uint64(mod.High)}}
	}
	if p.text == "program" || p.text == generated || p.inProgram {
		return nil
	}
	ranges, err := symbols.Ranges(mod.Path, []string{p.text})
	if err != nil {
		return nil // not in this module
	}
	p.hits++
	p.inProgram = mod.Main
	var out []span
	for _, r := range ranges {
		out = append(out, span{uint64(r.Low + mod.Bias), uint64(r.High + mod.Bias)})
	}
	return out
}

// matchModule compares with the file's path, its name and its name before ".so".
func matchModule(pat, path string) bool {
	name := filepath.Base(path)
	stem, _, _ := strings.Cut(name, ".so")
	return symbols.Match(pat, path) || symbols.Match(pat, name) || symbols.Match(pat, stem)
}

// functions are the symbols of code in the symbol table or, in a stripped file, in the dynamic one.
func functions(f *elf.File) []elf.Symbol {
	all, _ := f.Symbols()
	dynamic, _ := f.DynamicSymbols()
	var out []elf.Symbol
	for _, s := range append(all, dynamic...) {
		// 10: resolved at load time
		if t := elf.ST_TYPE(s.Info); (t == elf.STT_FUNC || t == 10) && s.Section != elf.SHN_UNDEF && s.Value != 0 {
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
		if mod.Main && from[i].text == "main" && from[i].hits == 0 {
			if at, ok := mainOf(f); ok {
				from[i].hits++
				out = append(out, at+uint64(mod.Bias))
			}
		}
	}
	return out
}

// matchFunction compares with the name as the linker knows it and, for C++ and Rust, with the readable name without
// parameters, with and without template arguments.
func matchFunction(pat, symbol string) bool {
	if symbols.Match(pat, symbol) {
		return true
	}
	if !strings.HasPrefix(symbol, "_") {
		return false
	}
	if full, err := demangle.ToString(symbol, demangle.NoParams, demangle.MaxLength(16)); err == nil &&
		symbols.Match(pat, full) {
		return true
	}
	bare, err := demangle.ToString(symbol, demangle.NoParams, demangle.NoTemplateParams, demangle.MaxLength(16))
	return err == nil && symbols.Match(pat, bare)
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
