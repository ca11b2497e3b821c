package traceio

import (
	"strings"
	"time"
)

// Program is what a recording knows about the recorded program beside its references. Everything may be empty. It is
// written into our own files as JSON, so that a recording opens with names and source on a machine without the binary.
type Program struct {
	Command  []string     `json:"command,omitempty"`
	Recorder string       `json:"recorder,omitempty"` // "qemu", "lackey", ...
	Started  time.Time    `json:"started,omitzero"`
	Ticking  bool         `json:"ticking,omitempty"` // the Ticks of blocks and events are real
	Modules  []Module     `json:"modules,omitempty"`
	Sites    []Site       `json:"sites,omitempty"`   // in order of PC, one for each PC that the recording mentions
	Globals  []Global     `json:"globals,omitempty"` // in order of Addr
	Types    []Type       `json:"types,omitempty"`   // Types[0] is the unknown type
	Sources  []SourceText `json:"sources,omitempty"`
	// of the file that this recording was converted from, or what could not be written
	Lost  []Loss   `json:"lost,omitempty"`
	Notes []string `json:"notes,omitempty"` // sentences about what its format does not tell
	// what Limited puts together; empty where all were, and where nobody noted it
	Limits []string `json:"limits,omitempty"`
	// of a recording that is being made: how many last references it is to keep; what came before is cut out
	KeepLast uint64   `json:"keep_last,omitempty"`
	Stacks   [][]Addr `json:"stacks,omitempty"` // by StackID, innermost return address first; Stacks[0] is empty

	// Processes are those whose events the recording has, by number, where there are several; nil where there is one.
	Processes []Process `json:"processes,omitempty"`

	// ThreadLocals are the variables of which each thread has one. Addr of the main program's is the distance from the
	// thread pointer, negative as two's complement; of a library's it is the distance from the beginning of its
	// variables, which the loader puts anywhere. The main program's come first, then the libraries' in the order of
	// Module; each in order of Addr.
	ThreadLocals []Global `json:"thread_locals,omitempty"`

	// Functions are those with variables on the stack that one of Sites lies in: in order of Low, without overlap. A
	// function in several pieces is here several times.
	Functions []Function `json:"functions,omitempty"`
}

// Limited says in a sentence what the recording was limited to: "The recording is limited to references made by list.c,
// to the first 1000 references." Code with hooks records only its own references. "" where there is no limit, and where
// nobody noted it.
func (p *Program) Limited() string {
	limits := p.Limits
	if p.Recorder == "hooks" && len(limits) == 0 {
		limits = []string{"references made by code that was compiled with hooks"}
	}
	if len(limits) == 0 {
		return ""
	}
	return "The recording is limited to " + strings.Join(limits, ", to ") + "."
}

// Module is an executable or library mapped into the program. A link-time address plus Bias is a run-time address.
type Module struct {
	Path    string `json:"path"`
	BuildID string `json:"build_id,omitempty"`
	Bias    Addr   `json:"bias"`
	Low     Addr   `json:"low"`  // run-time extent of all its segments, [Low, High)
	High    Addr   `json:"high"` //
	Main    bool   `json:"main,omitempty"`
}

// Frame is a position in the source: the function and line of one instruction, or of one level of inlining.
type Frame struct {
	Function string `json:"function,omitempty"` // demangled
	File     string `json:"file,omitempty"`     // as the debug information names it; "" when unknown
	Line     int    `json:"line,omitempty"`     // from 1; 0 when unknown
}

// Site is one instruction address with its source positions, innermost inlined frame first. Module indexes
// Program.Modules, -1 when the address lies in none.
type Site struct {
	PC     Addr    `json:"pc"`
	Module int     `json:"module"`
	Frames []Frame `json:"frames,omitempty"`
	Flow   Flow    `json:"flow,omitempty"`
	// of a direct call: where it goes; of a Fixed or Placed one: the signed distance
	Target Addr `json:"target,omitempty"`

	// Place is, of an instruction of Go code that uses the stack pointer alone, its reference's address minus that of
	// the return address of its function's frame; 0 for others. So the reference shows where the frame is, on whatever
	// stack.
	Place int64 `json:"place,omitempty"`
}

// Flow is what an instruction does to the frames on the stack.
type Flow uint8

// The kinds of flow of control.
const (
	Plain  Flow = iota // nothing, or unknown
	Call               // its store of 8 bytes is the return address of a new frame
	Return             // its load of 8 bytes takes the return address away
	Prolog             // the push at a function's entry: its store of 8 bytes stands right below the return address
	Fixed              // its reference is at a fixed distance, Target, from the thread pointer
	// its reference is at a fixed distance, Target, from the variables that its library has for the thread
	Placed
)

// Function is the variables that one function keeps in its frame on the stack.
type Function struct {
	Name   string `json:"name"` // demangled, like the frames of its sites
	Low    Addr   `json:"low"`  // run-time, [Low, High)
	High   Addr   `json:"high"` //
	Module int    `json:"module"`
	// where calls arrive; outside of [Low, High) for the cold part of a function that was split
	Entry  Addr    `json:"entry"`
	Locals []Local `json:"locals"`
}

// Local is a variable or parameter that lives in the frame of its function. Its first byte is at the frame's base plus
// Offset; the base, which DWARF calls the canonical frame address, is the address right above the return address. It is
// there while instructions in [Low, High) run.
type Local struct {
	// with its function: "bubble_sort:i"; an inlined function's variable is named after that function
	Name   string `json:"name"`
	Offset int64  `json:"offset"`
	Size   uint64 `json:"size"`           // bytes
	Type   int    `json:"type"`           // indexes Program.Types
	Low    Addr   `json:"low,omitempty"`  // run-time; both 0: all of the function
	High   Addr   `json:"high,omitempty"` //
}

// Global is a variable with static storage.
type Global struct {
	Name   string `json:"name"`
	Addr   Addr   `json:"addr"` // run-time
	Size   uint64 `json:"size"` // bytes
	Type   int    `json:"type"` // indexes Program.Types
	Module int    `json:"module"`
}

// Type describes enough of a variable's type to name one byte of it: "A[3][7]", "P[3].id". An array has Dims and Elem;
// a structure has Fields; anything else is a leaf.
type Type struct {
	Name   string  `json:"name,omitempty"`
	Size   uint64  `json:"size"`
	Dims   []int   `json:"dims,omitempty"` // extents, outermost first
	Elem   int     `json:"elem,omitempty"`
	Fields []Field `json:"fields,omitempty"`
}

// Field is one member of a structure.
type Field struct {
	Name   string `json:"name"`
	Offset uint64 `json:"offset"`
	Type   int    `json:"type"`
}

// SourceText is one source file as it was when the program was recorded.
type SourceText struct {
	Path string `json:"path"` // equal to the File of frames
	Text string `json:"text"`
}
