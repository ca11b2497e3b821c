package cachesim

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MemoryName is the name of main memory where a level names what lies below it; no level may have it.
const MemoryName = "memory"

// Limits of what is simulated. A line's state is 16 bytes, and what finds it 8, so the largest hierarchy takes about
// 400 MB.
const (
	MaxLevels       = 64      // with those of every core
	MaxCores        = 32      //
	MaxLines        = 1 << 24 // of all levels together
	MinBlock        = 4       // two bits of a line's word hold its state
	MaxBlock        = 64 * KiB
	MinPage         = 64
	MaxPage         = GiB
	MaxVictimBlocks = 1 << 10 // they are searched one by one

	minPrefetchBlock = 8  // one more bit of a line's word: fetched ahead
	minCoreBlock     = 16 // and another: other cores may have it
)

// FieldError is a setting that cannot be. Level indexes Config.Levels, or Config.TLBs; -1 is the whole configuration.
// Field is the key of the file.
type FieldError struct {
	Level int
	Name  string // of the level or "memory", "" when it has none
	Field string
	Value string // as given, "" when missing
	Want  string // what would be right
	TLB   bool   // it is a TLB
}

// Error gives one sentence with field, value and what would be right.
func (e *FieldError) Error() string {
	where, table := "", "level"
	if e.TLB {
		table = "TLB"
	}
	switch {
	case e.Level >= 0 && e.Name != "":
		where = table + " " + e.Name + ": "
	case e.Level < 0 && e.Name != "":
		where = e.Name + ": "
	case e.Level >= 0:
		where = fmt.Sprintf("%s %d: ", table, e.Level+1)
	}
	if e.Value == "" {
		return where + e.Field + " is missing; " + e.Want
	}
	return where + e.Field + " = " + e.Value + " cannot be; " + e.Want
}

// Validate returns nil, or the first *FieldError in the order of the levels.
func (c Config) Validate() error {
	switch n := len(c.Levels); {
	case n == 0:
		return &FieldError{Level: -1, Field: "level",
			Want: "a hierarchy needs at least one [[level]] with name, kind, size, ways and block"}
	case c.Cores < 0 || c.Cores > MaxCores:
		return &FieldError{Level: -1, Field: "cores", Value: fmt.Sprint(c.Cores),
			Want: fmt.Sprintf("from 1 to %d are simulated", MaxCores)}
	case c.count() > MaxLevels:
		return &FieldError{Level: -1, Field: "level", Value: fmt.Sprint(c.count(), " levels"),
			Want: fmt.Sprintf("at most %d are simulated, those of every core counted", MaxLevels)}
	}
	lines := uint64(0)
	for i, l := range c.Levels {
		if err := c.checkLevel(i); err != nil {
			return err
		}
		if lines += uint64(l.Size/l.Block) * uint64(c.copies(l)); lines > MaxLines {
			return &FieldError{Level: i, Name: l.Name, Field: "size", Value: l.Size.String(),
				Want: fmt.Sprintf("all levels together may hold %d blocks; use a smaller size or a larger block", MaxLines)}
		}
	}
	if !isTime(c.Memory.Latency) {
		return &FieldError{Level: -1, Name: MemoryName, Field: "latency_ns", Value: fmt.Sprint(c.Memory.Latency),
			Want: "give nanoseconds, 0 or more, at most a day"}
	}
	if err := c.checkGraph(); err != nil {
		return err
	}
	return c.checkTLBs()
}

func (c Config) checkLevel(i int) error {
	l := c.Levels[i]
	bad := func(field string, value any, want string) error {
		return &FieldError{Level: i, Name: l.Name, Field: field, Value: fmt.Sprint(value), Want: want}
	}
	least, most := Size(MinBlock), MaxBlock
	if c.pages {
		least, most = MinPage, MaxPage
	}
	switch {
	case l.Name == "":
		return bad("name", "", `name it as people call it: "L1D"`)
	case !utf8.ValidString(l.Name) || strings.ContainsFunc(l.Name, unicode.IsControl):
		return &FieldError{Level: i, Field: "name", Value: quote(l.Name),
			Want: "a name is printed in tables; use printable characters"}
	case l.Name == MemoryName:
		return bad("name", quote(l.Name), `that is the name of what lies below the last level; choose another`)
	case l.Kind != Instruction && l.Kind != Data && l.Kind != Unified:
		return bad("kind", quote(string(l.Kind)), `it is "instruction", "data" or "unified"`)
	case l.Ways <= 0:
		return bad("ways", l.Ways, "a set has at least one way")
	case l.Ways > MaxLines:
		return bad("ways", l.Ways, fmt.Sprintf("all levels together may hold %d blocks", MaxLines))
	case l.Block < least || l.Block > most || bits.OnesCount64(uint64(l.Block)) != 1:
		return bad("block", l.Block, fmt.Sprintf("a block is a power of two from %v to %v", least, most))
	case l.Size == 0:
		return bad("size", l.Size, fmt.Sprintf("the smallest that fits block x ways is %v", l.Block*Size(l.Ways)))
	case l.Size > MaxLines*most:
		return bad("size", l.Size, fmt.Sprintf("all levels together may hold %d blocks", MaxLines))
	case l.Size%(l.Block*Size(l.Ways)) != 0:
		return bad("size", l.Size, sizeAdvice(l))
	case bits.OnesCount64(uint64(l.Sets())) != 1:
		return bad("size", fmt.Sprintf("%v makes %d sets, which", l.Size, l.Sets()),
			"sets are a power of two; "+sizeAdvice(l))
	case !isTime(l.Latency):
		return bad("latency_ns", l.Latency, "give nanoseconds, 0 or more, at most a day")
	}
	for j, other := range c.Levels[:i] {
		if other.Name == l.Name {
			return bad("name", quote(l.Name), fmt.Sprintf("level %d has that name already; names are unique", j+1))
		}
	}
	return c.checkBehaviour(i)
}

