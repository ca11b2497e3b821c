package panes

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"orrery/app/panes/toolbar"
	"orrery/app/shell"
	"orrery/views/scene"
)

// Run is something read from a file that is open as long as it is shown.
type Run interface{ Close() error }

// Baseline is a second run, which a document's own is compared with: a file that the user names. The one before stays
// until the next one is read.
type Baseline[R Run] struct{ *Lazy[string, R] }

// NewBaseline is without a run. name is that of the job, then runs when a run has been read.
func NewBaseline[R Run](s *Set, name string,
	load func(ctx context.Context, path string, report func(done, total int64)) (R, error), then func(R)) Baseline[R] {
	return Baseline[R]{NewLazy(s, Work[string, R]{
		Name:  name,
		Title: func(path string) string { return "reading " + filepath.Base(path) },
		Unit:  "bytes",
		Run:   load,
		Then: func(r R, err error) {
			if err == nil && then != nil {
				then(r)
			}
		},
		Close: func(r R) { r.Close() },
	})}
}

// fewNeighbours is how many files of the same folder are offered.
const fewNeighbours = 8

// Neighbours are the other recordings in the folder of a file, those with a similar name first.
func Neighbours(path string) []string {
	all, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.orr"))
	all = slices.DeleteFunc(all, func(p string) bool { return filepath.Base(p) == filepath.Base(path) })
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(likeness(b, path), likeness(a, path)) })
	return slices.Clip(all[:min(len(all), fewNeighbours)])
}

// likeness is the length of the beginning that two names share.
func likeness(a, b string) int {
	a, b = filepath.Base(a), filepath.Base(b)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// chipWidth is how much of a file's name a chip shows, in units.
const chipWidth = 150.0

// Against is what a chip says of a comparison: "against list", cut where it is long.
func Against(word, path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return scene.Ellipsis(scene.Sans, 10.5, word+" "+name, chipWidth)
}

// BaselineChoices offer files to compare with: neighbours of the document's own, and one that the user names. verb
// begins their lines ("Compare with"), what names what such a file is ("a recording"); now is the file of today.
func BaselineChoices(host *shell.Host, neighbours []string, verb, what, now string,
	choose func(path string)) (list []toolbar.Choice) {
	for _, path := range neighbours {
		list = append(list, toolbar.Choice{Title: verb + " " + filepath.Base(path), On: path == now,
			Run: func() { choose(path) }})
	}
	return append(list, toolbar.Choice{ID: "file", Title: verb + " " + what + " …", Off: host.OpenFile == nil,
		Run: func() {
			if host.OpenFile != nil {
				host.OpenFile(choose)
			}
		}})
}
