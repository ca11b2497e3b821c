package region

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"orrery/traceio"
)

// Made is memory that belongs to code which a program makes while it runs, as V8 does: that code, or its heap. [Low,
// High).
type Made struct {
	Code      bool // it is the code, with the constants in it
	Low, High traceio.Addr
}

// madeCode looks for instructions that lie in no module of a program whose modules are all known, as our recorder
// tells; other traces have those that somebody named.
type madeCode struct {
	prog  *traceio.Program
	pages map[traceio.Addr]bool // of code: true for code that was made
	n     [2]uint64             // data references of the modules' code and of made code
}

func newMadeCode(prog *traceio.Program) madeCode {
	if prog == nil || prog.Recorder != "qemu" || len(prog.Modules) == 0 {
		return madeCode{}
	}
	return madeCode{prog: prog, pages: map[traceio.Addr]bool{}}
}

func (m *madeCode) scan(b *traceio.Block) {
	if m.pages == nil {
		return
	}
	last, made := ^traceio.Addr(0), 0
	for i, pc := range b.PC {
		if b.Kind[i] == traceio.Fetch || pc == 0 {
			continue
		}
		if page := pc >> pageBits; page != last {
			yes, known := m.pages[page]
			if !known {
				yes = clear(page<<pageBits, (page+1)<<pageBits, m.prog, nil)
				m.pages[page] = yes
			}
			last, made = page, 0
			if yes {
				made = 1
			}
		}
		m.n[made]++
	}
}

// some tells whether made code is a part of the program worth naming. The kernel's vdso, in no module either, is not.
func (m *madeCode) some() bool { return m.n[1]*64 >= max(1, m.n[0]+m.n[1]) }

// chunk is what heaps of made code are cut into: V8's pages, and no more than those of the others.
const chunk = 256 << 10

// memory is what made code has of the areas that nothing explains, but for the stacks. Data among the code are
// constants.
func (m *madeCode) memory(areas []area, stacks []StackRange, free func(low, high traceio.Addr) bool) (out []Made) {
	if !m.some() {
		return nil
	}
	for page, made := range m.pages {
		if made {
			out = append(out, Made{true, page << pageBits, (page + 1) << pageBits})
		}
	}
	for _, a := range areas {
		low, high := a.low<<pageBits, (a.high+1)<<pageBits
		if slices.ContainsFunc(stacks, func(s StackRange) bool { return low < s.High && high > s.Low }) {
			continue
		}
		if l, h := low&^(chunk-1), (high+chunk-1)&^(chunk-1); free(l, h) {
			low, high = l, h
		}
		code := slices.ContainsFunc(out, func(x Made) bool { return x.Code && low < x.High && high > x.Low })
		out = append(out, Made{code, low, high})
	}
	slices.SortFunc(out, func(a, b Made) int { return cmp.Compare(a.Low, b.Low) })
	merged := out[:1]
	for _, x := range out[1:] {
		if last := &merged[len(merged)-1]; x.Code == last.Code && x.Low <= last.High+chunk {
			last.High = max(last.High, x.High)
		} else {
			merged = append(merged, x)
		}
	}
	return merged
}

// madeName is what the code that a program makes is called.
const madeName = "compiled code"

// makes adds a region for made code and one for its heap, each in as many pieces as there are.
func (m *Map) makes() {
	for _, code := range []bool{true, false} {
		r := Region{Name: madeName, Kind: Managed, Site: -1, Thread: -1}
		if !code {
			r.Name = heapOf(m.prog)
		}
		for _, x := range m.made {
			if x.Code != code {
				continue
			}
			if r.High == 0 {
				r.Low = x.Low
			}
			r.High = x.High
			r.Size += uint64(x.High - x.Low)
		}
		if r.Size > 0 {
			m.add(r)
		}
	}
}

// madePieces are the pieces of the regions that makes added.
func (m *Map) madePieces() []span {
	var code, data int32
	for i := range m.regions {
		if r := &m.regions[i]; r.Kind == Managed && r.Name == madeName {
			code = int32(i)
		} else if r.Kind == Managed {
			data = int32(i)
		}
	}
	out := make([]span, len(m.made))
	for i, x := range m.made {
		out[i] = span{x.Low, x.High, data}
		if x.Code {
			out[i].region = code
		}
	}
	return out
}

// heapOf names the heap of a program's made code by whose it is.
func heapOf(prog *traceio.Program) string {
	for _, x := range []struct{ heap, modules string }{
		{"JavaScript heap", "node nodejs deno bun d8 chrome chromium libnode.so libv8.so"},
		{"Java heap", "java libjvm.so"},
		{".NET heap", "dotnet libcoreclr.so"},
		{"Lua heap", "luajit libluajit-5.1.so"},
		{"Python heap", "pypy pypy3 libpypy3-c.so"},
	} {
		for i := range prog.Modules {
			name, version, _ := strings.Cut(path.Base(prog.Modules[i].Path), ".so.")
			if version != "" {
				name += ".so"
			}
			if slices.Contains(strings.Fields(x.modules), name) {
				return x.heap
			}
		}
	}
	return "managed heap"
}
