package session

import (
	"fmt"
	"math"
	"path"
	"strings"

	"orrery/analysis/heap"
	"orrery/views/words"
)

// Told says in sentences what one of AllocationTables comes to.
func (a *Allocating) Told(key string) []string {
	switch key {
	case "leaks":
		return []string{a.toldLeaks()}
	case "temporary":
		return []string{a.toldTemporaries()}
	case "threads":
		return []string{a.toldCrossings()}
	case "moves":
		return []string{a.toldChains()}
	case "errors":
		return a.toldErrors()
	case "use":
		if a.Usage == nil {
			return nil
		}
		told := a.Usage.Sentences(a.Heap, 3)
		if caveat := a.Usage.Caveat(a.Heap); caveat != "" {
			told = append(told, caveat)
		}
		return told
	case "order":
		return []string{a.toldBursts()}
	case "regions":
		return []string{a.toldCompact()}
	case "holes":
		return []string{a.toldHoles()}
	case "pins":
		return []string{a.toldPins()}
	case "latency":
		return []string{a.toldLatency()}
	case "against":
		if a.Baseline != nil {
			return a.toldChange()
		}
		return nil
	}
	return []string{a.toldSites()}
}

// portion is a share for people, rounded as in all tables and pictures: a half goes up.
func portion(part, whole uint64) string {
	return fmt.Sprintf("%.0f %%", math.Round(100*float64(part)/float64(max(whole, 1))))
}

func (a *Allocating) toldSites() string {
	h := a.Heap
	var sum uint64
	few := 0
	for few < len(h.Sites) && 10*sum < 9*h.TotalBytes {
		sum += h.Sites[few].Bytes
		few++
	}
	text := fmt.Sprintf("%s from %s ask for %s, at most %s at a time", words.Plural(h.Allocations, "call"),
		words.Plural(len(h.Sites), "place"), words.Bytes(h.TotalBytes), words.Bytes(h.PeakBytes))
	switch {
	case few < 1 || few == len(h.Sites):
		text += "."
	case few == 1:
		text += fmt.Sprintf("; %s alone for %s of it.", h.Sites[0].Name(), portion(sum, h.TotalBytes))
	default:
		text += fmt.Sprintf("; the first %d of them for %s of it.", few, portion(sum, h.TotalBytes))
	}
	switch doubted := h.ErrorCount(heap.HugeBlock) + h.ErrorCount(heap.NegativeSize); doubted {
	case 0:
		return text
	case 1:
		return text + " One call asks for what cannot be; it counts with no bytes."
	default:
		return text + fmt.Sprintf(" %s ask for what cannot be; they count with no bytes.", words.Plural(doubted, "call"))
	}
}

func (a *Allocating) toldLeaks() string {
	h, leaks := a.Heap, a.Heap.Leaks()
	if len(leaks) == 0 {
		return "Everything was freed."
	}
	growing := 0
	for i := range leaks {
		if leaks[i].Growing() {
			growing++
		}
	}
	text := fmt.Sprintf("%s with %s, %s of all that was asked for, never freed; most by %s.", words.Plural(h.LeakedBlocks,
		"block"), words.Bytes(h.LiveBytes), portion(h.LiveBytes, h.TotalBytes), a.siteWords(leaks[0].Site, leaks[0].Bytes))
	switch {
	case growing == 0:
		return text + " No leak grows through the run."
	case growing == 1:
		return text + " One leak grows through the run."
	}
	return text + fmt.Sprintf(" %d leaks grow through the run.", growing)
}

func (a *Allocating) toldTemporaries() string {
	h := a.Heap
	if h.Temporary == 0 {
		return "No block is freed by the next event of its thread."
	}
	most := 0
	for i := range h.Sites {
		if h.Sites[i].Temporary > h.Sites[most].Temporary {
			most = i
		}
	}
	return fmt.Sprintf("%s of %s, %s, are freed at once; most from %s (%s).", words.Count(h.Temporary),
		words.Plural(h.Allocations, "block"), portion(h.Temporary, h.Allocations), h.Sites[most].Name(),
		words.Count(h.Sites[most].Temporary))
}

