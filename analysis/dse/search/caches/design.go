package caches

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orrery/cachesim"
	"orrery/traceio/designs"
)

// MaxLevels is the largest number of levels that a design has.
const MaxLevels = 3

// Level is one level of a design. Size and Ways are parameters that its costs depend on; the rest decides how it is
// used.
type Level struct {
	Size     cachesim.Size
	Ways     int
	Policy   cachesim.Policy
	Write    cachesim.Write
	Prefetch cachesim.Prefetcher
}

// Design is a cache hierarchy for one processor: levels below each other, faster first, with blocks of one size.
type Design struct {
	Block  cachesim.Size
	Levels []Level
}

// String is the design in one line, which ParseDesign reads back: "64B | 32KiB/8 lru back | 1MiB/16 srrip back
// next-line".
func (d Design) String() string {
	text := d.Block.String()
	for _, l := range d.Levels {
		text += fmt.Sprintf(" | %v/%d %s %s", l.Size, l.Ways, l.Policy, l.Write)
		if l.Prefetch != cachesim.NoPrefetch {
			text += " " + string(l.Prefetch)
		}
	}
	return text
}

// ParseDesign reads what String writes.
func ParseDesign(text string) (Design, error) {
	parts := strings.Split(text, " | ")
	block, err := cachesim.ParseSize(parts[0])
	if err != nil || len(parts) < 2 || len(parts) > 1+MaxLevels {
		return Design{}, fmt.Errorf("%q is no cache hierarchy, such as %q", text, exampleDesign)
	}
	d := Design{Block: block}
	for _, part := range parts[1:] {
		l, err := parseLevel(part)
		if err != nil {
			return Design{}, fmt.Errorf("%q is no level of a cache hierarchy, such as %q: %w", part, exampleDesign, err)
		}
		d.Levels = append(d.Levels, l)
	}
	return d, d.config().Validate()
}

var exampleDesign = Design{64, []Level{{32 * cachesim.KiB, 8, cachesim.LRU, cachesim.Back, ""},
	{cachesim.MiB, 16, cachesim.SRRIP, cachesim.Back, cachesim.NextLine}}}.String()

func parseLevel(text string) (l Level, err error) {
	words := strings.Fields(text)
	if len(words) < 3 || len(words) > 4 {
		return l, fmt.Errorf("it has size/ways, policy, write mode and perhaps a prefetcher")
	}
	size, ways, _ := strings.Cut(words[0], "/")
	if l.Size, err = cachesim.ParseSize(size); err != nil {
		return l, err
	}
	if l.Ways, err = strconv.Atoi(ways); err != nil {
		return l, fmt.Errorf("%q is no number of ways", ways)
	}
	l.Policy, l.Write = cachesim.ParsePolicy(words[1]), cachesim.Write(words[2])
	if len(words) == 4 {
		l.Prefetch = cachesim.Prefetcher(words[3])
	}
	return l, nil
}

// levelNames are those of the levels in a configuration.
var levelNames = [MaxLevels]string{"L1D", "L2", "L3"}

// config is the design for the simulator, without latencies. Instruction fetches, where the recording has any, stay
// out: the first level is for data.
func (d Design) config() cachesim.Config {
	c := cachesim.Config{Name: d.String()}
	for i, l := range d.Levels {
		kind := cachesim.Unified
		if i == 0 {
			kind = cachesim.Data
		}
		c.Levels = append(c.Levels, cachesim.Level{Name: levelNames[i], Kind: kind, Size: l.Size, Ways: l.Ways,
			Block: d.Block, Policy: l.Policy, Write: l.Write, Prefetch: l.Prefetch})
	}
	return c
}

// Config is the design for the simulator and the cache view, with the access times of the table and of memory. The
// error is that of Costs.Of, or a *cachesim.FieldError.
func (d Design) Config(costs *Costs, memory Memory) (cachesim.Config, error) {
	c := d.config()
	c.Memory.Latency = memory.Time
	for i, l := range d.Levels {
		cost, err := costs.Of(l.Size, l.Ways, d.Block)
		if err != nil {
			return c, fmt.Errorf("%s: %w", levelNames[i], err)
		}
		c.Levels[i].Latency = cost.Access
	}
	return c, c.Validate()
}

// FromPoint is the design that a point of a table is: by its ID, or by its parameters, with the usual policy, when the
// table has lost it.
func FromPoint(set *designs.Set, i int) (Design, error) {
	if i < 0 || i >= set.N {
		return Design{}, fmt.Errorf("the table has no point %d", i)
	}
	if set.ID != nil && strings.Contains(set.ID[i], " | ") {
		return ParseDesign(set.ID[i])
	}
	value := func(name string) string {
		if j := slices.IndexFunc(set.Parameters, func(p designs.Parameter) bool { return p.Name == name }); j >= 0 {
			return set.Parameters[j].Values[set.Parameters[j].At[i]]
		}
		return none
	}
	text := value(blockName)
	for n := range MaxLevels {
		size := value(sizeName(n))
		if size == none {
			break
		}
		text += fmt.Sprintf(" | %s/%s %s %s", size, value(waysName(n)), cachesim.LRU, cachesim.Back)
	}
	d, err := ParseDesign(text)
	if err != nil {
		return d, fmt.Errorf("point %s is no cache hierarchy: %w", set.Label(i), err)
	}
	return d, nil
}

// ConfigOf is the hierarchy of a point of a table for the simulator and the cache view, with the shipped costs. The
// error says that the point is no cache hierarchy, or none that can be built.
func ConfigOf(set *designs.Set, i int, memory Memory) (cachesim.Config, error) {
	d, err := FromPoint(set, i)
	if err != nil {
		return cachesim.Config{}, err
	}
	return d.Config(DefaultCosts(), memory)
}

// The names of the parameters, and the value of those that a design does not have.
const (
	levelsName = "levels"
	blockName  = "block"
	none       = "none"
)

func sizeName(level int) string { return fmt.Sprintf("L%d size", level+1) }
func waysName(level int) string { return fmt.Sprintf("L%d ways", level+1) }
