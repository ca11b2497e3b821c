// Package cachesim runs a recording's references through a simulated memory hierarchy. In go blocks of references and a
// Config; out come exact counts, one event per hit, miss, eviction and write-back, and, through a Replay, the full state
// of every level at any reference.
//
// Papers: Choudhury and Rosen, "Abstract Visualization of Runtime Memory Behavior" (the events, the cache temperature);
// Hill and Smith, "Evaluating Associativity in CPU Caches" (miss classes). Counting follows Dinero IV, so that numbers
// can be compared: a reference that crosses blocks is split, first part first with all its downstream traffic; on a miss
// the fetch comes first, then the write-back of the victim; a write that covers a whole block allocates without
// fetching; the fetch for a write miss is a read downstream; levels are neither inclusive nor exclusive.
package cachesim

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"orrery/traceio"
)

// Kind says which references a level takes.
type Kind string

// The kinds of level.
const (
	Instruction Kind = "instruction"
	Data        Kind = "data"
	Unified     Kind = "unified"
)

// Policy says which block of a full set leaves.
type Policy string

// The replacement policies: least recently used, and first in first out.
const (
	LRU  Policy = "lru"
	FIFO Policy = "fifo"
)

// Write says when a store reaches the level below.
type Write string

// Back: a store stays in the level and its block is written down when it is evicted.
const Back Write = "back"

// Inclusion says how a level's content relates to the levels above it.
type Inclusion string

// NINE is neither inclusive nor exclusive: a block fetched on a miss enters every level on its way, and no eviction
// touches another level.
const NINE Inclusion = "nine"

// Level configures one cache. The zero values of Policy, Write, Inclusion and NoAllocate mean lru, back, nine and
// allocation on a write miss.
type Level struct {
	Name         string
	Kind         Kind
	Size         Size // bytes of data: a multiple of Block*Ways with a power of two of sets
	Ways         int
	Block        Size // bytes, a power of two
	Policy       Policy
	Write        Write
	NoAllocate   bool // "allocate = false" in the file
	Inclusion    Inclusion
	Next         string // name of the level below, "memory", or "": the first unified level that follows
	Prefetch     string
	VictimBlocks int
	Latency      float64 // of a request to this level, nanoseconds
	Seed         int64
}

// Sets is the number of sets.
func (l Level) Sets() int {
	if l.Block == 0 || l.Ways <= 0 {
		return 0
	}
	return int(l.Size / l.Block / Size(l.Ways))
}

// String gives "L1D 32KiB 8-way 64B lru".
func (l Level) String() string {
	return fmt.Sprintf("%s %v %d-way %v %s", l.Name, l.Size, l.Ways, l.Block, l.policy())
}

func (l Level) policy() Policy {
	if l.Policy == "" {
		return LRU
	}
	return l.Policy
}

// MainMemory is what lies below the last level.
type MainMemory struct {
	Latency float64 // nanoseconds
}

// Config is a hierarchy: its levels, faster before slower, and the memory below them. It is a plain value; New and
// Validate refuse what cannot exist.
type Config struct {
	Name   string // of the preset or file, for people
	Levels []Level
	Memory MainMemory
}

// MemoryName is the name of main memory where a level names what lies below it; no level may have it.
const MemoryName = "memory"

// Limits of what is simulated. A line's state is 8 bytes, so the largest hierarchy takes 128 MB.
const (
	MaxLevels = 16
	MaxLines  = 1 << 24 // of all levels together
	MinBlock  = 4       // two bits of a line's word hold its state
	MaxBlock  = 64 * KiB
)

// FieldError is a setting that cannot be. Level indexes Config.Levels, -1 for the whole configuration; Field is the key of
// the file.
type FieldError struct {
	Level int
	Name  string // of the level or "memory", "" when it has none
	Field string
	Value string // as given, "" when missing
	Want  string // what would be right
}

// Error gives one sentence with field, value and what would be right.
func (e *FieldError) Error() string {
	where := ""
	switch {
	case e.Level >= 0 && e.Name != "":
		where = "level " + e.Name + ": "
	case e.Name == MemoryName:
		where = "memory: "
	case e.Level >= 0:
		where = fmt.Sprintf("level %d: ", e.Level+1)
	}
	if e.Value == "" {
		return where + e.Field + " is missing; " + e.Want
	}
	return where + e.Field + " = " + e.Value + " cannot be; " + e.Want
}

