package shell

import (
	"context"
	"image/color"

	"orrery/app/jobs"
	"orrery/traceio"
	"orrery/views/link"
	"orrery/views/pane"
	"orrery/views/words"

	"fyne.io/fyne/v2"
)

// Slot names a pane in arrangements, sessions and commands.
type Slot string

// The slots that the arrangement knows. A document without pictures of a run (cycles, cache, heap) has its designs or
// its graph in the middle, above.
const (
	Recording  Slot = "recording"  // left: regions with colour and count
	Gallery    Slot = "gallery"    // left, below: parameterizations and morph
	Phases     Slot = "phases"     // left, below: the functions of a compiler's graphs and their phases
	Findings   Slot = "findings"   // left, bottom
	Cycles     Slot = "cycles"     // middle, above left
	Cache      Slot = "cache"      // middle, above right
	Curve      Slot = "curve"      // middle, above right, as a tab
	Heap       Slot = "heap"       // middle, below
	Table      Slot = "table"      // middle, below, as a tab
	Sites      Slot = "sites"      // middle, below, as a tab
	Flame      Slot = "flame"      // middle, below, as a tab
	Designs    Slot = "designs"    // middle, below, as a tab: the tree of a design space
	Spread     Slot = "spread"     // middle, below, as a tab: parallel coordinates and scatter matrix of its points
	Subspaces  Slot = "subspaces"  // middle, below, as a tab: its subspaces compared
	Points     Slot = "points"     // middle, below, as a tab: its points in a table
	Code       Slot = "code"       // middle, below, as a tab: the compiler's graph
	Flow       Slot = "flow"       // middle, below, as a tab: its basic blocks
	Source     Slot = "source"     // right, above
	Design     Slot = "design"     // right, below, as a tab: one design point
	Properties Slot = "properties" // right, below, as a tab: of the chosen nodes of a graph
	Explain    Slot = "explain"    // right, below
	Timeline   Slot = "timeline"   // bottom, full width, beside the transport
)

// View is one picture of a document. Title is short and constant ("Cycles"); Caption is the picture's state in a few
// words ("window 10 · address · #1 of 5") and is asked again after every change. The optional interfaces of package
// pane (Presser, Scroller, Tipper, Zoomer, Concerner, ...) make it answer the pointer and the keyboard.
type View interface {
	pane.Content
	Title() string
	Caption() string
}

// Placed is a pane of a document: its view, the name of its slot, and what the window does with it.
type Placed struct {
	Slot  Slot
	View  View
	Place Place
	Keys  string // that bring it to the front: "6"
	Show  string // what that is called: "Show the miss curve"; "" for "Show the curve pane"
	// Idle says in a few words why the pane has nothing to show of its document ("no allocations"), or "" while there is
	// something; it is asked after every change. The tabs of idle panes are folded into a chip behind the others, and
	// come back when they are asked for or have something to show. nil is always something.
	Idle func() string
}

// Document is one open recording with everything that is derived from it. All methods are called on the interface's
// goroutine; a document runs long work through the engine it was opened with, whose results come back on that
// goroutine too.
type Document interface {
	// Name is short: "bubblesort-vector-shuffled.orr".
	Name() string
	// Facts stand at the right of the header: "840 references · 1 thread".
	Facts() string
	// Len is the number of data references, or of what Ticker counts; the transport plays the cursor over [0, Len).
	Len() traceio.Seq
	// Link is shared by the document's views and moved by the transport.
	Link() *link.Link
	// Views lists the pictures in a fixed order. The list is asked once, after opening.
	Views() []Placed
	// Watch sets the one function to call (on the interface's goroutine) when pictures change for another reason than
	// a change of the link: a result has arrived, a view's own state (zoom, option) has changed. No slots: all of them,
	// and the header's facts. The shell coalesces; calling often is cheap.
	Watch(changed func(slots ...Slot))
	// Commands are added to the shell's own: analyses, exports, options of views. Asked once, after opening.
	Commands() []Command
	// Close cancels the document's jobs and releases the file. Nothing is called afterwards.
	Close() error
}

// Searcher is a document that answers the search entry (A15): addresses, symbols, functions, file:line, allocation
// sites; best first, at most limit.
type Searcher interface {
	Search(text string, limit int) []Found
}

// Prompter is a Searcher that says what it can be asked for: "Search nodes, phases, property=value".
type Prompter interface {
	Searcher
	Prompt() string
}

