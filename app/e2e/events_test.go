package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
)

// event is one line of the application's event log.
type event struct {
	At       float64 `json:"t_ms"` // milliseconds since the process began
	Name     string  `json:"event"`
	Slot     string  // pane-drawn: the pane
	Doc      string  `json:"name"` // arranged: the document; command, link: of what is selected
	Left     string  // comparing: the files
	Right    string
	ID       any // command: its name; link: the number of the selected block
	Path     string
	Title    string // sheet
	Text     string // notice: the sentence
	Error    any    // open-failed: the sentence; notice: whether it is one of an error
	Ms       float64
	CPU      float64 `json:"cpu_ms"` // frame: processor time of the interface's thread
	Width    float64
	Height   float64
	Scale    float64
	Length   int // document-opened: references
	Cursor   int
	From, To int // link: the window of time
	Selected int // link: what kind of thing, a link.What
	File     string
	Line     int
	Origin   string
	On       bool         // playing
	Running  int          // jobs
	Panes    []pane       // arranged
	Cards    [][4]float64 // welcome: x, y, width and height in units
	Heap     int64        // freed: bytes
	Routines int          `json:"goroutines"` // freed
	Index    int          `json:"-"`          // its place in the log
	Raw      string       `json:"-"`
}

// pane is where a picture lies in the window; in the log in units, in the tests (see window.pane) in pixels.
type pane struct {
	Slot       string
	X, Y, W, H float64
}

// events reads the complete lines of an event log; a log that is not there yet is empty. Lines that are no JSON are a
// defect of the application: they come back with the name "unreadable".
func events(path string) []event {
	data, _ := os.ReadFile(path)
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	var out []event
	for line := range bytes.Lines(data) {
		e := event{Index: len(out), Raw: strings.TrimSpace(string(line))}
		if err := json.Unmarshal(line, &e); err != nil {
			e.Name = "unreadable"
		}
		out = append(out, e)
	}
	return out
}

// named tells whether an event has this name.
func named(name string) func(event) bool {
	return func(e event) bool { return e.Name == name }
}