// Validate returns nil, or the first *FieldError in the order of the levels.
func (c Config) Validate() error {
	if len(c.Levels) == 0 {
		return &FieldError{-1, "", "level", "", "a hierarchy needs at least one [[level]] with name, kind, size, ways and block"}
	}
	if n := len(c.Levels); n > MaxLevels {
		return &FieldError{-1, "", "level", fmt.Sprint(n, " levels"), fmt.Sprintf("at most %d are simulated", MaxLevels)}
	}
	lines := uint64(0)
	for i, l := range c.Levels {
		if err := c.checkLevel(i); err != nil {
			return err
		}
		if lines += uint64(l.Size / l.Block); lines > MaxLines {
			return &FieldError{i, l.Name, "size", l.Size.String(), fmt.Sprintf("all levels together may hold %d blocks; use a smaller size or a larger block", MaxLines)}
		}
	}
	if !isTime(c.Memory.Latency) {
		return &FieldError{-1, MemoryName, "latency_ns", fmt.Sprint(c.Memory.Latency), "give nanoseconds, 0 or more"}
	}
	return c.checkGraph()
}

func (c Config) checkLevel(i int) error {
	l := c.Levels[i]
	bad := func(field string, value any, want string) error {
		return &FieldError{i, l.Name, field, fmt.Sprint(value), want}
	}
	switch {
	case l.Name == "":
		return bad("name", "", `name it as people call it: "L1D"`)
	case !utf8.ValidString(l.Name) || strings.ContainsFunc(l.Name, unicode.IsControl):
		return &FieldError{i, "", "name", quote(l.Name), "a name is printed in tables; use printable characters"}
	case l.Name == MemoryName:
		return bad("name", quote(l.Name), `that is the name of what lies below the last level; choose another`)
	case l.Kind != Instruction && l.Kind != Data && l.Kind != Unified:
		return bad("kind", quote(string(l.Kind)), `it is "instruction", "data" or "unified"`)
	case l.Ways <= 0:
		return bad("ways", l.Ways, "a set has at least one way")
	case l.Ways > MaxLines:
		return bad("ways", l.Ways, fmt.Sprintf("all levels together may hold %d blocks", MaxLines))
	case l.Block < MinBlock || l.Block > MaxBlock || bits.OnesCount64(uint64(l.Block)) != 1:
		return bad("block", l.Block, fmt.Sprintf("a block is a power of two from %v to %v", Size(MinBlock), MaxBlock))
	case l.Size == 0:
		return bad("size", l.Size, fmt.Sprintf("the smallest that fits block x ways is %v", l.Block*Size(l.Ways)))
	case l.Size > MaxLines*MaxBlock:
		return bad("size", l.Size, fmt.Sprintf("all levels together may hold %d blocks", MaxLines))
	case l.Size%(l.Block*Size(l.Ways)) != 0:
		return bad("size", l.Size, sizeAdvice(l))
	case bits.OnesCount64(uint64(l.Sets())) != 1:
		return bad("size", fmt.Sprintf("%v makes %d sets, which", l.Size, l.Sets()), "sets are a power of two; "+sizeAdvice(l))
	case !isTime(l.Latency):
		return bad("latency_ns", l.Latency, "give nanoseconds, 0 or more")
	}
	for j, other := range c.Levels[:i] {
		if other.Name == l.Name {
			return bad("name", quote(l.Name), fmt.Sprintf("level %d has that name already; names are unique", j+1))
		}
	}
	return checkBehaviour(i, l)
}

// checkBehaviour holds what a level does against what this simulator does.
func checkBehaviour(i int, l Level) error {
	bad := func(field, value, want string) error { return &FieldError{i, l.Name, field, value, want} }
	switch {
	case l.policy() != LRU && l.Policy != FIFO:
		return bad("policy", quote(string(l.Policy)), `the policies are "lru" and "fifo"`)
	case l.Write != "" && l.Write != Back:
		return bad("write", quote(string(l.Write)), `caches are simulated with write = "back"`)
	case l.NoAllocate:
		return bad("allocate", "false", "caches are simulated with allocate = true")
	case l.Inclusion != "" && l.Inclusion != NINE:
		return bad("inclusion", quote(string(l.Inclusion)), `levels are simulated with inclusion = "nine"`)
	case l.Prefetch != "":
		return bad("prefetch", quote(l.Prefetch), "caches are simulated without prefetching; leave the key out")
	case l.VictimBlocks != 0:
		return bad("victim_blocks", fmt.Sprint(l.VictimBlocks), "caches are simulated without a victim buffer; leave the key out or write 0")
	}
	return nil
}

