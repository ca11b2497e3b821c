package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orrery/testdata/recordings"
	"orrery/traceio/cachedir"
	"orrery/traceio/tempfile"
)

// Example is a shipped recording with what to look for in it.
type Example struct{ File, Name, What string }

// Examples are the shipped recordings in the order in which a newcomer should look at them.
func Examples() []Example {
	return []Example{
		{"bubble-vector-shuffled.orr", "Bubble sort, shuffled vector",
			"Six of ten comparisons swap: #3 turns with each swap, its dual #5 with each pair left alone."},
		{"bubble-array-reversed.orr", "Bubble sort, reversed array",
			"Ten compare-and-swap bundles in one parameterization, four sweeps in another. Morph between them."},
		{"bubble-array-sorted.orr", "Bubble sort, sorted array",
			"One sweep of four comparisons and nothing to do: four turns."},
		{"bubble-array-shuffled.orr", "Bubble sort, shuffled array",
			"Swaps and comparisons that leave a pair in place part into two cycles."},
		{"bubble-vector-reversed.orr", "Bubble sort, reversed vector", "The same sweeps and bundles as in the array, with " +
			"more references a turn: every look-up is a function call."},
		{"bubble-vector-sorted.orr", "Bubble sort, sorted vector", "Four comparisons through the vector's functions."},
		{"matmul-standard.orr", "Matrix multiply, standard",
			"The right-hand matrix is walked by columns: watch its glyphs stream into L1 and out again."},
		{"matmul-transposed.orr", "Matrix multiply, transposed",
			"The same product with the right-hand matrix stored by columns: far fewer misses."},
		{"matmul-blocked.orr", "Matrix multiply, 4×4 blocks",
			"Blocks stay in the cache while they are used; misses come in even bursts."},
		{"list.orr", "Lists on the heap",
			"Words built, indexed, thinned out and forgotten: look at the heap map and its leaks."},
		{"containers.orr", "C++ containers",
			"A map, a hash map, a list, a deque and strings share the heap: who owns the small blocks?"},
		{"lua-queens.orr", "Lua, a real program",
			"The interpreter as Debian ships it, placing six queens: its tables grow, its collector sweeps."},
		{"mpm-5.orr", "Material points, five", "Mass and momentum go from five particles to the grid: 5, 10, 20, 40 and 80 " +
			"turns, one for each level of nesting."},
		{"mpm-60.orr", "Material points, sixty",
			"Six time steps of a million references: every phase streams through the caches in order."},
		{"sort-bubble.orr", "Bubble sort of 256 numbers",
			"Each sweep is shorter than the one before: once it fits a cache, the misses stop."},
		{"sort-merge.orr", "Merge sort of 1024 numbers",
			"Small merges fit the caches, large ones spill; at half way it all begins again."},
		{"fill.orr", "Filling an array",
			"Lines stream in, are written and age outwards: the red streaks turn with the array."},
		{"sharing-packed.orr", "Four threads, one line",
			"Four counters side by side in one cache line: each increment takes the line away from another core."},
		{"sharing-padded.orr", "Four threads, four lines", "The same counters, each with a line to itself."},
		{"habits-loops.orr", "Two loops over one array", "The second loop fetches again all that the first has had: the " +
			"finding says which, and what one loop would save."},
		{"habits-stream.orr", "A stream and a table",
			"Records pass once and push the table out that each of them is looked up in."},
		{"habits-structs.orr", "One field of eight",
			"Whole particles are fetched and one number of each is used: nine tenths of the time."},
		{"habits-hoard.orr", "A hoarder", "A block asked for far too large, and one kept long after its last use."},
		{"gomatmul.orr", "Matrix multiply in Go",
			"The tab Code shows the compiler's graph of the hot line: one load of it has the misses."},
		{"golist.orr", "Linked list in Go",
			"Every round waits for the load of the round before: a pointer chase, marked in the compiler's graph."},
	}
}

// builtin begins the names of the examples that are in the program, where a file would have its folder.
const builtin = "built-in/"

// Builtin tells whether a path means one of the examples that are in the program, and gives the name by which it is
// known everywhere and always: "built-in/list.orr".
func Builtin(path string) (name string, ok bool) {
	if path == DesignExample || path == DesignExamplePath {
		return DesignExamplePath, IsDesignExample(path)
	}
	file, ok := builtinFile(path)
	return builtin + file, ok
}

// builtinFile is the file of a recording that is in the program.
func builtinFile(path string) (file string, ok bool) {
	file, ok = strings.CutPrefix(path, builtin)
	return file, ok && slices.ContainsFunc(Examples(), func(e Example) bool { return e.File == file })
}

// Path is by what the window opens an example.
func (e Example) Path() string { return builtin + e.File }

// Unpack gives the file of a path: a recording that is in the program is unpacked into the user's cache, unless it is
// there already, and those that it can be compared with beside it. Other paths are what they are.
func Unpack(path string) (string, error) {
	file, ok := builtinFile(path)
	if !ok {
		return path, nil
	}
	dir, err := cachedir.Dir("examples", cachedir.Need{Whole: func(dir string) bool { return len(notIn(dir)) == 0 }})
	if err != nil {
		return "", fmt.Errorf("unpacking %s: %w", file, err)
	}
	for _, name := range notIn(dir) {
		if err := unpack(dir, name); err != nil {
			return "", fmt.Errorf("unpacking %s: %w", name, err)
		}
	}
	return filepath.Join(dir, file), nil
}

// notIn are the recordings that a directory does not have.
func notIn(dir string) (files []string) {
	for _, e := range Examples() {
		data, err := recordings.Files.ReadFile(e.File)
		old, unread := os.ReadFile(filepath.Join(dir, e.File))
		if err != nil || unread != nil || !bytes.Equal(old, data) {
			files = append(files, e.File)
		}
	}
	return files
}

func unpack(dir, file string) error {
	data, err := recordings.Files.ReadFile(file)
	if err != nil {
		return fmt.Errorf("no recording %s ships with this program: %w", file, err)
	}
	tmp, err := tempfile.Create(filepath.Join(dir, file), 0o600)
	if err != nil {
		return err
	}
	defer tmp.Discard()
	if _, err := tmp.Write(data); err != nil {
		return err
	}
	return tmp.Place()
}