func (a *Allocating) toldCrossings() string {
	h := a.Heap
	if h.Crossed == 0 && h.Threads <= 1 {
		return "The log tells of one thread only."
	}
	if h.Crossed == 0 {
		return "Every block that is freed is freed by the thread that allocated it."
	}
	c := h.Crossings()[0]
	return fmt.Sprintf("%s of %s, %s, are freed by another thread; most go from %s in thread %d to %s in thread %d.",
		words.Count(h.Crossed), words.Plural(h.Allocations, "block"), portion(h.Crossed, h.Allocations),
		h.Sites[c.Site].Name(), c.From, h.FreeSites[c.FreeSite].Name(), c.To)
}

func (a *Allocating) toldChains() string {
	chains := a.Heap.Chains()
	if len(chains) == 0 {
		return "The log tells of no reallocation."
	}
	var moves, copied, steps uint64
	for i := range chains {
		moves += uint64(chains[i].Moves)
		copied += chains[i].Copied
		steps += uint64(len(chains[i].Blocks) - 1)
	}
	text := fmt.Sprintf("%s of %s; %s moved it and copied %s.", words.Plural(steps, "reallocation"),
		words.Plural(len(chains), "buffer"), words.Count(moves), words.Bytes(copied))
	if len(chains) > mostRows {
		text += fmt.Sprintf(" The first %s are listed.", words.Count(mostRows))
	}
	return text
}

func (a *Allocating) toldErrors() []string {
	h := a.Heap
	var parts []string
	total := uint64(0)
	for k := heap.DoubleFree; k <= heap.BackInTime; k++ {
		if n := h.ErrorCount(k); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", words.Count(n), k))
			total += n
		}
	}
	if total == 0 {
		return []string{"The log has no event that a correct program and a complete log cannot have."}
	}
	text := "The log has " + strings.Join(parts, ", ") + "."
	if listed := min(len(h.Errors), mostRows); total > uint64(listed) {
		text += fmt.Sprintf(" The first %s are listed.", words.Count(listed))
	}
	return []string{text}
}

// toldChange says how this run differs from the other one.
func (a *Allocating) toldChange() []string {
	c := a.Baseline
	other := path.Base(a.Than)
	was := func(what string, now, before uint64, write func(uint64) string) string {
		if now == before {
			return fmt.Sprintf("%s %s, as there", what, write(now))
		}
		text := fmt.Sprintf("%s %s instead of %s", what, write(now), write(before))
		if before > 0 {
			text += fmt.Sprintf(" (%s)", percent(now, before))
		}
		return text
	}
	calls := func(n uint64) string { return words.Count(n) }
	out := []string{fmt.Sprintf("Against %s: %s, %s, %s, %s.", other, was("calls", c.New.Allocations, c.Old.Allocations,
		calls), was("bytes", c.New.TotalBytes, c.Old.TotalBytes, words.Bytes),
		was("peak", c.New.PeakBytes, c.Old.PeakBytes, words.Bytes), was("never freed", c.New.LiveBytes,
			c.Old.LiveBytes, words.Bytes))}
	var up, down []string
	for i := range c.Sites {
		x := &c.Sites[i]
		switch g := x.Grown(); {
		case g > 0 && len(up) < 2:
			up = append(up, fmt.Sprintf("%s by %s", x.Name, words.Bytes(uint64(g))))
		case g < 0 && len(down) < 2:
			down = append(down, fmt.Sprintf("%s by %s", x.Name, words.Bytes(uint64(-g))))
		}
	}
	switch {
	case len(up) > 0 && len(down) > 0:
		out = append(out, "Most grew "+strings.Join(up, " and ")+"; most shrank "+strings.Join(down, " and ")+".")
	case len(up) > 0:
		out = append(out, "Most grew "+strings.Join(up, " and ")+"; nothing shrank.")
	case len(down) > 0:
		out = append(out, "Most shrank "+strings.Join(down, " and ")+"; nothing grew.")
	default:
		out = append(out, "Every place asks for as many bytes as there.")
	}
	return out
}

// percent is how much more something is than it was: "+12 %", "×40".
func percent(now, before uint64) string {
	p := 100 * (float64(now)/float64(before) - 1)
	if p >= 900 {
		return fmt.Sprintf("×%.0f", float64(now)/float64(before))
	}
	text := fmt.Sprintf("%+.*f %%", decimals(p), p)
	return strings.Replace(text, "-", "−", 1)
}

func decimals(p float64) int {
	if math.Abs(p) < 9.95 {
		return 1
	}
	return 0
}
