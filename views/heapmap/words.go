package heapmap

import (
	"fmt"
	"path"
	"strconv"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/views/words"
)

// trim is a number with at most two decimals and no trailing zeros.
func trim(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

// Describe tells all about a block in lines for a tooltip: sizes, who allocated and freed it, how long it lived and was
// used, where it lies.
func Describe(s State, id int) []string {
	if s.Heap == nil || id < 0 || id >= s.Heap.Count() {
		return nil
	}
	b := s.Heap.Block(id)
	unit := s.Heap.Axis.Unit()
	first := "block #" + strconv.Itoa(id) + "   "
	doubted := s.Heap.Doubted(id)
	switch {
	case doubted != nil:
		first += Asked(doubted.Size) + ", " + doubted.Doubt()
	case s.Heap.Estimated:
		first += words.Bytes(b.Size)
	case b.Waste() > 0:
		first += words.Bytes(b.Usable()) + ", asked for " + words.Count(b.Size)
	default:
		first += words.Bytes(b.Size)
	}
	lines := []string{first, s.ends(b)}
	lived := "lived " + words.Count(uint64(b.To-b.From)) + " " + unit
	if b.Leaked {
		lived = "live for " + words.Count(uint64(b.To-b.From)) + " " + unit + ", to the end"
	}
	if alloc, _ := s.Heap.Latencies(id); alloc > 0 {
		lived += ", answered in " + nanoseconds(float64(alloc))
	}
	lines = append(lines, lived)
	if touched := s.touched(b, id); touched != "" {
		lines = append(lines, touched)
	}
	where := ownAddr(s.Heap, b.Low) + ", from " + words.Count(uint64(b.From))
	if !b.Leaked {
		where += " to " + words.Count(uint64(b.To))
	}
	if k, _ := s.Heap.Process(b.Low); s.Heap.Processes() != nil {
		where += ", " + processName(s.Heap, k)
	} else if s.Heap.Threads > 1 {
		where += ", thread " + strconv.Itoa(int(b.Thread))
		if b.Crossed() {
			where += ", freed by thread " + strconv.Itoa(int(b.FreeThread))
		}
	}
	return append(lines, where)
}

// DescribeError tells about error i of the log in lines for a tooltip.
func DescribeError(s State, i int) []string {
	e := &s.Heap.Errors[i]
	what := e.What()
	switch {
	case e.Kind == heap.Overlap:
		what = words.Plural(e.Size, "byte") + " " + what
	case e.Doubt() != "":
		what = "allocated with " + Asked(e.Size) + ", " + e.Doubt()
	}
	at := "at " + words.Count(uint64(e.At)) + " " + s.Heap.Axis.Unit() + ", thread " + strconv.Itoa(int(e.Thread))
	lines := []string{ownAddr(s.Heap, e.Addr) + " " + what, at}
	if caller := s.Heap.Caller(e.Stack); caller.Where() != "" {
		lines[1] += ", by " + place(&caller)
	}
	if s.stray(e) && e.Block < 0 {
		lines = append(lines, "nothing was ever allocated there")
	}
	if e.Block >= 0 {
		b := s.Heap.Block(e.Block)
		lines = append(lines, fmt.Sprintf("block #%d, %s", e.Block, s.ends(b)))
	}
	return lines
}

// Asked says how many bytes an event of a log asks for, with the sign that it means: "32 bytes", "−16 bytes".
func Asked(size uint64) string {
	if size >= 1<<63 {
		return "−" + words.Plural(-size, "byte")
	}
	return words.Plural(size, "byte")
}

// processName is "process 4711  ls"; a forked one has no name of its own.
func processName(h *heap.Heap, k int) string {
	p := h.Processes()[k]
	name := "process " + strconv.FormatUint(p.ID, 10)
	if len(p.Command) > 0 {
		name += "  " + path.Base(p.Command[0])
	}
	return name
}

// ownAddr is an address as its process has it.
func ownAddr(h *heap.Heap, a traceio.Addr) string {
	_, own := h.Process(a)
	return own.String()
}

// ends says who allocated a block, and who freed it.
func (s *State) ends(b heap.Block) string {
	from := place(&s.Heap.Sites[b.Site])
	switch {
	case b.Leaked:
		return from + ", never freed"
	case s.Heap.FreeSite(b) < 0:
		return from + " to a free that the log has lost"
	}
	return from + " to " + place(&s.Heap.FreeSites[s.Heap.FreeSite(b)])
}

// touched says how often a block was used, how long it waited for that and was kept after it, and how much of it never
// was; nothing where that is not known.
func (s *State) touched(b heap.Block, id int) string {
	if id >= len(s.Use) {
		return ""
	}
	u := &s.Use[id]
	if u.References() == 0 {
		return "touched by no recorded reference"
	}
	t := "touched " + words.Count(u.References()) + "×"
	lag, drag := idle(s.Heap, b, u)
	if lag > 0 {
		t += ", first use after " + words.Count(uint64(lag))
	}
	if !b.Leaked && drag > 0 {
		t += ", last use " + words.Count(uint64(drag)) + " before free"
	}
	if touched := NeverTouched(s.Heap, s.Usage, id); touched != "" {
		t += ", " + touched
	}
	return t
}

// NeverTouched says how many bytes of a block that is used no recorded reference reached; "" while that is not known.
func NeverTouched(h *heap.Heap, u *heap.Usage, id int) string {
	if u == nil || id >= len(u.Blocks) || h.Size(id) == 0 {
		return ""
	}
	never := h.Size(id) - min(h.Size(id), u.Blocks[id].Touched)
	if never == 0 {
		return "every byte touched"
	}
	return "no recorded reference to " + words.Bytes(never)
}

// place is a site as "list_push  list.c:22".
func place(s *heap.Site) string {
	f := traceio.ShortFunction(s.Function)
	if s.File == "" || s.Line == 0 {
		if f != "" {
			return f
		}
		return s.Name()
	}
	at := path.Base(s.File) + ":" + strconv.Itoa(s.Line)
	if f == "" {
		return at
	}
	return f + "  " + at
}
