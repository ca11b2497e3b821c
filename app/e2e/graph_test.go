package e2e

import (
	"encoding/json"
	"image"
	"math"
	"os/exec"
	"strings"
	"testing"
)

// hotLine is the line of gomatmul.go with all the work: of its references two are nil checks and two load the factors.
const hotLine = 18

// TestGraph follows a hot line to the compiler's graph: the code pane shows the function with the line's loads open, a
// double click opens another node, and Back and the transport of the pane work. Go's compiler is asked, with the build
// cache that the tests have filled.
func TestGraph(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	screen := display(t, 1280, 800)
	w := opened(t, screen, "--theme", "dark", recording("gomatmul.orr"))
	w.steps([]step{
		{"line", chooseHotLine},
		{"graph", openItsGraph},
		{"all", showAllNodes},
		{"back", backToTheLine},
		{"quit", (*window).quit},
	})
}

// drawing is what the log says of a graph that was drawn.
type drawing struct {
	Function           string
	Nodes, Open, Phase int
}

// drawnGraph waits for a drawing of a graph that fits.
func (w *window) drawnGraph(since int, what string, fits func(drawing) bool) drawing {
	w.t.Helper()
	var d drawing
	w.wait(since, what, func(e event) bool {
		d = drawing{}
		return e.Name == "graph" && json.Unmarshal([]byte(e.Raw), &d) == nil && fits(d)
	})
	return d
}

// chooseHotLine clicks down the source, from where the line is in a window of this size, until it is selected.
func chooseHotLine(w *window) {
	p := w.pane("source")
	for y := 0.85; w.state().Line != hotLine; y += 0.03 {
		if y > 1.8 {
			w.fail("no click in the source found the hot line")
		}
		w.click(p.at(0.5, math.Mod(y, 1)))
		w.settled() // one click has been answered before the next
	}
	if s := w.state(); s.Origin != "source" || s.File != "gomatmul.go" {
		w.t.Errorf("the hot line was told as %s", s.Raw)
	}
}

// openItsGraph presses G: the code pane comes to the front with the line's loads open and their neighbours.
func openItsGraph(w *window) {
	since := w.mark()
	w.key("g")
	w.wait(since, "the code pane", func(e event) bool {
		for _, p := range e.Panes {
			if e.Name == "arranged" && p.Slot == "code" {
				return true
			}
		}
		return false
	})
	d := w.drawnGraph(since, "the graph of the hot line", func(d drawing) bool { return d.Open > 0 })
	if d.Function != "multiply" || d.Open != 4 || d.Nodes <= d.Open {
		w.t.Errorf("drawn: %+v; want multiply with 4 nodes open, two of them nil checks, and their neighbours", d)
	}
	w.drawn(since, "code")
	w.settled()
	if s := w.state(); s.Line != hotLine {
		w.t.Errorf("the graph's opening left %s selected", s.Raw)
	}
	w.shows(w.shot(), func(m image.Image) string {
		if n := colours(m, w.pane("code").rect()); n < 30 {
			return "the code pane shows too few colours for a graph"
		}
		return ""
	})
}

// showAllNodes opens the whole function.
func showAllNodes(w *window) {
	since := w.mark()
	w.key("ctrl+shift+a")
	if d := w.drawnGraph(since, "the whole graph", func(d drawing) bool { return d.Open == 0 }); d.Nodes < 40 {
		w.t.Errorf("the whole graph has %d nodes, want those of a loop in a loop in a loop", d.Nodes)
	}
	w.settled()
}

// backToTheLine goes back to the open loads.
func backToTheLine(w *window) {
	since := w.mark()
	w.key("alt+comma")
	w.drawnGraph(since, "the loads again", func(d drawing) bool { return d.Open == 4 })
	w.settled()
}
