package session

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"orrery/assets"
	"orrery/cachesim"
	"orrery/views/words"
)

// Field is one setting of a level or a TLB in a form. Key is that of the configuration file.
type Field struct {
	Key, Title, Tip string
	Choices         func(f *HierarchyForm) []string // nil: any text
}

// The settings that are chosen from a few words.
func fixed[T ~string](words ...T) func(*HierarchyForm) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return func(*HierarchyForm) []string { return out }
}

// none stands in a form for what a configuration file leaves out.
const (
	none     = "none"
	standard = "next unified"
	yes, no  = "yes", "no"
)

func prefetchers() []string {
	out := []string{none}
	for _, p := range cachesim.Prefetchers() {
		if p != cachesim.NoPrefetch {
			out = append(out, string(p))
		}
	}
	return out
}

// LevelFields and TLBFields are the settings, in the order of the form.
var (
	LevelFields = []Field{
		{"name", "name", "as people call it: L1D", nil},
		{"kind", "takes", "which references enter here", fixed(cachesim.Instruction, cachesim.Data, cachesim.Unified)},
		{"size", "size", "bytes of data: 512, 32KiB, 2MiB", nil},
		{"ways", "ways", "blocks in a set", nil},
		{"block", "block", "bytes of a block, a power of two", nil},
		{"policy", "policy", "which block of a full set leaves", fixed(append(cachesim.Policies(), cachesim.MINPolicy)...)},
		{"write", "write", "back: stores stay until the block leaves; through: they go on at once",
			fixed(cachesim.Writes()...)},
		{"allocate", "allocate", "does a store that misses fetch its block?", fixed(yes, no)},
		{"inclusion", "inclusion", "inclusive: has all that is above; exclusive: nothing of it; nine: neither",
			fixed(cachesim.Inclusions()...)},
		{"next", "below", "where misses go", (*HierarchyForm).below},
		{"prefetch", "prefetch", "what is fetched before anybody asks", fixed(prefetchers()...)},
		{"victim_blocks", "victims", "blocks of a buffer for what leaves; 0 is none", nil},
		{"shared", "shared", "one for all cores", fixed(no, yes)},
		{"latency_ns", "ns", "nanoseconds of a request", nil},
		{"seed", "seed", "of the policies random and brrip", nil},
	}
	TLBFields = []Field{
		{"name", "name", "as people call it: DTLB", nil},
		{"kind", "takes", "which references are translated here",
			fixed(cachesim.Instruction, cachesim.Data, cachesim.Unified)},
		{"entries", "entries", "pages that it knows: ways times a power of two", nil},
		{"ways", "ways", "entries in a set", nil},
		{"page", "page", "bytes of a page: 4KiB, 2MiB", nil},
		{"policy", "policy", "which entry of a full set leaves", fixed(cachesim.Policies()...)},
		{"next", "below", "where misses go", (*HierarchyForm).belowTLB},
		{"latency_ns", "ns", "nanoseconds of a request", nil},
		{"seed", "seed", "of the policies random and brrip", nil},
	}
)

// HierarchyForm is a configuration as it is being written: texts that need not make sense yet, by part and field.
type HierarchyForm struct {
	Name   string
	Levels [][]string // in the order of LevelFields
	TLBs   [][]string // in the order of TLBFields
	Cores  string
	Memory string // nanoseconds
	Walk   string // nanoseconds
}

func (f *HierarchyForm) below() []string    { return belowOf(f.Levels) }
func (f *HierarchyForm) belowTLB() []string { return belowOf(f.TLBs) }

func belowOf(parts [][]string) []string {
	out := []string{standard}
	for _, p := range parts {
		if p[0] != "" && !slices.Contains(out, p[0]) {
			out = append(out, p[0])
		}
	}
	return append(out, cachesim.MemoryName)
}

