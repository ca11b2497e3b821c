package cachesim

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"orrery/traceio"
)

const soundConfig = `# a comment
[[level]]
name = "L1I"
kind = "instruction"
size = "4KiB"
ways = 2
block = 32
policy = "lru"
write = "back"
allocate = true
inclusion = "nine"
next = "L2"

[[level]]
name = "L1D"
kind = "data"
size = 4096
ways = 2
block = "32B"
policy = "fifo"
latency_ns = 1
seed = 7

[[level]]
name = "L2"
kind = "unified"
size = "32KiB"
ways = 4
block = 32
victim_blocks = 0
latency_ns = 4.5

[memory]
latency_ns = 80
`

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig([]byte(soundConfig), "sound.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Name: "sound.toml", Memory: MainMemory{80}, Levels: []Level{
		{Name: "L1I", Kind: Instruction, Size: 4 * KiB, Ways: 2, Block: 32, Policy: LRU, Write: Back,
			Inclusion: NINE, Next: "L2"},
		{Name: "L1D", Kind: Data, Size: 4 * KiB, Ways: 2, Block: 32, Policy: FIFO, Latency: 1, Seed: 7},
		{Name: "L2", Kind: Unified, Size: 32 * KiB, Ways: 4, Block: 32, Latency: 4.5},
	}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
	if c.Next(0) != 2 || c.Next(1) != 2 || c.Next(2) != 3 {
		t.Errorf("next of the levels is %d, %d, %d, want 2, 2, 3", c.Next(0), c.Next(1), c.Next(2))
	}
	if c.Entry(traceio.Fetch) != 0 || c.Entry(traceio.Load) != 1 || c.Entry(traceio.Store) != 1 {
		t.Error("references enter at the wrong level")
	}
	if d := []int{c.Depth(0), c.Depth(1), c.Depth(2), c.Depth(3)}; !reflect.DeepEqual(d, []int{0, 0, 1, 2}) {
		t.Errorf("depths %v", d)
	}
	c.Cores, c.Levels[2].Shared, c.Levels[0].NoAllocate, c.Levels[1].Seed = 2, true, true, -1<<63+1
	c.TLBs, c.Walk = []TLB{{Name: "T1", Kind: Unified, Entries: 48, Ways: 3, Page: 4 * KiB, Policy: SRRIP, Latency: 1,
		Seed: 3}}, MainMemory{30}
	if again, err := ParseConfig([]byte(c.TOML()), c.Name); err != nil || !reflect.DeepEqual(again, c) {
		t.Errorf("written and read again: %+v, %v\n%s", again, err, c.TOML())
	}
}

