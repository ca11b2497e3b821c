package cachesim

import (
	"fmt"
	"strings"

	"orrery/traceio"
)

// PerCore is the configuration that a hierarchy of several cores really has: in the place of each level that is not
// Shared one for every core, named "L1D#0", "L1D#1" and so on. With one core it is c. Hierarchy, Replay, State and
// Event speak of its levels.
func (c Config) PerCore() Config {
	if c.Cores <= 1 || c.perCore() {
		return c
	}
	out := c
	out.Levels, out.TLBs = nil, nil
	for i, l := range c.Levels {
		n := c.Next(i)
		l.Next = MemoryName
		private := false // what lies below
		if n < len(c.Levels) {
			l.Next, private = c.Levels[n].Name, !c.Levels[n].Shared
		}
		if l.Shared {
			out.Levels = append(out.Levels, l)
			continue
		}
		for core := range c.Cores {
			own := l
			own.core, own.Name = core+1, coreName(l.Name, core)
			own.Seed += int64(core)
			if private {
				own.Next = coreName(l.Next, core)
			}
			out.Levels = append(out.Levels, own)
		}
	}
	out.TLBs = c.TLBs
	return out
}

func coreName(name string, core int) string { return fmt.Sprintf("%s#%d", name, core) }

// perCore tells whether the levels are those of PerCore already.
func (c Config) perCore() bool {
	for _, l := range c.Levels {
		if l.core > 0 {
			return true
		}
	}
	return false
}

// forAll undoes PerCore.
func (c Config) forAll() Config {
	if !c.perCore() {
		return c
	}
	levels := c.Levels
	c.Levels = nil
	for _, l := range levels {
		if l.core > 1 {
			continue
		}
		if l.core == 1 {
			l.Name, l.Next = strings.TrimSuffix(l.Name, "#0"), strings.TrimSuffix(l.Next, "#0")
		}
		l.core = 0
		c.Levels = append(c.Levels, l)
	}
	return c
}

// WithCores is the configuration for so many cores. When it says of no level that it is shared, the last one becomes
// so, if a level lies above it.
func (c Config) WithCores(n int) Config {
	c = c.forAll()
	c.Cores = n
	c.Levels = append([]Level(nil), c.Levels...)
	for _, l := range c.Levels {
		if l.Shared {
			return c
		}
	}
	if last := len(c.Levels) - 1; last > 0 && c.Depth(last) > 0 {
		c.Levels[last].Shared = true
	}
	return c
}

// CoreCount is the number of cores, at least 1.
func (c Config) CoreCount() int { return max(1, c.Cores) }

// copies is how often a level is there.
func (c Config) copies(l Level) int {
	if l.Shared || l.core > 0 {
		return 1
	}
	return c.CoreCount()
}

// count is the number of levels with those of every core.
func (c Config) count() int {
	n := 0
	for _, l := range c.Levels {
		n += c.copies(l)
	}
	return n
}

// Core is the core whose thread t of the recording is.
func (c Config) Core(t traceio.Thread) int { return int(t) % c.CoreCount() }

// CoreOf is the core to which level i of PerCore belongs, -1 when all share it.
func (c Config) CoreOf(i int) int { return c.Levels[i].core - 1 }

// EntryOf is Entry for a core.
func (c Config) EntryOf(core int, k traceio.Kind) int {
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
		if root[i] && (l.Kind == want || l.Kind == Unified) && (l.core == 0 || l.core == core+1) {
			return i
		}
	}
	return -1
}

// Enters tells whether references enter at level i.
func (c Config) Enters(i int) bool {
	for core := range c.CoreCount() {
		if c.EntryOf(core, traceio.Load) == i || c.EntryOf(core, traceio.Fetch) == i {
			return true
		}
	}
	return false
}
