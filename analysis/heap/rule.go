package heap

import (
	"fmt"
	"math"
	"strings"

	"orrery/traceio"
)

// Rule tells which bin a block belongs to. It is one word, or clauses of which the first that fits a block names its
// bin:
//
//	glibc                     size classes of glibc's allocator, and what is larger
//	arenas                    main arena, the threads' arenas, blocks that were mapped one by one
//	pools                     stretches of addresses without a gap of a MiB
//	threads, sites            the thread, the place that allocates
//	sizes 64 256 4K           bytes asked for up to 64, up to 256, up to 4096, and more
//
//	# clauses: one a line, or with semicolons between
//	small: size <= 64
//	nodes: size = 24..40 and site list.c
//	late:  thread > 0 and lifetime >= 1M
//	big:   mapped
//
// A clause's name stands in front of a colon; without one it is called by its text. Its tests are a property (size,
// usable, waste, thread, lifetime, address, arena) with <, <=, =, !=, >=, > and a number, which may be 0x10 or 64K or a
// range A..B; "site WORD" for a place whose name or function has the word in it; "mapped"; and "*" for every block.
// What no clause wants is in the bin "other".
type Rule struct {
	Text    string
	kind    ruleKind
	limits  []uint64 // of sizes
	clauses []clause
}

type ruleKind uint8

const (
	bySizeClass ruleKind = iota
	byArena
	byPool
	byThread
	bySite
	bySize
	byClause
)

var ruleWords = map[string]ruleKind{"glibc": bySizeClass, "arenas": byArena, "pools": byPool, "threads": byThread,
	"sites": bySite, "sizes": bySize}

var glibc = &Rule{Text: "glibc"}

// maxBins bounds the bins of a rule; what would be in later ones is in the last.
const maxBins = 1000

type clause struct {
	name  string
	tests []test
}

// test is one condition: low <= property <= high, or not.
type test struct {
	property  property
	low, high uint64
	not       bool
	word      string // of a site
}

type property uint8

const (
	everything property = iota
	sizeOf
	usableBytes
	wasteOf
	threadOf
	lifetimeOf
	addressOf
	arenaOf
	mappedOnly
	siteWord
)

var properties = map[string]property{"size": sizeOf, "usable": usableBytes, "waste": wasteOf, "thread": threadOf,
	"lifetime": lifetimeOf,
	"address":  addressOf, "arena": arenaOf, "mapped": mappedOnly, "site": siteWord, "*": everything}

// classes are the bins that the rule can have, and which a block belongs to.
func (r *Rule) classes(h *Heap) (names []string, of func(id int, b *Block) int) {
	switch r.kind {
	case byArena:
		p := findArenas(h)
		return p.names(), func(_ int, b *Block) int { return min(p.of(b), maxBins-1) }
	case byPool:
		for i := range min(len(h.Spans), maxBins) {
			names = append(names, h.Spans[i].Low.String())
		}
		return names, func(_ int, b *Block) int { return min(h.pool(b.Low), maxBins-1) }
	case byThread:
		for i := range min(h.Threads, maxBins) {
			names = append(names, fmt.Sprintf("thread %d", i))
		}
		return names, func(_ int, b *Block) int { return min(int(b.Thread), maxBins-1) }
	case bySite:
		for i := range min(len(h.Sites), maxBins) {
			names = append(names, h.Sites[i].Name())
		}
		return names, func(_ int, b *Block) int { return min(int(b.Site), maxBins-1) }
	case bySize:
		for _, limit := range r.limits {
			names = append(names, fmt.Sprintf("to %d B", limit))
		}
		return append(names, "larger"), func(_ int, b *Block) int {
			i := 0
			for i < len(r.limits) && b.Size > r.limits[i] {
				i++
			}
			return i
		}
	case byClause:
		return r.clauseClasses(h)
	}
	names = make([]string, classes)
	return names, func(_ int, b *Block) int { return binOf(b.Usable()) }
}

