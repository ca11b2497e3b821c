package store

import (
	"debug/elf"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orrery/traceio"
	"orrery/traceio/named"
)

// pieBase is where valgrind puts a position-independent executable on x86-64.
const pieBase = 0x108000

// findProgram finds the recorded executable of a lackey text that was made without -v -v and hence names no modules:
// the file that its Command line names, beside the trace or from the current directory. To be taken, it must not have
// been built after the trace was written, and the trace must have executed its entry point.
func findProgram(prog *traceio.Program, trace string, info fs.FileInfo, pcs []traceio.Addr) (traceio.Module, bool) {
	if len(prog.Modules) > 0 || len(prog.Command) == 0 || !strings.ContainsRune(prog.Command[0], filepath.Separator) {
		return traceio.Module{}, false
	}
	paths := []string{prog.Command[0]}
	if !filepath.IsAbs(paths[0]) {
		paths = append(paths, filepath.Join(filepath.Dir(trace), paths[0]))
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			continue
		}
		built, err := os.Stat(path)
		if err != nil || !built.Mode().IsRegular() || built.ModTime().After(info.ModTime()) {
			continue
		}
		if m, ok := mainModule(path, pcs); ok {
			return m, true
		}
	}
	return traceio.Module{}, false
}

// mainModule describes the executable at path if pcs contain its entry point.
func mainModule(path string, pcs []traceio.Addr) (traceio.Module, bool) {
	f, done, err := named.ELF(path)
	if err != nil {
		return traceio.Module{}, false
	}
	defer done()
	m := traceio.Module{Path: path, Main: true}
	if f.Type == elf.ET_DYN {
		m.Bias = pieBase
	}
	if _, executed := slices.BinarySearch(pcs, traceio.Addr(f.Entry)+m.Bias); !executed {
		return m, false
	}
	m.Low = ^traceio.Addr(0)
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			m.Low = min(m.Low, traceio.Addr(p.Vaddr)+m.Bias)
			m.High = max(m.High, traceio.Addr(p.Vaddr+p.Memsz)+m.Bias)
		}
	}
	return m, m.Low < m.High
}