// checkBehaviour holds what a level does against what can be.
func (c Config) checkBehaviour(i int) error {
	l := c.Levels[i]
	bad := func(field, value, want string) error {
		return &FieldError{Level: i, Name: l.Name, Field: field, Value: value, Want: want}
	}
	switch {
	case l.Policy == MINPolicy:
		return c.checkMIN(i)
	case !slices.Contains(Policies(), l.policy()):
		return bad("policy", quote(string(l.Policy)), "the policies are "+list(append(Policies(), MINPolicy)))
	case l.Policy == TreePLRU && l.Ways&(l.Ways-1) != 0:
		return bad("policy", quote(string(l.Policy)),
			fmt.Sprintf("a binary tree has a power of two of ways, not %d; change ways, or use %q", l.Ways, BitPLRU))
	case l.Write != "" && !slices.Contains(Writes(), l.Write):
		return bad("write", quote(string(l.Write)), "it is "+list(Writes()))
	case l.Inclusion != "" && !slices.Contains(Inclusions(), l.Inclusion):
		return bad("inclusion", quote(string(l.Inclusion)), "it is "+list(Inclusions()))
	case !slices.Contains(Prefetchers(), l.Prefetch):
		return bad("prefetch", quote(string(l.Prefetch)), "it is "+list(Prefetchers()[1:])+"; without one, leave the key out")
	case l.Prefetch != "" && l.Block < minPrefetchBlock:
		return bad("prefetch", quote(string(l.Prefetch)), fmt.Sprintf("it takes blocks of %v or more, not %v",
			Size(minPrefetchBlock), l.Block))
	case l.VictimBlocks < 0 || l.VictimBlocks > MaxVictimBlocks:
		return bad("victim_blocks", fmt.Sprint(l.VictimBlocks),
			fmt.Sprintf("a victim buffer has up to %d blocks; 0 or no key means none", MaxVictimBlocks))
	case c.Cores > 1 && !l.Shared && !c.pages && l.Block < minCoreBlock:
		return bad("block", l.Block.String(), fmt.Sprintf("with more than one core it is %v or more", Size(minCoreBlock)))
	case l.Inclusion != Exclusive:
		return nil
	case l.Write == WriteThrough:
		return bad("write", quote(string(l.Write)),
			`an exclusive level keeps what leaves the levels above, dirty or not: write "back"`)
	case l.NoAllocate:
		return bad("allocate", "false",
			"an exclusive level allocates for what leaves the levels above only, and for that always; leave the key out")
	case l.Prefetch != "":
		return bad("prefetch", quote(string(l.Prefetch)),
			"an exclusive level has only what left the levels above; let the level above prefetch")
	case l.VictimBlocks != 0:
		return bad("victim_blocks", fmt.Sprint(l.VictimBlocks),
			"an exclusive level is a victim cache itself; write 0, or a larger size")
	}
	return nil
}

// checkMIN holds a level against what a policy can do that looks at all requests before the first of them is served.
func (c Config) checkMIN(i int) error {
	l := c.Levels[i]
	bad := func(field, value, want string) error {
		return &FieldError{Level: i, Name: l.Name, Field: field, Value: value, Want: want}
	}
	switch {
	case c.pages:
		return bad("policy", quote(string(MINPolicy)),
			"it knows the future, which is found for one cache alone; the policies of a TLB are "+list(Policies()))
	case len(c.Levels) > 1 || c.Cores > 1:
		return bad("policy", quote(string(MINPolicy)), "it knows the future, which is found for one level of one core "+
			"alone; leave the others out, or compare with --bound")
	case l.NoAllocate:
		return bad("allocate", "false",
			"MIN is the best of the policies that keep every block that they miss; leave the key out")
	case l.Prefetch != "":
		return bad("prefetch", quote(string(l.Prefetch)),
			"MIN knows when a block is asked for, not when it is fetched ahead; leave the key out")
	case l.VictimBlocks != 0:
		return bad("victim_blocks", fmt.Sprint(l.VictimBlocks),
			"MIN evicts what is asked for last, which a buffer would not help; leave the key out")
	case l.Write != "" && !slices.Contains(Writes(), l.Write):
		return bad("write", quote(string(l.Write)), "it is "+list(Writes()))
	case l.Inclusion != "" && !slices.Contains(Inclusions(), l.Inclusion):
		return bad("inclusion", quote(string(l.Inclusion)), "it is "+list(Inclusions()))
	}
	return nil
}

