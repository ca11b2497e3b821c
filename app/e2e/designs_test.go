package e2e

import (
	"encoding/json"
	"fmt"
	"image"
	"testing"
	"time"
)

// TestDesigns filters a table of designs with the pointer: fewer of them pass and the tree is another one, until the
// filter is taken back.
func TestDesigns(t *testing.T) {
	w := opened(t, display(t, 1280, 800), "--theme", "dark", absolute(t, "../designs/slam.csv"))
	w.steps([]step{
		{"whole", wholeTree},
		{"filter", filterTree},
		{"quit", (*window).quit},
	})
}

// allDesigns is how many the table has.
const allDesigns = 1224

// arranged is what the log says of a tree that was laid out.
type arranged struct{ Pass, Of, Nodes int }

// tree tells whether an event is of a tree that fits, and which.
func (a *arranged) tree(fits func(arranged) bool) func(event) bool {
	return func(e event) bool {
		*a = arranged{}
		return e.Name == "designs" && json.Unmarshal([]byte(e.Raw), a) == nil && fits(*a)
	}
}

// wholeTree waits for the tree of all designs.
func wholeTree(w *window) {
	var a arranged
	w.wait(0, "the tree of all designs", a.tree(func(a arranged) bool {
		return a.Pass == allDesigns && a.Of == allDesigns
	}))
	w.settled()
	w.shows(w.shot(), func(m image.Image) string {
		if n := colours(m, w.pane("designs").rect()); n < 20 {
			return fmt.Sprintf("the tree has %d colours: nothing is drawn", n)
		}
		return ""
	})
}

// filterTree pulls the upper end of an objective's range down: less of the tree is left, and undo brings all of it
// back, redo the filter.
func filterTree(w *window) {
	var whole, some, again arranged
	w.wait(0, "the tree of all designs", whole.tree(func(a arranged) bool { return a.Pass == allDesigns }))
	p, before, since := w.pane("recording"), w.shot(), w.mark()
	fewer := some.tree(func(a arranged) bool { return a.Pass > 0 && a.Pass < allDesigns })
	found := false
	for _, y := range []float64{0.28, 0.29, 0.27, 0.30, 0.26, 0.31, 0.25, 0.32, 0.24} { // where the first slider may be
		x, at := p.at(0.88, y)
		to, _ := p.at(0.3, y)
		w.drag(x, at, to, at)
		if _, found = w.within(20*time.Second, since, fewer); found {
			break
		}
	}
	if !found {
		w.fail("no drag in the filter makes fewer designs pass")
	}
	w.settled()
	w.shows(w.shot(), func(m image.Image) string {
		if n := differing(before, m, w.pane("designs").rect()); n < 1000 {
			return fmt.Sprintf("the filter changed %d pixels of the tree", n)
		}
		return ""
	})
	undone := w.mark()
	w.key("ctrl+z")
	end := w.wait(undone, "all designs after undo", again.tree(func(a arranged) bool { return a == whole }))
	for _, e := range w.events()[since:end.Index] { // the last of the drag
		var a arranged
		if a.tree(func(arranged) bool { return true })(e) {
			some = a
		}
	}
	if some.Nodes >= whole.Nodes {
		w.t.Errorf("with %d of %d designs the tree has %d nodes, with all %d", some.Pass, some.Of, some.Nodes, whole.Nodes)
	}
	since = w.mark()
	w.key("ctrl+shift+z")
	w.wait(since, "the filter after redo", again.tree(func(a arranged) bool { return a == some }))
}
