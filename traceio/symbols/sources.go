package symbols

import (
	"path/filepath"
	"sort"
	"unicode/utf8"

	"orrery/traceio"
	"orrery/traceio/named"
)

// Bounds of the source text that goes into a recording: generated files of many megabytes help nobody.
const (
	maxSource  = 1 << 20
	maxSources = 16 << 20
)

// readSources reads the project's source files that prog.Sites mention, those mentioned most often first as long as
// there is room, and gives them in order of path.
func readSources(prog *traceio.Program) []traceio.SourceText {
	mentions := map[string]int{}
	module := map[string]int{}
	for _, s := range prog.Sites {
		for _, f := range s.Frames {
			if traceio.InProject(f.File) {
				mentions[f.File]++
				module[f.File] = s.Module
			}
		}
	}
	paths := make([]string, 0, len(mentions))
	for p := range mentions {
		paths = append(paths, p)
	}
	sort.Slice(paths, func(i, j int) bool {
		if a, b := mentions[paths[i]], mentions[paths[j]]; a != b {
			return a > b
		}
		return paths[i] < paths[j]
	})
	var out []traceio.SourceText
	room := int64(maxSources)
	for _, p := range paths {
		near := ""
		if m := module[p]; m >= 0 && m < len(prog.Modules) {
			near = filepath.Dir(prog.Modules[m].Path)
		}
		text, ok := readSource(p, near, min(room, maxSource))
		if !ok {
			continue
		}
		room -= int64(len(text))
		out = append(out, traceio.SourceText{Path: p, Text: text})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

// readSource reads one file; a relative name is looked for in the working directory, then beside the program.
func readSource(path, near string, limit int64) (string, bool) {
	for _, p := range []string{path, filepath.Join(near, path), filepath.Join(near, filepath.Base(path))} {
		if p != path && filepath.IsAbs(path) {
			break
		}
		if text, err := named.Read(p, limit); err == nil && utf8.Valid(text) {
			return string(text), true
		}
	}
	return "", false
}
