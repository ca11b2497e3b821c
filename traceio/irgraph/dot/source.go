package dot

import (
	"path/filepath"
	"strings"

	"orrery/traceio/irgraph"
	"orrery/traceio/named"
)

// Bounds of what is read of a source file that lies beside the dumps.
const (
	mostSource = 4 << 20 // bytes
	// lines above and below those that blocks name, in which the function's first and last are looked for
	nearby = 8
)

// takeSources gives functions the text of the source file that lies in the directory, as far as their blocks name lines
// of it: from the function's first line to its last, which GCC does not tell. Where there is no such file, there is no
// text.
func takeSources(dir string, groups []*irgraph.Group) {
	texts := map[string][]string{}
	for _, g := range groups {
		name := g.Properties.Get("source")
		lines, read := texts[name]
		if !read {
			lines = linesOfFile(filepath.Join(dir, filepath.Base(name)))
			texts[name] = lines
		}
		first, last := extentOf(g, name)
		if first == 0 || first > len(lines) {
			continue
		}
		first, last = widened(lines, first, min(last, len(lines)))
		g.Method = &irgraph.Method{Name: g.Name, At: -1, Source: &irgraph.Source{File: name, First: first,
			Text: strings.Join(lines[first-1:last], "\n") + "\n"}}
	}
}

// linesOfFile is the text of a file; nil where there is none, or more than is read.
func linesOfFile(path string) []string {
	text, err := named.Read(path, mostSource)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// extentOf is the first and the last line of a file that blocks of a function name, 0 for none.
func extentOf(g *irgraph.Group, file string) (first, last int) {
	for _, s := range g.Snapshots {
		for i := range s.Nodes {
			p := s.Nodes[i].Properties
			if !irgraph.SameFile(p.Get(irgraph.KeyFile), file) {
				continue
			}
			for _, n := range p.Lines() {
				if n > 0 && (first == 0 || n < first) {
					first = n
				}
				last = max(last, n)
			}
		}
	}
	return first, last
}

// widened takes the lines above up to an empty one or the end of what stands before, and those below down to the
// function's own end, which is taken for a line that begins with a brace.
func widened(lines []string, first, last int) (int, int) {
	end := func(n int) bool { return strings.HasPrefix(lines[n-1], "}") }
	up := first
	for up > 1 && first-up < nearby && strings.TrimSpace(lines[up-2]) != "" && !end(up-1) &&
		!strings.HasSuffix(strings.TrimSpace(lines[up-2]), ";") {
		up--
	}
	for n := last; n <= len(lines) && n-last <= nearby; n++ {
		if end(n) {
			return up, n
		}
	}
	return up, last
}
