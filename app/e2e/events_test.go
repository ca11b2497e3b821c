package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"strings"
)

// event is one line of the application's event log.
type event struct {
	At        float64 `json:"t_ms"` // milliseconds since the process began
	Name      string  `json:"event"`
	Slot      string  // pane-drawn: the pane
	Doc       string  `json:"name"` // arranged: the document; command, link: of what is selected
	Left      string  // comparing: the files
	Right     string
	ID        any // command: its name; link: the number of the selected block
	Path      string
	Title     string // sheet
	Text      string // notice: the sentence
	Error     any    // open-failed: the sentence; notice: whether it is one of an error
	Ms        float64
	CPU       float64 `json:"cpu_ms"` // frame: processor time of the interface's thread
	Width     float64
	Height    float64
	Scale     float64
	Length    int // document-opened: references
	Cursor    int
	From, To  int // link: the window of time
	Selected  int // link: what kind of thing, a link.What
	File      string
	Line      int
	Origin    string
	On        bool         // playing
	Running   int          // jobs
	Panes     []pane       // arranged
	Cards     [][4]float64 // welcome: x, y, width and height in units
	Documents int          // session-kept, session-saved: how many
	Heap      int64        // freed: bytes
	Routines  int          `json:"goroutines"` // freed
	Index     int          `json:"-"`          // its place in the log
	Raw       string       `json:"-"`
}

// pane is where a picture lies in the window; in the log in units, in the tests (see window.pane) in pixels.
type pane struct {
	Slot       string
	X, Y, W, H float64
}

// eventLog is a log that the application is still writing.
type eventLog struct {
	path string
	read int64 // bytes of lines that are in events
	all  []event
}

// events is the complete lines so far; a log that is not there yet is empty. Lines that are no JSON are a defect of the
// application: they come back with the name "unreadable".
func (l *eventLog) events() []event {
	f, err := os.Open(l.path)
	if err != nil {
		return l.all
	}
	defer f.Close()
	added, _ := io.ReadAll(io.NewSectionReader(f, l.read, math.MaxInt64-l.read))
	added = added[:bytes.LastIndexByte(added, '\n')+1]
	l.read += int64(len(added))
	for line := range bytes.Lines(added) {
		e := event{Index: len(l.all), Raw: strings.TrimSpace(string(line))}
		if err := json.Unmarshal(line, &e); err != nil {
			e.Name = "unreadable"
		}
		l.all = append(l.all, e)
	}
	return l.all
}

// named tells whether an event has this name.
func named(name string) func(event) bool {
	return func(e event) bool { return e.Name == name }
}