// FormOf writes a configuration into a form.
func FormOf(c cachesim.Config) HierarchyForm {
	f := HierarchyForm{Name: c.Name, Cores: strconv.Itoa(max(1, c.Cores)), Memory: number(c.Memory.Latency),
		Walk: number(c.Walk.Latency)}
	for _, l := range c.Levels {
		allocate, shared := yes, no
		if l.NoAllocate {
			allocate = no
		}
		if l.Shared {
			shared = yes
		}
		f.Levels = append(f.Levels, []string{l.Name, string(l.Kind), l.Size.String(), strconv.Itoa(l.Ways), l.Block.String(),
			cmp.Or(string(l.Policy), string(cachesim.LRU)), cmp.Or(string(l.Write), string(cachesim.Back)), allocate,
			cmp.Or(string(l.Inclusion), string(cachesim.NINE)),
			cmp.Or(l.Next, standard), cmp.Or(string(l.Prefetch), none), strconv.Itoa(l.VictimBlocks), shared, number(l.Latency),
			strconv.FormatInt(l.Seed, 10)})
	}
	for _, t := range c.TLBs {
		f.TLBs = append(f.TLBs, []string{t.Name, string(t.Kind), strconv.Itoa(t.Entries),
			strconv.Itoa(t.Ways), t.Page.String(),
			cmp.Or(string(t.Policy), string(cachesim.LRU)), cmp.Or(t.Next, standard), number(t.Latency),
			strconv.FormatInt(t.Seed, 10)})
	}
	return f
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// AddLevel adds a level below the others, four times as large as the last where that can be simulated.
func (f *HierarchyForm) AddLevel() {
	l := cachesim.Level{Name: "L1D", Kind: cachesim.Data, Size: 32 * cachesim.KiB, Ways: 8, Block: 64, Latency: 1}
	if n := len(f.Levels); n > 0 {
		last, _ := f.level(n - 1)
		l = cachesim.Level{Name: fresh("L", f.Levels), Kind: cachesim.Unified,
			Size: max(min(4*last.Size, cachesim.MaxLines/4*last.Block), last.Block), Ways: max(1, last.Ways),
			Block: max(cachesim.MinBlock, last.Block), Latency: 4 * last.Latency, Shared: last.Shared}
	}
	f.Levels = append(f.Levels, FormOf(cachesim.Config{Levels: []cachesim.Level{l}}).Levels[0])
}

// AddTLB adds a translation buffer below the others.
func (f *HierarchyForm) AddTLB() {
	t := cachesim.TLB{Name: "DTLB", Kind: cachesim.Data, Entries: 64, Ways: 4, Page: 4 * cachesim.KiB, Latency: 1}
	if n := len(f.TLBs); n > 0 {
		t.Name, t.Kind, t.Entries, t.Ways = fresh("TLB", f.TLBs), cachesim.Unified, 1536, 12
		t.Entries = 128 * t.Ways
		if page, err := cachesim.ParseSize(f.TLBs[n-1][4]); err == nil {
			t.Page = page
		}
	}
	f.TLBs = append(f.TLBs, FormOf(cachesim.Config{TLBs: []cachesim.TLB{t}}).TLBs[0])
}

// fresh is a name that no part has: L2, L3, ...
func fresh(stem string, parts [][]string) string {
	for n := 2; ; n++ {
		name := stem + strconv.Itoa(n)
		if !slices.ContainsFunc(parts, func(p []string) bool { return p[0] == name }) {
			return name
		}
	}
}

// Config is what the form says, or the *cachesim.FieldError of the first setting that cannot be.
func (f *HierarchyForm) Config() (cachesim.Config, error) {
	c := cachesim.Config{Name: f.Name}
	r := reading{level: -1}
	if c.Cores = r.whole("cores", f.Cores); c.Cores == 1 {
		c.Cores = 0
	}
	for i := range f.Levels {
		l, err := f.level(i)
		if err != nil && r.err == nil {
			r.err = err
		}
		c.Levels = append(c.Levels, l)
	}
	r.level, r.name = -1, cachesim.MemoryName
	c.Memory.Latency = r.latency(f.Memory)
	for i := range f.TLBs {
		t, err := f.buffer(i)
		if err != nil && r.err == nil {
			r.err = err
		}
		c.TLBs = append(c.TLBs, t)
	}
	r.level, r.name = -1, "walk"
	c.Walk.Latency = r.latency(f.Walk)
	if r.err != nil {
		return c, r.err
	}
	return c, c.Validate()
}

func (f *HierarchyForm) level(i int) (cachesim.Level, error) {
	r := reading{level: i, name: f.Levels[i][0], fields: LevelFields, texts: f.Levels[i]}
	l := cachesim.Level{Name: r.text("name"), Kind: cachesim.Kind(r.text("kind")), Size: r.size("size"),
		Ways: r.whole("ways", r.text("ways")), Block: r.size("block"),
		Policy: cachesim.ParsePolicy(r.text("policy")), Write: cachesim.Write(r.text("write")),
		NoAllocate: r.text("allocate") == no,
		Inclusion:  cachesim.Inclusion(r.text("inclusion")), Next: blank(r.text("next"), standard),
		Prefetch:     cachesim.Prefetcher(blank(r.text("prefetch"), none)),
		VictimBlocks: r.whole("victim_blocks", r.text("victim_blocks")), Shared: r.text("shared") == yes,
		Latency: r.latency(r.text("latency_ns")),
		Seed:    int64(r.whole("seed", r.text("seed")))}
	return l, r.err
}

func (f *HierarchyForm) buffer(i int) (cachesim.TLB, error) {
	r := reading{level: i, name: f.TLBs[i][0], tlb: true, fields: TLBFields, texts: f.TLBs[i]}
	t := cachesim.TLB{Name: r.text("name"), Kind: cachesim.Kind(r.text("kind")),
		Entries: r.whole("entries", r.text("entries")), Ways: r.whole("ways", r.text("ways")),
		Page: r.size("page"), Policy: cachesim.ParsePolicy(r.text("policy")), Next: blank(r.text("next"), standard),
		Latency: r.latency(r.text("latency_ns")), Seed: int64(r.whole("seed", r.text("seed")))}
	return t, r.err
}

func blank(text, means string) string {
	if text == means {
		return ""
	}
	return text
}

// reading turns the texts of one part into values and keeps the first that is none.
type reading struct {
	level  int
	name   string
	tlb    bool
	fields []Field
	texts  []string
	err    error
}

func (r *reading) text(key string) string {
	i := slices.IndexFunc(r.fields, func(f Field) bool { return f.Key == key })
	return strings.TrimSpace(r.texts[i])
}

func (r *reading) bad(key, value, want string) {
	if value != "" {
		value = strconv.Quote(value)
	}
	if r.err == nil {
		r.err = &cachesim.FieldError{Level: r.level, Name: r.name, Field: key, Value: value, Want: want, TLB: r.tlb}
	}
}

func (r *reading) whole(key, text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		r.bad(key, text, "write a whole number")
	}
	return n
}

func (r *reading) latency(text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		r.bad("latency_ns", text, "write a number")
	}
	return v
}

func (r *reading) size(key string) cachesim.Size {
	v, err := cachesim.ParseSize(r.text(key))
	if err != nil {
		r.bad(key, r.text(key), "write bytes as 512, or 32KiB, 2MiB, 1GiB")
	}
	return v
}

// Summary says in a few words what a configuration that can be is made of.
func Summary(c cachesim.Config) string {
	var parts []string
	for _, l := range c.Levels {
		parts = append(parts, fmt.Sprintf("%s %s", l.Name, words.Plural(l.Sets(), "set")))
	}
	for _, t := range c.TLBs {
		parts = append(parts, fmt.Sprintf("%s %d entries", t.Name, t.Entries))
	}
	return strings.Join(parts, " · ")
}

// PresetSource is what the file of a shipped configuration says about where its numbers come from.
func PresetSource(name string) string {
	data, err := fs.ReadFile(assets.Presets, "presets/"+name+".toml")
	if err != nil {
		return ""
	}
	var words []string
	for line := range strings.Lines(string(data)) {
		text, comment := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !comment {
			break
		}
		words = append(words, strings.TrimSpace(text))
	}
	return strings.Join(words, " ")
}