func (r *Rule) clauseClasses(h *Heap) (names []string, of func(id int, b *Block) int) {
	for i := range r.clauses {
		names = append(names, r.clauses[i].name)
	}
	p := findArenas(h)
	sites := make([][]bool, 0) // by test in the order of the clauses: which sites have its word
	for i := range r.clauses {
		for _, t := range r.clauses[i].tests {
			if t.property != siteWord {
				continue
			}
			has := make([]bool, len(h.Sites))
			for s := range h.Sites {
				site := &h.Sites[s]
				has[s] = strings.Contains(site.Name(), t.word) || strings.Contains(site.Function, t.word)
			}
			sites = append(sites, has)
		}
	}
	return append(names, "other"), func(_ int, b *Block) int {
		next := 0
		for i := range r.clauses {
			fits := true
			for k := range r.clauses[i].tests {
				t := &r.clauses[i].tests[k]
				if t.property == siteWord {
					fits = fits && sites[next][b.Site] != t.not
					next++
				} else {
					fits = fits && t.holds(b, p)
				}
			}
			if fits {
				return i
			}
		}
		return len(r.clauses)
	}
}

func (t *test) holds(b *Block, p *arenas) bool {
	v := uint64(0)
	switch t.property {
	case everything:
		return true
	case mappedOnly:
		return mapped(b) != t.not
	case sizeOf:
		v = b.Size
	case usableBytes:
		v = b.Usable()
	case wasteOf:
		v = b.Waste()
	case threadOf:
		v = uint64(b.Thread)
	case lifetimeOf:
		v = uint64(b.To - b.From)
	case addressOf:
		v = uint64(b.Low)
	case arenaOf:
		n := p.of(b)
		if v = uint64(n); n == len(p.list)+1 {
			return t.not // a mapped block is in no arena
		}
	}
	return (v >= t.low && v <= t.high) != t.not
}

// pool is the index of the span that an address lies in.
func (h *Heap) pool(a traceio.Addr) int {
	low, high := 0, len(h.Spans)
	for low < high {
		if mid := (low + high) / 2; h.Spans[mid].High > a {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return min(low, len(h.Spans)-1)
}

// arenas tells glibc's arenas apart: the main one is the pool in which the first block stands, and grows with brk;
// every other is made of heaps of at most 64 MiB at multiples of 64 MiB. They are numbered as they come into use.
type arenas struct {
	main Span
	list []uint64 // number of the 64 MiB
	at   map[uint64]int
}

const arenaBits = 26

func findArenas(h *Heap) *arenas {
	p := &arenas{at: map[uint64]int{}}
	for id := range h.Count() {
		if b := h.Block(id); !mapped(&b) {
			p.main = h.Spans[h.pool(b.Low)]
			break
		}
	}
	for id := range h.Count() {
		b := h.Block(id)
		key := uint64(b.Low) >> arenaBits
		if mapped(&b) || p.inMain(&b) || len(p.list) >= maxBins {
			continue
		}
		if _, ok := p.at[key]; !ok {
			p.list = append(p.list, key)
			p.at[key] = len(p.list)
		}
	}
	return p
}

func (p *arenas) inMain(b *Block) bool { return b.Low >= p.main.Low && b.Low < p.main.High }

// of is 0 for the main arena, a thread's arena from 1 on, and one more than there are for a block that was mapped.
func (p *arenas) of(b *Block) int {
	switch {
	case mapped(b):
		return len(p.list) + 1
	case p.inMain(b):
		return 0
	}
	return p.at[uint64(b.Low)>>arenaBits]
}

func (p *arenas) names() []string {
	names := []string{"main arena"}
	for i := range p.list {
		names = append(names, fmt.Sprintf("arena %d", i+1))
	}
	return append(names, "mapped")
}

// mapped tells whether a block has a mapping of its own: glibc maps what is 128 KiB or more (the limit rises as such
// blocks are freed) in whole pages and uses the first 16 bytes itself.
func mapped(b *Block) bool {
	const page, head, least = 4096, 16, 128 << 10
	return b.Low%page == head && b.Usable() >= least-head && ((b.Usable()+head)%page == 0 || b.waste < chunkAlign)
}

// String is the rule's text.
func (r *Rule) String() string { return r.Text }

const anyNumber = math.MaxUint64
