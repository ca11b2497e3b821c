package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// seed is a good file. Its name has the ending that the format usually has; readers go by contents.
type seed struct {
	name   string
	data   []byte
	beside []seed // other files that its commands need in the same directory
}

// format is one kind of input, with the good files that its mutants are made of and the commands that take it.
type format struct {
	name  string
	seeds []seed

	// commands are command lines. "@" stands for the mutant, "%" for the output's name in front of its ending, and what
	// begins with testdata/ or assets/ is a file of the tree. Every mutant goes through the first and some of the others.
	commands [][]string

	sealed  bool                                          // checksums cover the whole file
	packs   bool                                          // it is read in gzip, zstd and xz too
	inCache bool                                          // it lies in the directory of kept results
	always  bool                                          // make makes all mutants, not half of them
	make    func(r *rand.Rand, good, other []byte) []byte // in place of blind edits; nil when it cannot
	prepare func(w *worker, f *format) error              // makes good files that the program itself writes
}

// lines splits command lines at blanks; a tilde is a blank within an argument.
func lines(text string) (out [][]string) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		args := strings.Fields(line)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "~", " ")
		}
		out = append(out, args)
	}
	return out
}

// The commands that take recordings; the first three are for those of allocations, too.
var (
	allocationCommands = lines(`
info --json @
info --all @
heap --json @
heap --leaks @
heap --sites --top 5 @
heap --flame bytes @
heap --flame leaked @
heap --bins sizes~16~4096 @
heap --against testdata/recordings/list.orr @
findings --json @
convert @ %.orr
export --events @ -o %.csv
export --events @ -o %.parquet
render heap @ -o %.svg
render heap --page address @ -o %.svg
render heap --color lifetime --curves @ -o %.svg
render heap --page bars @ -o %.svg
render flame @ -o %.svg
render flame --width temporary --color site @ -o %.svg
render timeline @ -o %.svg`)

	referenceCommands = lines(`
cycles --count 200 --top 2 @
cycles --overview --stretch 100 --json @
cycles --count 120 --explain --alphabet line --top 2 @
cache --preset tiny --by line --classes @
cache --preset example --curve --bound --json @
cache --preset nehalem --by set @
cache --cores 2 --sharing --by region @
cache --preset example --against tiny @
cache --preset tiny @ testdata/recordings/fill.orr
export @ -o %.csv
export @ -o %.parquet
export @ -o %.din
export --fetches @ -o %.lk
render cycles --count 100 @ -o %.svg
render cycles --count 100 --picture diagram @ -o %.svg
render cycles --picture run @ -o %.svg
render cache --preset tiny --at 50 @ -o %.svg
render cache --preset example --at 300 --glyph page @ -o %.svg
render source @ -o %.svg
designs search --generations 1 --population 4 @
graph testdata/graphs/golist.ssa.gz --over @`)

	recordingCommands = slices.Concat(allocationCommands, referenceCommands)

	graphCommands = lines(`
graph --json @
graph @
graph --layout @
graph --layout --diff 1,2 @
graph --diff 1,2 --json @
graph @ -o %.xml
graph --whole @ -o %.xml
graph --over testdata/recordings/golist.orr @
graph --filter Data~only --filter One~node~for~each~source~line @
render graph @ -o %.svg
render graph --blocks --stable @ -o %.svg
render graph --diff 1,2 @ -o %.svg
findings --graph @ testdata/recordings/fill.orr`)

	designCommands = lines(`
designs --json @
designs @
designs --describe @
designs @ --csv %.csv
designs --show local --top 3 @
designs --join testdata/designs/slam.csv @
render designs @ -o %.svg
render designs --picture spread @ -o %.svg
render designs --picture subspaces @ -o %.svg
render designs --picture design @ -o %.svg`)
)

// mutant is one changed file, ready for commands.
type mutant struct {
	format *format
	index  uint64
	good   int // which seed it was made of
	name   string
	data   []byte
	beside []seed
	edits  []string
	pipe   bool // it comes through a pipe whose writer ends where data does
	bomb   bool
	sealed bool // a change must be told, or change nothing
}

// source gives the chance that decides everything of one mutant.
func source(campaign uint64, f *format, index uint64) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, f.name)
	return rand.New(rand.NewPCG(campaign, h.Sum64()+index))
}

// mutantOf makes a mutant; the same seed, format and index make the same one.
func mutantOf(campaign uint64, f *format, index uint64) *mutant {
	r := source(campaign, f, index)
	good := min(r.IntN(len(f.seeds)), r.IntN(len(f.seeds))) // the first are short
	s, other := &f.seeds[good], &f.seeds[r.IntN(len(f.seeds))]
	m := &mutant{format: f, index: index, good: good, name: s.name, beside: s.beside, sealed: f.sealed}
	for {
		if f.make != nil && (f.always || r.IntN(2) == 0) {
			m.data, m.edits, m.sealed = f.make(r, s.data, other.data), []string{"made"}, false
		} else {
			m.data, m.edits = mutate(r, s.data, other.data)
			m.sealed = f.sealed
		}
		if m.data != nil && !slices.ContainsFunc(f.seeds, func(s seed) bool { return string(s.data) == string(m.data) }) {
			break
		}
	}
	switch {
	case f.packs && r.IntN(4000) == 0:
		m.data, m.bomb, m.sealed = bomb(r, m.data), true, false
		m.edits = append(m.edits, "bomb")
	case f.packs && r.IntN(32) == 0:
		m.data = pack(packings[r.IntN(len(packings))], m.data)
		m.edits = append(m.edits, "packed")
		m.sealed = false
	case r.IntN(24) == 0 && f.streams():
		m.pipe = true
		m.edits = append(m.edits, "pipe")
	}
	return m
}

// streams tells whether all commands of a format name the mutant, so that it can come through a pipe.
func (f *format) streams() bool {
	return !slices.ContainsFunc(f.commands, func(c []string) bool { return !slices.Contains(c, "@") })
}

// root is the directory of the module.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the working directory; run this inside the repository")
		}
		dir = up
	}
}
