package session

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"orrery/cachesim"
	"orrery/traceio"
)

// DataLevels are the indexes of the levels that a data reference of any core passes, fastest first.
func DataLevels(c cachesim.Config) []int {
	var out []int
	for core := range max(1, c.Cores) {
		for i := c.EntryOf(core, traceio.Load); i >= 0 && i < len(c.Levels); i = c.Next(i) {
			if !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(c.Depth(a), c.Depth(b)) })
	return out
}

// Fitting is the size nearest to what is wanted that a level with its ways and blocks can have: a power of two of sets.
func Fitting(l cachesim.Level, want cachesim.Size) cachesim.Size {
	unit := max(1, l.Block*cachesim.Size(max(1, l.Ways)))
	if want <= unit {
		return unit
	}
	low := unit << (bits.Len64(uint64(want/unit)) - 1)
	if float64(want) > math.Sqrt2*float64(low) {
		low *= 2
	}
	return low
}

// WithSize is a hierarchy in which level i has another size. A name that says what it was no longer does.
func WithSize(c cachesim.Config, i int, size cachesim.Size) cachesim.Config {
	c.Levels = slices.Clone(c.Levels)
	c.Levels[i].Size = size
	c.Name = Edited(c.Name)
	return c
}

// Edited is the name of what was made from a preset or file.
func Edited(name string) string {
	const mark = ", changed"
	if strings.HasSuffix(name, mark) {
		return name
	}
	return name + mark
}

// Resize is the hierarchy with the size given to that level of the data's way whose size is nearest, and which level
// that is.
func Resize(c cachesim.Config, size cachesim.Size) (cachesim.Config, int) {
	best, least := -1, math.Inf(1)
	for _, i := range DataLevels(c) {
		if d := math.Abs(math.Log(float64(c.Levels[i].Size) / float64(max(1, size)))); d < least {
			best, least = i, d
		}
	}
	if best < 0 {
		return c, -1
	}
	return WithSize(c, best, Fitting(c.Levels[best], size)), best
}
