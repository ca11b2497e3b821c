// Package designs reads and writes tables of evaluated design points: what a search over a design space leaves behind.
// In go CSV and TSV, JSON, the exports of jMetal, HiPlot and Optuna, and Optuna's journal, with a small description of
// their columns that is guessed and may be given; out comes a Set: parameters, objectives, secondary objectives,
// mappings and generations, in columns of equal length. Rows that cannot be used are listed with their place and
// reason, the others load. The meaning of a Set (fronts, tree, filters) is analysis/dse's.
//
// The words are those of T. Taghavi, A. D. Pimentel, M. Sabeghi, VMODEX: a novel visualization tool for rapid analysis
// of heuristic-based multi-objective design space exploration of heterogeneous MPSoC architectures, sections 2.2 and 4.
package designs

import (
	"fmt"
	"strconv"
)

// Set is a table of design points, DP of the paper. Row i of every column belongs to point i. A Set that was handed out
// is not changed any more.
type Set struct {
	Name       string // of the file or of the search
	N          int    // points
	Parameters []Parameter
	Objectives []Objective // the primary ones, that dominance looks at
	Secondary  []Secondary // shown on demand

	ID          []string // what the table calls each point; nil: its number
	Row         []int32  // data row of the file, from 1, at which each point stands first; nil: none
	Generations Generations

	// Feasible are the combinations of parameters that can be built, each one index into Values a parameter; nil when
	// nobody told, and then those that were evaluated are.
	Feasible [][]int32

	Platform *Platform // nil without one
	Mapping  *Mapping  // nil without one
	Note     string    // what must be said of the data, such as "a reconstruction"; "" for nothing

	Rejected []Rejected // rows that could not be used, at most MaxRejected of them
	Refused  int        // how many there were in all
}

// MaxRejected is how many rejected rows are kept with their reason.
const MaxRejected = 1000

// Rejected is one row that could not be used.
type Rejected struct {
	Row    int    `json:"row"`            // data row or record of the file, from 1
	Line   int    `json:"line,omitempty"` // where it stands, from 1; 0 in formats without lines
	Column string `json:"column,omitempty"`
	Reason string `json:"reason"`
}

// String gives "row 7 (line 8), column energy: reason".
func (r Rejected) String() string {
	where := fmt.Sprintf("row %d", r.Row)
	if r.Line > 0 {
		where += fmt.Sprintf(" (line %d)", r.Line)
	}
	if r.Column != "" {
		where += ", column " + r.Column
	}
	return where + ": " + r.Reason
}

// Parameter is par_j: one decision that makes subspaces.
type Parameter struct {
	Name   string
	Values []string // distinct, in the order of the level: numbers grow, texts as first seen or as told
	At     []int32  // of each point, an index into Values
}

// Objective is f_i, a primary objective. Values are as evaluated; dominance changes the sign of what is maximised.
type Objective struct {
	Name         string
	Unit         string
	Maximise     bool
	Architecture bool      // depends on the parameters only, not on the mapping (11)
	Values       []float64 // finite
}

// Secondary is one secondary objective: a number that no dominance looks at.
type Secondary struct {
	Name   string
	Unit   string
	Kind   SecondaryKind
	Of     int       // component or process, by Kind; 0 for Plain
	Values []float64 // NaN where the table tells nothing
}

// SecondaryKind says what a secondary objective is about.
type SecondaryKind uint8

// The kinds of secondary objective. Components are numbered as in Mapping: processors, then memories.
const (
	Plain        SecondaryKind = iota
	Utilization                // share of the time, in [0, 1], that component Of was busy
	Execution                  // share of the time, in [0, 1], that process Of was executed
	ReadLatency                // time that process Of waited for its reads
	WriteLatency               // time that process Of waited for its writes
	ReadTime                   // share of the time that processor Of was reading
	WriteTime                  // share of the time that processor Of was writing
	ExecuteTime                // share of the time that processor Of was executing
)

