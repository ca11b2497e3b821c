// Package app_test holds the tests of the whole module's structure.
package app_test

import (
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// layers in the direction of the data; a package imports its own layer or one to the left. assets lies under all.
var layers = []string{"traceio", "cachesim", "analysis", "views", "app"}

// topLevel are the only directories beside those that begin with a dot.
var topLevel = []string{"analysis", "app", "assets", "cachesim", "testdata", "traceio", "views"}

// fault says what is wrong with a file in directory dir (relative to the root, with slashes) importing the given path;
// "" for nothing.
func fault(dir, imported string) string {
	within := func(p, of string) bool { return p == of || strings.HasPrefix(p, of+"/") }
	switch {
	case within(imported, "fyne.io/fyne/v2") && !within(dir, "app") && dir != "views/pane":
		return "only app/... and views/pane import Fyne"
	case within(imported, "github.com/fogleman/gg") && dir != "views/raster":
		return "only views/raster imports gg"
	case !within(imported, "orrery"):
		return ""
	}
	from, _, _ := strings.Cut(dir, "/")
	to, _, _ := strings.Cut(strings.TrimPrefix(imported, "orrery/"), "/")
	if to == "assets" || to == "testdata" && from == "app" { // the shipped recordings are inside the program
		return ""
	}
	a, b := slices.Index(layers, from), slices.Index(layers, to)
	switch {
	case from == "assets":
		return "assets lies under all and imports nobody"
	case a < 0 || b < 0:
		return "imports go between the layers only"
	case b > a:
		return "imports point to the left: " + strings.Join(layers, " -> ")
	}
	return ""
}

func TestFaultSeesEveryWrongDirection(t *testing.T) {
	for _, c := range []struct {
		name, dir, imported string
		bad                 bool
	}{
		{"left", "views/rings", "orrery/cachesim", false},
		{"own layer", "views/rings", "orrery/views/scene", false},
		{"far left", "app/cli", "orrery/traceio/store", false},
		{"assets", "traceio/record", "orrery/assets", false},
		{"shipped recordings", "app/session", "orrery/testdata/recordings", false},
		{"recordings in a view", "views/rings", "orrery/testdata/recordings", true},
		{"right", "traceio", "orrery/analysis/heap", true},
		{"one to the right", "cachesim", "orrery/analysis", true},
		{"views to app", "views/pane", "orrery/app/jobs", true},
		{"assets upward", "assets", "orrery/traceio", true},
		{"Fyne in a view", "views/spiral", "fyne.io/fyne/v2/canvas", true},
		{"Fyne in the pane", "views/pane", "fyne.io/fyne/v2/canvas", false},
		{"Fyne in the shell", "app/shell", "fyne.io/fyne/v2", false},
		{"gg in a view", "views/heapmap", "github.com/fogleman/gg", true},
		{"gg in the rasteriser", "views/raster", "github.com/fogleman/gg", false},
		{"standard library", "traceio", "strings", false},
		{"unknown folder", "common", "orrery/traceio", true},
	} {
		if got := fault(c.dir, c.imported); (got != "") != c.bad {
			t.Errorf("%s: %s importing %s gave %q, want a fault: %v", c.name, c.dir, c.imported, got, c.bad)
		}
	}
}

func TestLayers(t *testing.T) {
	files := 0
	walk(t, func(rel string) {
		files++
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", rel), nil, parser.ImportsOnly)
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		dir := path.Dir(rel)
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Errorf("%s: import %s: %v", rel, i.Path.Value, err)
				continue
			}
			if why := fault(dir, p); why != "" {
				t.Errorf("%s imports %s: %s", rel, p, why)
			}
			if base := path.Base(p); strings.HasPrefix(p, "orrery/") &&
				slices.Contains([]string{"util", "utils", "common", "helpers", "types"}, base) {
				t.Errorf("%s imports %s: name packages after what they hold", rel, p)
			}
		}
	})
	if files < 20 {
		t.Errorf("only %d files were looked at; is the test run from its own folder?", files)
	}
}

// walk visits every Go file of the module that a build would see.
func walk(t *testing.T, visit func(rel string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := e.Name()
		if e.IsDir() && name != ".." && (strings.HasPrefix(base, ".") || base == "testdata") {
			return fs.SkipDir
		}
		rel, err := filepath.Rel("..", name)
		if err == nil && !e.IsDir() && strings.HasSuffix(base, ".go") {
			visit(filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTopLevelDirectories(t *testing.T) {
	list, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(topLevel, e.Name()) {
			t.Errorf("directory %s: the top level holds exactly %v", e.Name(), topLevel)
		}
	}
}

// TestFileSizes holds one idea per file: past 500 lines a file is split. A limit of 520 leaves room for a licence or a
// table that reads better whole.
func TestFileSizes(t *testing.T) {
	walk(t, func(rel string) {
		data, err := os.ReadFile(filepath.Join("..", rel))
		if err != nil {
			t.Error(err)
			return
		}
		if n := strings.Count(string(data), "\n"); n > 520 {
			t.Error(fmt.Sprintf("%s has %d lines; split it", rel, n))
		}
	})
}

// TestLineLengths: a line has at most 120 characters, unless it holds a text in backquotes, which cannot be broken.
func TestLineLengths(t *testing.T) {
	walk(t, func(rel string) {
		data, err := os.ReadFile(filepath.Join("..", rel))
		if err != nil {
			t.Error(err)
			return
		}
		file := token.NewFileSet().AddFile(rel, -1, len(data))
		raw := map[int]bool{} // lines with text in backquotes
		var s scanner.Scanner
		s.Init(file, data, nil, scanner.ScanComments)
		for {
			pos, kind, text := s.Scan()
			if kind == token.EOF {
				break
			}
			if kind == token.STRING && text[0] == '`' {
				first := file.Line(pos)
				for n := range strings.Count(text, "\n") + 1 {
					raw[first+n] = true
				}
			}
		}
		for i, line := range strings.Split(string(data), "\n") {
			if n := utf8.RuneCountInString(line); n > 120 && !raw[i+1] {
				t.Errorf("%s:%d has %d characters; break it", rel, i+1, n)
			}
		}
	})
}