// list writes alternatives for people: "a", "b" or "c".
func list[T ~string](all []T) string {
	var s strings.Builder
	for i, x := range all {
		switch {
		case i == 0:
		case i == len(all)-1:
			s.WriteString(" or ")
		default:
			s.WriteString(", ")
		}
		s.WriteString(quote(string(x)))
	}
	return s.String()
}

// sizeAdvice names the nearest sizes that give a power of two of sets.
func sizeAdvice(l Level) string {
	unit := uint64(l.Block) * uint64(l.Ways)
	if uint64(l.Size) < unit {
		return fmt.Sprintf("it is a multiple of block x ways; with %d ways of %v the smallest is %d bytes",
			l.Ways, l.Block, unit)
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
		if err := c.checkEdge(i, n, l, c.Levels[n]); err != nil {
			return err
		}
	}
	for i, l := range c.Levels {
		if root[i] && (l.Inclusion == Inclusive || l.Inclusion == Exclusive) {
			return &FieldError{Level: i, Name: l.Name, Field: "inclusion", Value: quote(string(l.Inclusion)),
				Want: "it tells of the levels above, and there is none; leave the key out"}
		}
	}
	if err := c.checkPrivate(); err != nil {
		return err
	}
	return c.checkEntries(root)
}

// checkPrivate holds the levels that cores have of their own against each other.
func (c Config) checkPrivate() error {
	if c.Cores <= 1 || c.pages {
		return nil
	}
	first := -1
	for i, l := range c.Levels {
		switch {
		case l.Shared:
		case first < 0:
			first = i
		case l.Block != c.Levels[first].Block:
			return &FieldError{Level: i, Name: l.Name, Field: "block", Value: l.Block.String(),
				Want: fmt.Sprintf("cores exchange blocks of one size, and that of %s is %v", c.Levels[first].Name,
					c.Levels[first].Block)}
		}
	}
	return nil
}

// checkEdge holds level i against level n below it.
func (c Config) checkEdge(i, n int, l, below Level) error {
	bad := func(field, value, want string) error {
		return &FieldError{Level: n, Name: below.Name, Field: field, Value: value, Want: want}
	}
	switch {
	case below.Kind != Unified && below.Kind != l.Kind:
		return &FieldError{Level: i, Name: l.Name, Field: "next", Value: quote(below.Name),
			Want: fmt.Sprintf("that level is for %s only; name a unified level", below.Kind)}
	case below.Block < l.Block:
		return bad("block", below.Block.String(), fmt.Sprintf("blocks nest: below %s it is %v or a multiple", l.Name,
			l.Block))
	case below.Inclusion == Exclusive && below.Block != l.Block:
		return bad("block", below.Block.String(), fmt.Sprintf("an exclusive level exchanges blocks with %s, whose size is %v",
			l.Name, l.Block))
	case c.Cores > 1 && l.Shared && !below.Shared:
		return bad("shared", "false", fmt.Sprintf("it lies below %s, which all cores share; write true", l.Name))
	}
	return nil
}

func (c Config) checkEntries(root []bool) error {
	for _, k := range []Kind{Data, Instruction} {
		first := -1
		for i, l := range c.Levels {
			switch {
			case !root[i] || l.Kind != k && l.Kind != Unified || l.core > 1:
			case first < 0:
				first = i
			default:
				return &FieldError{Level: i, Name: l.Name, Field: "kind", Value: quote(string(l.Kind)),
					Want: fmt.Sprintf("%s references already enter at %s; set the next of a level above to %q, or change the kind", k,
						c.Levels[first].Name, l.Name)}
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
	bad := func(want string) (int, error) {
		return 0, &FieldError{Level: i, Name: c.Levels[i].Name, Field: "next", Value: quote(name), Want: want}
	}
	for j, l := range c.Levels {
		switch {
		case name == "" && j > i && l.Kind == Unified:
			return j, nil
		case name != "" && l.Name == name && j <= i:
			return bad("levels are listed from the fastest down; name one that follows")
		case name != "" && l.Name == name:
			return j, nil
		}
	}
	if name == "" {
		return len(c.Levels), nil
	}
	return bad("there is no level of that name; leave it out to mean the first unified level that follows")
}

func isTime(ns float64) bool { return ns >= 0 && ns <= mostLatency }

// mostLatency, a day in nanoseconds, keeps the sums over all references of a recording finite.
const mostLatency = 86_400e9

func quote(s string) string { return fmt.Sprintf("%q", s) }
