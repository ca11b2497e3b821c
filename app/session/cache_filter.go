package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orrery/analysis/region"
	"orrery/traceio"
	"orrery/traceio/symbols"
	"orrery/views/rings"
)

// CacheFilter chooses which glyphs the caches' picture shows; the simulation still sees every reference. In its
// patterns
// * stands for any text and ? for one character.
type CacheFilter struct {
	Memory []string // variables and regions by name, as region.Map.Filter takes them; none chooses all
	// source lines ("bubble.c:12", "bubble.c:*") or functions by name, instructions by address ("0x48c2a6"); none chooses
	// all
	Lines []string
}

// lineWord stands before the patterns of lines in the text of a filter.
const lineWord = "line "

// ParseCacheFilter reads what people type: patterns separated by commas, those of lines after the word "line":
// "A, B*, line multiply, line matmul.c:1*".
func ParseCacheFilter(text string) CacheFilter {
	var f CacheFilter
	for _, p := range strings.Split(text, ",") {
		p = strings.TrimSpace(p)
		if line, ok := strings.CutPrefix(p, lineWord); ok {
			f.Lines = append(f.Lines, strings.TrimSpace(line))
		} else if p != "" {
			f.Memory = append(f.Memory, p)
		}
	}
	return f
}

// String is the text that ParseCacheFilter reads, "" for the filter that chooses all.
func (f CacheFilter) String() string {
	all := append([]string(nil), f.Memory...)
	for _, p := range f.Lines {
		all = append(all, lineWord+p)
	}
	return strings.Join(all, ", ")
}

// All tells whether the filter leaves nothing out.
func (f CacheFilter) All() bool { return len(f.Memory)+len(f.Lines) == 0 }

// chosen is a filter with its names looked up.
type chosen struct {
	memory *region.Filter // nil is all
	lines  []bool         // by number of the line; nil is all
	pcs    map[traceio.Addr]bool
}

// CheckFilter tells what is wrong with a filter: the first pattern that nothing is called by.
func (r *Recording) CheckFilter(f CacheFilter) error {
	_, err := r.choose(f)
	return err
}

func (r *Recording) choose(f CacheFilter) (c chosen, err error) {
	if len(f.Memory) > 0 {
		if c.memory, err = r.Regions.Filter(f.Memory); err != nil {
			return c, err
		}
	}
	if len(f.Lines) == 0 {
		return c, nil
	}
	c.lines = make([]bool, r.Lines.Len())
	for _, p := range f.Lines {
		pc, found := r.instruction(p)
		if found {
			if c.pcs == nil {
				c.pcs = map[traceio.Addr]bool{}
			}
			c.pcs[pc] = true
		}
		for i := range c.lines {
			l := r.Lines.At(int32(i))
			if symbols.Match(p, l.Name()) || symbols.Match(p, ShortName(l)) || symbols.Match(p, l.Function) {
				c.lines[i], found = true, true
			}
		}
		if !found {
			return c, fmt.Errorf("no line or function is called %q; lines are named as in bubble.c:12, * stands for anything", p)
		}
	}
	return c, nil
}

// instruction is the one at the address that a pattern is, and whether it makes references.
func (r *Recording) instruction(pattern string) (traceio.Addr, bool) {
	digits, ok := strings.CutPrefix(pattern, "0x")
	at, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil {
		return 0, false
	}
	_, ok = slices.BinarySearch(r.PCs(), traceio.Addr(at))
	return traceio.Addr(at), ok
}

// FilterItems marks, by item, what the filter leaves out: an item stays when some reference that the filter chooses
// touches it. nil when the filter chooses all. report is told blocks.
func (r *Recording) FilterItems(ctx context.Context, items *rings.Items, f CacheFilter,
	report func(done, total int64)) ([]bool, error) {
	c, err := r.choose(f)
	if err != nil || f.All() {
		return nil, err
	}
	hidden := items.None()
	keep := make([]bool, traceio.MaxBlock)
	ids := make([]int32, traceio.MaxBlock)
	look := r.Lines.Lookup()
	err = r.eachBlock(ctx, report, func(b *traceio.Block) {
		n := b.Len()
		if c.memory != nil {
			c.memory.Keep(b, keep[:n])
		}
		if c.lines != nil {
			look.Classify(b, ids[:n])
		}
		for row, a := range b.Addr {
			if b.Kind[row] == traceio.Fetch || c.memory != nil && !keep[row] || c.lines != nil &&
				(ids[row] < 0 || !c.lines[ids[row]]) && !c.pcs[b.PC[row]] {
				continue
			}
			items.Show(hidden, a, uint64(b.Size[row]))
		}
	})
	if err != nil {
		return nil, err
	}
	return hidden, nil
}