// sizeAdvice names the nearest sizes that give a power of two of sets.
func sizeAdvice(l Level) string {
	unit := uint64(l.Block) * uint64(l.Ways)
	if uint64(l.Size) < unit {
		return fmt.Sprintf("it is a multiple of block x ways; with %d ways of %v the smallest is %d bytes", l.Ways, l.Block, unit)
	}
	low := unit << (bits.Len64(uint64(l.Size)/unit) - 1)
	return fmt.Sprintf("with %d ways of %v the nearest sizes are %v and %v", l.Ways, l.Block, Size(low), Size(low*2))
}

// checkGraph holds the edges against each other: every next exists, follows, nests and takes what it is sent, and each
// kind of reference enters at one place.
func (c Config) checkGraph() error {
	root := make([]bool, len(c.Levels))
	for i := range root {
		root[i] = true
	}
	for i, l := range c.Levels {
		n, err := c.next(i)
		if err != nil {
			return err
		}
		if n == len(c.Levels) {
			continue
		}
		root[n] = false
		below := c.Levels[n]
		if below.Kind != Unified && below.Kind != l.Kind {
			return &FieldError{i, l.Name, "next", quote(below.Name), fmt.Sprintf("that level is for %s only; name a unified level", below.Kind)}
		}
		if below.Block < l.Block {
			return &FieldError{n, below.Name, "block", below.Block.String(), fmt.Sprintf("blocks nest: below %s it is %v or a multiple", l.Name, l.Block)}
		}
	}
	for _, k := range []Kind{Data, Instruction} {
		first := -1
		for i, l := range c.Levels {
			switch {
			case !root[i] || l.Kind != k && l.Kind != Unified:
			case first < 0:
				first = i
			default:
				return &FieldError{i, l.Name, "kind", quote(string(l.Kind)),
					fmt.Sprintf("%s references already enter at %s; set the next of a level above to %q, or change the kind", k, c.Levels[first].Name, l.Name)}
			}
		}
	}
	return nil
}

// next resolves the level below i; len(c.Levels) is main memory.
func (c Config) next(i int) (int, error) {
	name := c.Levels[i].Next
	if name == MemoryName {
		return len(c.Levels), nil
	}
	for j, l := range c.Levels {
		switch {
		case name == "" && j > i && l.Kind == Unified:
			return j, nil
		case name != "" && l.Name == name && j <= i:
			return 0, &FieldError{i, c.Levels[i].Name, "next", quote(name), "levels are listed from the fastest down; name one that follows"}
		case name != "" && l.Name == name:
			return j, nil
		}
	}
	if name == "" {
		return len(c.Levels), nil
	}
	return 0, &FieldError{i, c.Levels[i].Name, "next", quote(name), "there is no level of that name; leave it out to mean the first unified level that follows"}
}

// Next is the index of the level below level i; len(c.Levels) stands for main memory. The configuration must be valid.
func (c Config) Next(i int) int {
	n, err := c.next(i)
	if err != nil {
		return len(c.Levels)
	}
	return n
}

// Entry is the index of the level where references of kind k enter, -1 when the hierarchy ignores them: fetches when no
// first level is for instructions.
func (c Config) Entry(k traceio.Kind) int {
	want := Data
	if k == traceio.Fetch {
		want = Instruction
	}
	root := make([]bool, len(c.Levels)+1)
	for i := range root {
		root[i] = true
	}
	for i := range c.Levels {
		root[c.Next(i)] = false
	}
	for i, l := range c.Levels {
		if root[i] && (l.Kind == want || l.Kind == Unified) {
			return i
		}
	}
	return -1
}

// Depth is the ring of level i, counted from the processor: 0 for the levels where references enter, otherwise one more
// than the deepest level above. Depth(len(c.Levels)) is that of main memory.
func (c Config) Depth(i int) int {
	d := 0
	for j := range c.Levels {
		if j != i && c.Next(j) == i {
			d = max(d, c.Depth(j)+1)
		}
	}
	return d
}

// Index is the index of the level with that name, len(c.Levels) for "memory", -1 when there is none.
func (c Config) Index(name string) int {
	if name == MemoryName {
		return len(c.Levels)
	}
	for i, l := range c.Levels {
		if l.Name == name {
			return i
		}
	}
	return -1
}

func isTime(ns float64) bool { return ns >= 0 && !math.IsInf(ns, 0) }

func quote(s string) string { return fmt.Sprintf("%q", s) }