// Ticker is a document whose time does not count references. TimeUnit names what it counts ("generations") and says how
// many of them pass in a second when it is played at the speed x1.
type Ticker interface {
	TimeUnit() (unit string, rate float64)
}

// Numbered is a document whose steps have numbers of their own: the step at the cursor 0 is First.
type Numbered interface {
	First() int
}

// Stopper is a document that is notified when the user has cancelled the work: its views then say so, and how to go on.
type Stopper interface {
	Stopped()
}

// Escaper is a document in which something can be entered that Escape leaves before it clears the selection. Escape
// reports whether there was; lists over pictures are closed by then.
type Escaper interface {
	Escape() bool
}

// Found is one answer: Label "a[2]", Detail "global, 40 bytes, 412 references", Go selects it.
type Found struct {
	Label, Detail string
	Go            func()
}

// Host is what a document gets from the shell when it is opened.
type Host struct {
	// Engine runs the document's work; job keys are the document's own: start them with its path.
	Engine *jobs.Engine
	// Report says how far the opening is, in bytes of the file; safe from any goroutine.
	Report func(done, total int64)
	// Notice shows a sentence in the banner and keeps it in the log pane; safe from any goroutine. For what the user
	// must know though the document opens: "1042 records were skipped: ...".
	Notice func(sentence string)
	// Failure is Notice for what went wrong: the sentence is marked as an error. Where there is no window it may be
	// nil; Failed is called in its place.
	Failure func(sentence string)
	// Find opens the search entry with the text that the user is to complete: "show ". nil where there is none.
	Find func(text string)
	// Present lays a sheet with a title over the window, as large as it is wanted or as there is room; Dismiss takes it
	// away, as Escape and a click beside it do. They and Focus are nil where there is no window.
	Present func(title string, body fyne.CanvasObject, size fyne.Size)
	Dismiss func()
	// Focus gives a field of a sheet the keyboard.
	Focus func(fyne.Focusable)
	// SaveFile asks where to write a file, with a name to begin with, and OpenFile which one to read; then is not
	// called when the user thinks better of it. OpenFolder asks for a folder to read.
	SaveFile   func(name string, then func(path string))
	OpenFile   func(then func(path string))
	OpenFolder func(then func(path string))
	// Write is for Save.
	Write func(path string, write func() error, then func(error))
	// Show brings a picture to the front of its tabs and gives it the keyboard.
	Show func(Slot)
	// Seen reports whether a picture of this document is to be seen now: in front of its tabs, and not behind one that is
	// maximised. It belongs to the interface's goroutine; nil where there is no window, and everything is.
	Seen func(Slot) bool
	// Recall gives what Remember kept of this file under a name, in this run or an earlier one. Both belong to the
	// interface's goroutine; nil where nothing is kept.
	Recall   func(name string) []string
	Remember func(name string, list []string)
	// Open opens a file in the window, beside what is open.
	Open func(path string)
	// Ink is the colour of captions in sheets.
	Ink func() color.Color
	// Log writes a line into the event log (if there is one); safe from any goroutine. kv are pairs of name and value.
	Log func(event string, kv ...any)
}

// Failed shows what went wrong, such as the text of an error, which is written as a sentence; safe from any goroutine.
func (h *Host) Failed(text string) {
	sentence := words.Sentence(text)
	if h.Failure == nil {
		h.Notice(sentence)
		return
	}
	h.Failure(sentence)
}

// Opener opens a file of any format; it runs on a background goroutine and must honour ctx. Its error is shown as it
// stands: a sentence with position and remedy.
type Opener func(ctx context.Context, path string, host Host) (Document, error)

// Example is one shipped recording for the welcome page. Name is its title, What one or two sentences on what to look
// for, Path what Opener is given.
type Example struct {
	Name, What, Path string
}

// Options is what Run needs. Named reports whether a path means a document that is no file, as the examples that are in
// the program, and gives its one name, by which sessions keep it and Open finds it; nil where all are files.
type Options struct {
	Open     Opener
	Named    func(path string) (name string, ok bool)
	Files    []string             // opened at once, in this order
	Examples []Example            // for the welcome page
	Tour     []Stop               // the guided tour; nil for none
	EventLog string               // file that gets one JSON line per event; "" for none
	FrameLog bool                 // write the processor time of each frame into it, too
	Theme    string               // "dark", "light", "system" or "" for what was used last (dark at first)
	Version  string               // for the about box
	More     func(Host) []Command // the application's own, which need no document; nil for none
}