// TestRefusals changes one line of a sound file at a time.
func TestRefusals(t *testing.T) {
	tests := []struct {
		name, from, to string
		want           []string // all in the message
	}{
		{"no level", soundConfig, "[memory]\nlatency_ns = 1\n", []string{"at least one [[level]]"}},
		{"empty file", soundConfig, "", []string{"at least one [[level]]"}},
		{"not TOML", "ways = 2", "ways 2", []string{"bad.toml:6", "TOML"}},
		{"unknown level key", "seed = 7", "sede = 7", []string{"bad.toml:22", `"sede"`, "victim_blocks"}},
		{"unknown table", "[memory]", "[main]", []string{`"main`, "[memory]"}},
		{"unknown memory key", "latency_ns = 80", "latency = 80", []string{"bad.toml:34", `"latency"`, "latency_ns"}},
		{"wrong type", "ways = 2\nblock = 32\n", "ways = \"two\"\nblock = 32\n",
			[]string{"bad.toml:6", "ways = two", "whole number"}},
		{"wrong type of text", `kind = "data"`, `kind = 3`, []string{"bad.toml:16", "kind = 3", "in quotes"}},
		{"wrong type of switch", "allocate = true", `allocate = "yes"`,
			[]string{"bad.toml:10", "allocate = yes", "true or false"}},
		{"wrong type of number", "latency_ns = 80", `latency_ns = "80"`, []string{"bad.toml:34", "write a number"}},
		{"wrong type of size", "size = 4096", `size = true`, []string{"bad.toml:17", "size = true", "32KiB"}},
		{"memory is no table", "[memory]", "[[memory]]", []string{"bad.toml:33", "[memory]"}},
		{"level is no list", soundConfig, "level = 3", []string{"bad.toml:1", "[[level]]"}},
		{"name with a line break", `name = "L2"`, `name = "L\n2"`, []string{"bad.toml:25", "printable"}},
		{"bad size text", `"4KiB"`, `"4kB"`, []string{"bad.toml:5", "size = 4kB", "KiB"}},
		{"negative size", "size = 4096", "size = -4096", []string{"-4096", "negative"}},
		{"size not a multiple", `size = "32KiB"`, `size = 32800`, []string{"bad.toml:27", "L2", "size = 32800B",
			"32KiB and 64KiB"}},
		{"size below one set", `size = 4096`, `size = 32`, []string{"L1D", "size = 32B", "the smallest is 64 bytes"}},
		{"no size", "size = 4096\n", "", []string{"L1D", "size", "64B"}},
		{"sets not a power of two", `size = 4096`, `size = "6KiB"`, []string{"L1D", "6KiB makes 96 sets",
			"power of two", "4KiB and 8KiB"}},
		{"block not a power of two", `block = "32B"`, `block = 48`, []string{"L1D", "block = 48B", "power of two"}},
		{"block too small", `block = "32B"`, `block = 2`, []string{"block = 2B", "from 4B to 64KiB"}},
		{"no ways", "ways = 4", "ways = 0", []string{"L2", "ways = 0", "at least one way"}},
		{"blocks that do not nest", "ways = 4\nblock = 32", "ways = 4\nblock = 16", []string{"L2", "block = 16B", "nest",
			"32B or a multiple"}},
		{"no name", `name = "L1D"`, `name = ""`, []string{"level 2", "name is missing"}},
		{"name twice", `name = "L1D"`, `name = "L1I"`, []string{`name = "L1I"`, "level 1 has that name"}},
		{"name memory", `name = "L2"`, `name = "memory"`, []string{`"memory"`, "choose another"}},
		{"kind", `kind = "data"`, `kind = "dtaa"`, []string{"bad.toml:16", `kind = "dtaa"`, `"unified"`}},
		{"next unknown", `next = "L2"`, `next = "L4"`, []string{"bad.toml:12", `next = "L4"`, "no level of that name"}},
		{"next itself", `next = "L2"`, `next = "L1I"`, []string{`next = "L1I"`, "one that follows"}},
		{"next of another kind", `next = "L2"`, `next = "L1D"`, []string{`next = "L1D"`, "data only", "unified"}},
		{"cycle", "ways = 4", "ways = 4\nnext = \"L1D\"", []string{`next = "L1D"`, "one that follows"}},
		{"two ways in", `kind = "instruction"`, `kind = "data"`, []string{"L1D", `kind = "data"`, "enter at L1I"}},
		{"unreachable level", "latency_ns = 1\n",
			"next = \"memory\"\n[[level]]\nname = \"X\"\nkind = \"data\"\nsize = 64\nways = 1\nblock = 32\n",
			[]string{"X", "enter at L1D"}},
		{"policy", `policy = "fifo"`, `policy = "oldest"`, []string{"bad.toml:20", `policy = "oldest"`,
			`"lru", "fifo", "random", "plru", "bitplru", "srrip", "brrip" or "min"`}},
		{"min of three levels", `policy = "fifo"`, `policy = "min"`, []string{"bad.toml:20", `policy = "min"`,
			"knows the future, which is found for one level of one core alone"}},
		{"tree of three ways", "size = 4096\nways = 2\nblock = \"32B\"\npolicy = \"fifo\"",
			"size = \"3KiB\"\nways = 3\nblock = \"32B\"\npolicy = \"tree-plru\"",
			[]string{"L1D", `policy = "plru"`, "power of two of ways, not 3", "bitplru"}},
		{"write", `write = "back"`, `write = "around"`, []string{"bad.toml:9", `write = "around"`, `"back" or "through"`}},
		{"allocate", "allocate = true", "allocate = 1", []string{"bad.toml:10", "allocate = 1", "true or false"}},
		{"inclusion", `inclusion = "nine"`, `inclusion = "strict"`, []string{"bad.toml:11", `inclusion = "strict"`,
			`"nine", "inclusive" or "exclusive"`}},
		{"inclusion of the first level", `inclusion = "nine"`, `inclusion = "inclusive"`,
			[]string{"bad.toml:11", `inclusion = "inclusive"`, "levels above", "leave the key out"}},
		{"exclusive with another block", "block = 32\nvictim_blocks = 0", "block = 64\ninclusion = \"exclusive\"",
			[]string{"L2", "block = 64B", "exchanges blocks with L1I", "32B"}},
		{"exclusive write-through", "victim_blocks = 0", "inclusion = \"exclusive\"\nwrite = \"through\"",
			[]string{"L2", `write = "through"`, `write "back"`}},
		{"exclusive without allocation", "victim_blocks = 0", "inclusion = \"exclusive\"\nallocate = false",
			[]string{"L2", "allocate = false", "leave the key out"}},
		{"exclusive with a prefetcher", "victim_blocks = 0", "inclusion = \"exclusive\"\nprefetch = \"stride\"",
			[]string{"L2", `prefetch = "stride"`, "level above"}},
		{"exclusive with a victim buffer", "victim_blocks = 0", "inclusion = \"exclusive\"\nvictim_blocks = 4",
			[]string{"L2", "victim_blocks = 4", "victim cache itself"}},
		{"prefetch", "seed = 7", `prefetch = "next"`, []string{`prefetch = "next"`, `"next-line" or "stride"`,
			"leave the key out"}},
		{"prefetch of tiny blocks", "block = \"32B\"\npolicy", "block = \"4B\"\nprefetch = \"stride\"\npolicy",
			[]string{`prefetch = "stride"`, "8B or more, not 4B"}},
		{"victim buffer", "victim_blocks = 0", "victim_blocks = -4", []string{"victim_blocks = -4", "up to 1024"}},
		{"victim buffer too large", "victim_blocks = 0", "victim_blocks = 1025",
			[]string{"victim_blocks = 1025", "up to 1024"}},
		{"cores", "# a comment", "cores = 33", []string{"bad.toml:1", "cores = 33", "from 1 to 32"}},
		{"cores no number", "# a comment", `cores = "two"`, []string{"bad.toml:1", "cores = two", "whole number"}},
		{"private below shared", "# a comment\n[[level]]", "cores = 2\n[[level]]\nshared = true",
			[]string{"L2", "shared = false", "below L1I", "write true"}},
		{"private blocks differ", "# a comment", "cores = 2\n[[level]]\nname = \"L0\"\nkind = \"instruction\"\nsize = " +
			"64\nways = 1\nblock = 16\nnext = \"L1I\"\n", []string{"L1I", "block = 32B", "cores exchange", "16B"}},
		{"too many levels of cores", "# a comment", "cores = 22", []string{"bad.toml:", "66 levels", "at most 64"}},
		{"TLB entries", "[memory]", "[[tlb]]\nname = \"T\"\nkind = \"data\"\nentries = 48\nways = 4\npage = 4096\n[memory]",
			[]string{"bad.toml:36", "TLB T", "entries = 48", "4 ways times a power of two"}},
		{"TLB without ways", "[memory]", "[[tlb]]\nname = \"T\"\nkind = \"data\"\nentries = 48\npage = 4096\n[memory]",
			[]string{"TLB T", "ways = 0", "fully associative"}},
		{"TLB page", "[memory]", "[[tlb]]\nname = \"T\"\nkind = \"data\"\nentries = 48\nways = 48\npage = 4000\n[memory]",
			[]string{"bad.toml:38", "page = 4000B", "power of two"}},
		{"TLB kind", "[memory]", "[[tlb]]\nname = \"T\"\nkind = \"page\"\nentries = 48\nways = 48\npage = 4096\n[memory]",
			[]string{"bad.toml:35", "TLB T", `kind = "page"`, `"unified"`}},
		{"unknown TLB key", "[memory]", "[[tlb]]\nsize = 3\n[memory]", []string{"bad.toml:34", `"size"`, "entries"}},
		{"walk latency", "[memory]", "[[tlb]]\nname = \"T\"\nkind = \"data\"\nentries = 4\nways = 4\npage = " +
			"4096\n[walk]\nlatency_ns = -1\n[memory]", []string{"bad.toml:40", "walk: latency_ns = -1", "0 or more"}},
		{"latency", "latency_ns = 4.5", "latency_ns = -4.5", []string{"latency_ns = -4.5", "0 or more"}},
		{"latency beyond sums", "latency_ns = 4.5", "latency_ns = 1e308", []string{"latency_ns = 1e+308", "at most a day"}},
		{"latency not a number", "latency_ns = 4.5", "latency_ns = nan", []string{"latency_ns = NaN", "0 or more"}},
		{"memory latency", "latency_ns = 80", "latency_ns = inf",
			[]string{"bad.toml:34", "memory: latency_ns = +Inf", "0 or more"}},
		{"too many blocks", `size = "32KiB"`, `size = "1GiB"`, []string{"size = 1GiB", "16777216"}},
		{"overflowing ways", "ways = 4\nblock = 32", "ways = 1152921504606846976\nblock = 32",
			[]string{"L2", "ways = 1152921504606846976", "16777216 blocks"}},
		{"overflowing size", `size = "32KiB"`, `size = 9223372036854775807`, []string{"L2", "16777216 blocks"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(soundConfig, tt.from, tt.to, 1)
			if text == soundConfig {
				t.Fatal("the row changes nothing")
			}
			_, err := ParseConfig([]byte(text), "bad.toml")
			if err == nil {
				t.Fatalf("taken:\n%s", text)
			}
			if e := (*traceio.Error)(nil); !errors.As(err, &e) {
				t.Errorf("%v is no *traceio.Error", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a sentence: %q", err)
			}
		})
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]Size{
		"512": 512, "512B": 512, " 32 KiB ": 32 * KiB, "32k": 32 * KiB, "2MiB": 2 * MiB, "1gib": GiB, "0": 0, "3G": 3 * GiB,
	} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "KiB", "32KB", "-1", "1.5KiB", "99999999999GiB", "0x20"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", text, got)
		}
	}
	for size, want := range map[Size]string{0: "0B", 512: "512B", 1536: "1536B", 96 * KiB: "96KiB",
		2 * MiB: "2MiB", GiB: "1GiB"} {
		if got := size.String(); got != want {
			t.Errorf("%d is written %q, want %q", uint64(size), got, want)
		}
	}
}

