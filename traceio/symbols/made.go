package symbols

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"orrery/traceio"
	"orrery/traceio/named"
)

// Made is a piece of code that a program made itself while it ran, as V8, the JVM and others do.
type Made struct {
	Low, High traceio.Addr // [Low, High)
	Name      string
}

// maxMade bounds the pieces of one map; a browser makes some hundred thousand.
const maxMade = 1 << 22

// ReadMade reads a perf map, which programs with compilers of their own write for Linux's perf (node --perf-basic-prof,
// the JVM's perf-map-agent, .NET's DOTNET_PerfMapEnabled): lines of address, size (both hexadecimal) and name. A line
// that is none is passed over, since the program may have ended within one. Pieces are in the order of the map: where
// two overlap, the later one lies where the earlier one has been. The error is an *traceio.Error, for a map without a
// single piece.
func ReadMade(r io.Reader, name string) ([]Made, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var out []Made
	for len(out) < maxMade {
		line, err := in.ReadSlice('\n')
		if m, ok := madeOf(string(line)); ok && err != bufio.ErrBufferFull {
			out = append(out, m)
		}
		for err == bufio.ErrBufferFull { // no name is so long
			_, err = in.ReadSlice('\n')
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, traceio.Unreadable(name, err)
		}
	}
	if len(out) == 0 {
		return nil, &traceio.Error{File: name, Msg: "this is no perf map: no line has an address, a size and a name",
			Hint: "write it with node --perf-basic-prof"}
	}
	return out, nil
}

// madeOf reads a line of a map.
func madeOf(line string) (m Made, ok bool) {
	low, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
	size, name, found := strings.Cut(rest, " ")
	at, err1 := strconv.ParseUint(strings.TrimPrefix(low, "0x"), 16, 64)
	n, err2 := strconv.ParseUint(strings.TrimPrefix(size, "0x"), 16, 64)
	if !found || err1 != nil || err2 != nil || n == 0 || at+n < at || strings.TrimSpace(name) == "" {
		return m, false
	}
	return Made{traceio.Addr(at), traceio.Addr(at + n), madeName(name)}, true
}

// madeName is a piece's name without what tells how it was made: "sum" of V8's "JS:*sum /home/me/list.js:3:13".
func madeName(name string) string {
	name = strings.TrimSpace(name)
	for _, kind := range []string{"JS:", "LazyCompile:", "Function:", "Eval:", "Script:"} {
		rest, ok := strings.CutPrefix(name, kind)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, "*~^+")
		function, place, _ := strings.Cut(rest, " ")
		switch {
		case function != "":
			return function
		case place != "":
			return "(anonymous) " + place
		}
	}
	return name
}

// NameMade names those instructions of pcs, in ascending order, that lie in no module and have no name yet, and tells
// how many. prog.Sites gets entries for them.
func NameMade(prog *traceio.Program, pcs []traceio.Addr, list []Made) (named int) {
	var open []traceio.Addr
	for _, pc := range pcs {
		if s := prog.SiteAt(pc); moduleOf(prog.Modules, pc) < 0 && (s == nil || len(s.Frames) == 0) {
			open = append(open, pc)
		}
	}
	names := make([]string, len(open))
	for _, m := range list {
		for i := sort.Search(len(open), func(i int) bool { return open[i] >= m.Low }); i < len(open) &&
			open[i] < m.High; i++ {
			names[i] = m.Name
		}
	}
	sites := slices.Clone(prog.Sites)
	for i, pc := range open {
		if names[i] == "" {
			continue
		}
		named++
		frames := []traceio.Frame{{Function: names[i]}}
		if at, found := slices.BinarySearchFunc(prog.Sites, pc,
			func(s traceio.Site, pc traceio.Addr) int { return cmp.Compare(s.PC, pc) }); found {
			sites[at].Frames = frames
		} else {
			sites = append(sites, traceio.Site{PC: pc, Module: -1, Frames: frames})
		}
	}
	slices.SortFunc(sites, func(a, b traceio.Site) int { return cmp.Compare(a.PC, b.PC) })
	prog.Sites = sites
	return named
}

// OpenMade reads the map at a path, if one is there that was written to after a time.
func OpenMade(path string, since time.Time) ([]Made, error) {
	f, info, err := named.Open(path) // anyone may have put a pipe there
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	if info.ModTime().Before(since) {
		return nil, nil
	}
	return ReadMade(f, path)
}

// MapOf is the name that a process gives its map.
func MapOf(pid int) string { return fmt.Sprintf("perf-%d.map", pid) }
