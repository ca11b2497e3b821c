package record

import (
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orrery/traceio"
)

// span is a stretch of addresses, [low, high).
type span struct{ low, high uint64 }

// modules are the files whose code the program has mapped so far, in order of their mapping.
type modules struct {
	pid     int
	program os.FileInfo // the main executable
	preload os.FileInfo // the malloc wrapper, which is not part of the program
	base    uint64      // guest address + base = address in the emulator's process
	list    []traceio.Module
	hidden  []span // where the malloc wrapper lies
}

// mapping is one line of /proc/PID/maps that has a file.
type mapping struct {
	low, high, offset uint64
	path              string
}

func parseMaps(text string) []mapping {
	var out []mapping
	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) < 6 || !strings.HasPrefix(f[5], "/") {
			continue
		}
		low, high, _ := strings.Cut(f[0], "-")
		var m mapping
		var err [3]error
		m.low, err[0] = strconv.ParseUint(low, 16, 64)
		m.high, err[1] = strconv.ParseUint(high, 16, 64)
		m.offset, err[2] = strconv.ParseUint(f[2], 16, 64)
		if err != [3]error{} {
			continue
		}
		// the path is the rest of the line: it may contain spaces
		m.path = line[strings.Index(line, " "+f[5])+1:]
		out = append(out, m)
	}
	return out
}

func (m *modules) maps() ([]mapping, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", m.pid))
	if err != nil {
		return nil, fmt.Errorf("reading what the program has mapped: %w", err)
	}
	return parseMaps(string(text)), nil
}

// start takes in the files that the emulator mapped before the first instruction at pc: the program and, where it has
// one, its loader.
func (m *modules) start(base, pc uint64) error {
	m.base = base
	rows, err := m.maps()
	if err != nil {
		return err
	}
	for _, r := range rows {
		if info, err := os.Stat(r.path); err == nil && os.SameFile(info, m.program) && r.low >= base {
			m.add(r)
			break
		}
	}
	return m.find(rows, pc)
}

// mapped takes in the file behind code that the program has just mapped at addr.
func (m *modules) mapped(addr uint64) error {
	rows, err := m.maps()
	if err != nil {
		return err
	}
	return m.find(rows, addr)
}

func (m *modules) find(rows []mapping, addr uint64) error {
	for _, r := range rows {
		if at := addr + m.base; at >= r.low && at < r.high {
			m.add(r)
			return nil
		}
	}
	return nil // anonymous memory: code without a file
}

// add takes in the file behind one mapping, unless it is known at that place.
func (m *modules) add(r mapping) {
	info, err := os.Stat(r.path)
	if err != nil {
		return // deleted since, or a special file
	}
	r.low, r.high = r.low-m.base, r.high-m.base
	mod, ok := readModule(r)
	if !ok {
		return
	}
	if os.SameFile(info, m.preload) {
		m.hidden = append(m.hidden, span{uint64(mod.Low), uint64(mod.High)})
		return
	}
	mod.Main = os.SameFile(info, m.program)
	for _, old := range m.list {
		if old.Path == mod.Path && old.Bias == mod.Bias {
			return
		}
	}
	m.list = append(m.list, mod)
}

// readModule works out from the ELF file's program headers where all of it lies, given that one piece is at r.
func readModule(r mapping) (traceio.Module, bool) {
	f, err := elf.Open(r.path)
	if err != nil {
		return traceio.Module{}, false
	}
	defer f.Close()
	mod := traceio.Module{Path: r.path, BuildID: buildID(f)}
	low, high := ^uint64(0), uint64(0)
	found := false
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		low, high = min(low, p.Vaddr&^4095), max(high, p.Vaddr+p.Memsz)
		if from := p.Off &^ 4095; !found && r.offset >= from && r.offset < p.Off+max(p.Filesz, 1) {
			mod.Bias = traceio.Addr(r.low - r.offset + p.Off - p.Vaddr)
			found = true
		}
	}
	mod.Low, mod.High = traceio.Addr(low)+mod.Bias, traceio.Addr(high)+mod.Bias
	return mod, found
}

func buildID(f *elf.File) string {
	s := f.Section(".note.gnu.build-id")
	if s == nil {
		return ""
	}
	data, err := s.Data()
	if err != nil || len(data) < 16 {
		return ""
	}
	return hex.EncodeToString(data[16:]) // after the sizes, the type and "GNU\0"
}

// contains is the index of the module around a, -1 if there is none.
func (m *modules) contains(a uint64) int {
	for i := range m.list {
		if a >= uint64(m.list[i].Low) && a < uint64(m.list[i].High) {
			return i
		}
	}
	return -1
}

// isHidden is whether a lies in the malloc wrapper.
func (m *modules) isHidden(a uint64) bool {
	for _, s := range m.hidden {
		if a >= s.low && a < s.high {
			return true
		}
	}
	return false
}

// neutral gives files the names that a reader on another machine can use: modules below dir by their path in it, and
// source files that the compiler knew as "./sort.c" as "sort.c".
func neutral(prog *traceio.Program, dir string) {
	if dir, err := filepath.EvalSymlinks(dir); err == nil {
		for i := range prog.Modules {
			if rel, err := filepath.Rel(dir, prog.Modules[i].Path); err == nil && filepath.IsLocal(rel) {
				prog.Modules[i].Path = rel
			}
		}
	}
	clean := map[string]string{}
	for i := range prog.Sources {
		s := &prog.Sources[i]
		if strings.HasPrefix(s.Path, "./") {
			clean[s.Path] = filepath.Clean(s.Path)
			s.Path = clean[s.Path]
		}
	}
	for _, s := range prog.Sites {
		for i := range s.Frames {
			if name, ok := clean[s.Frames[i].File]; ok {
				s.Frames[i].File = name
			}
		}
	}
}