// secondaryNames are the kinds' names in files.
var secondaryNames = [...]string{"plain", "utilization", "execution", "read_latency", "write_latency", "read_time",
	"write_time", "execute_time"}

// String is the kind's name in files: "utilization".
func (k SecondaryKind) String() string {
	if int(k) < len(secondaryNames) {
		return secondaryNames[k]
	}
	return "unknown"
}

// About gives the columns of one kind of secondary objective by what they are about: by component for Utilization, by
// processor or component for ReadTime, WriteTime and ExecuteTime, by process for the others; nil where the table tells
// nothing, and nil in all without a platform.
func (s *Set) About(kind SecondaryKind) [][]float64 {
	if s.Platform == nil || kind == Plain {
		return nil
	}
	n := len(s.Platform.Processes)
	if kind == Utilization || kind >= ReadTime {
		n = s.Platform.Components()
	}
	out := make([][]float64, n)
	for _, o := range s.Secondary {
		if o.Kind == kind {
			out[o.Of] = o.Values
		}
	}
	return out
}

// Platform is the application and the components that may run it.
type Platform struct {
	Processes  []Process   `json:"processes"`
	Channels   []Channel   `json:"channels,omitempty"`
	Processors []Component `json:"processors"`
	Memories   []Component `json:"memories,omitempty"`
}

// Process is one task of the application.
type Process struct {
	Name string `json:"name"`
}

// Channel carries data between two processes, which are indexes into Platform.Processes.
type Channel struct {
	Name   string  `json:"name,omitempty"`
	From   int     `json:"from"`
	To     int     `json:"to"`
	Volume float64 `json:"volume,omitempty"` // relative; 0 when unknown
}

// Component is a processor or a memory. Two components of one type are two instances.
type Component struct {
	Name string `json:"name"` // of the instance: "ASIP-1"
	Type string `json:"type"` // "ASIP"
}

// Component is component c, numbered as in Mapping: a processor, or a memory behind them.
func (p *Platform) Component(c int) Component {
	if c < len(p.Processors) {
		return p.Processors[c]
	}
	return p.Memories[c-len(p.Processors)]
}

// Components is the number of processors and memories.
func (p *Platform) Components() int { return len(p.Processors) + len(p.Memories) }

// Unmapped marks a process or channel whose place the table does not tell.
const Unmapped = int16(-1)

// Mapping is the binding of each point. Components are numbered: the processors first, then the memories, so that a
// channel on a number below len(Processors) is internal to that processor.
type Mapping struct {
	Process [][]int16 // by process, of each point its processor
	Channel [][]int16 // by channel, of each point its processor or memory
}

// Generations are the lists of the generations in which each point was evaluated, from 0, growing and without
// repetition: those of point i are List[Start[i]:Start[i+1]]. The zero value: no generations are known.
type Generations struct {
	Start []int32 // one more than points; nil when no generations are known
	List  []int32
	Count int // one more than the last generation
}

// Known tells whether the table has generations.
func (g *Generations) Known() bool { return g.Start != nil }

// Of are the generations of point i, nil when none are known.
func (g *Generations) Of(i int) []int32 {
	if g.Start == nil {
		return nil
	}
	return g.List[g.Start[i]:g.Start[i+1]]
}

// First is the first generation of point i, 0 when none is known.
func (g *Generations) First(i int) int32 {
	if of := g.Of(i); len(of) > 0 {
		return of[0]
	}
	return 0
}

// Last is the last generation of point i, 0 when none is known.
func (g *Generations) Last(i int) int32 {
	if of := g.Of(i); len(of) > 0 {
		return of[len(of)-1]
	}
	return 0
}

// Label is what point i is called: its ID, or the number of its row, from 0, when the table has none.
func (s *Set) Label(i int) string {
	if s.ID != nil && s.ID[i] != "" {
		return s.ID[i]
	}
	if s.Row != nil {
		i = int(s.Row[i]) - 1
	}
	return strconv.Itoa(i)
}
