package lackey

import (
	"debug/elf"
	"path/filepath"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/traceio/named"
)

// maxModules bounds what a hostile file can make us keep.
const maxModules = 1 << 12

// addModule takes "0x0000001070, avma 0x0000109070", where the text of the module named before stands in its file and
// where it stood in memory.
func (r *Reader) addModule(text string) {
	svma, avma, ok := strings.Cut(text, ", avma ")
	path := r.module
	r.module = ""
	if !ok || path == "" || valgrindOwn(path) || len(r.prog.Modules) >= maxModules {
		return
	}
	s, err1 := strconv.ParseUint(svma, 0, 64)
	a, err2 := strconv.ParseUint(avma, 0, 64)
	if err1 != nil || err2 != nil {
		return
	}
	m := traceio.Module{Path: path, Bias: traceio.Addr(a - s), Main: len(r.prog.Modules) == 0}
	m.Low, m.High = extent(path, s, m.Bias)
	r.prog.Modules = append(r.prog.Modules, m)
}

// valgrindOwn recognises the tool itself, which shares the address space but is not the recorded program's.
func valgrindOwn(path string) bool { return strings.HasPrefix(filepath.Base(path), "lackey-") }

// extent gives the addresses that a module's segments take up. Valgrind does not print them, so they come from the file
// if it is still there and its text stands where valgrind found it; otherwise they are unknown, 0 and 0.
func extent(path string, text uint64, bias traceio.Addr) (low, high traceio.Addr) {
	f, done, err := named.ELF(path)
	if err != nil {
		return 0, 0
	}
	defer done()
	if s := f.Section(".text"); s == nil || s.Addr != text {
		return 0, 0
	}
	first := true
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		if l := traceio.Addr(p.Vaddr) + bias; first || l < low {
			low, first = l, false
		}
		high = max(high, traceio.Addr(p.Vaddr+p.Memsz)+bias)
	}
	return low, high
}