func TestPresets(t *testing.T) {
	names := Presets()
	if len(names) < 3 || names[0] != DefaultPreset {
		t.Fatalf("presets %v", names)
	}
	for _, name := range names {
		c, err := Preset(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Name != name || c.Memory.Latency == 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for name, want := range map[string]string{ // what the sources say
		"skylake-sp": "[L1I 32KiB 8-way 64B lru L1D 32KiB 8-way 64B lru L2 1MiB 16-way 64B lru L3 1408KiB 11-way 64B " +
			"lru] 128 64 1536",
		"zen3": "[L1I 32KiB 8-way 64B lru L1D 32KiB 8-way 64B lru L2 512KiB 8-way 64B plru L3 32MiB 16-way 64B " +
			"plru] 64 64 512 2048",
		"neoverse-n1":   "[L1I 64KiB 4-way 64B plru L1D 64KiB 4-way 64B plru L2 1MiB 8-way 64B plru] 48 48 1280",
		"raspberry-pi4": "[L1I 48KiB 3-way 64B lru L1D 32KiB 2-way 64B lru L2 1MiB 16-way 64B plru] 48 32 1024",
		"nehalem": "[L1I 32KiB 4-way 64B plru L1D 32KiB 8-way 64B plru L2 256KiB 8-way 64B plru L3 8MiB 16-way 64B " +
			"plru] 128 64 512",
		"fastmath": "[I 16KiB 1-way 64B lru D 16KiB 1-way 64B lru]",
	} {
		c, err := Preset(name)
		if err != nil {
			t.Error(err)
			continue
		}
		got := fmt.Sprint(c.Levels)
		for _, b := range c.TLBs {
			got += fmt.Sprint(" ", b.Entries)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
		text, err := os.ReadFile("../assets/presets/" + name + ".toml")
		if err != nil || !strings.Contains(string(text), "# Source: ") {
			t.Errorf("%s names no source (%v)", name, err)
		}
		if err := c.WithCores(4).Validate(); err != nil {
			t.Errorf("%s with four cores: %v", name, err)
		}
	}
	if _, err := Preset("nosuch"); err == nil || !strings.Contains(err.Error(), "example") {
		t.Errorf("an unknown preset gives %v", err)
	}
}

// TestConfigsAreBounded: text that would take the decoder more than it is worth is refused before it sees it, with its
// line.
func TestConfigsAreBounded(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"a key of many parts", soundConfig + "\n" + strings.Repeat("a.", 20000) + "a = 1\n", "nest deeper than 16"},
		{"a shorter one", strings.Repeat("a.", 100) + "a = 1\n", "bad.toml:1: keys, lists or tables nest deeper than 16"},
		{"a table of many parts", "\n[" + strings.Repeat("a.", 100) + "a]\n",
			"bad.toml:2: keys, lists or tables nest deeper than 16"},
		{"lists in lists", "x = " + strings.Repeat("[", 300), "nest deeper than 16"},
		{"tables in tables", "x = " + strings.Repeat("{a=", 300), "nest deeper than 16"},
		{"a key behind quotes", `x = { b = "\"", ` + strings.Repeat("a.", 100) + "a = 1 }", "nest deeper than 16"},
		{"a key behind a text of several lines", `x = { b = """"""", ` + strings.Repeat("a.", 100) + "a = 1 }",
			"a text of several lines"},
		{"more than a configuration", strings.Repeat("# a comment\n", 30000), "longer than 256 KiB"},
	} {
		if _, err := ParseConfig([]byte(row.text), "bad.toml"); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
	long := "# " + strings.Repeat("a comment. ", 1000) + "\n" + soundConfig +
		` # "..................... [[[[[[[[[[[[[[[[[[[[[[`
	if _, err := ParseConfig([]byte(long), "good.toml"); err != nil {
		t.Errorf("comments may say anything: %v", err)
	}
}
