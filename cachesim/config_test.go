package cachesim

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
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
		{Name: "L1I", Kind: Instruction, Size: 4 * KiB, Ways: 2, Block: 32, Policy: LRU, Write: Back, Inclusion: NINE, Next: "L2"},
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
		{"wrong type", "ways = 2\nblock = 32\n", "ways = \"two\"\nblock = 32\n", []string{"bad.toml:6", "ways = two", "whole number"}},
		{"wrong type of text", `kind = "data"`, `kind = 3`, []string{"bad.toml:16", "kind = 3", "in quotes"}},
		{"wrong type of switch", "allocate = true", `allocate = "yes"`, []string{"bad.toml:10", "allocate = yes", "true or false"}},
		{"wrong type of number", "latency_ns = 80", `latency_ns = "80"`, []string{"bad.toml:34", "write a number"}},
		{"wrong type of size", "size = 4096", `size = true`, []string{"bad.toml:17", "size = true", "32KiB"}},
		{"memory is no table", "[memory]", "[[memory]]", []string{"bad.toml:33", "[memory]"}},
		{"level is no list", soundConfig, "level = 3", []string{"bad.toml:1", "[[level]]"}},
		{"name with a line break", `name = "L2"`, `name = "L\n2"`, []string{"bad.toml:25", "printable"}},
		{"bad size text", `"4KiB"`, `"4kB"`, []string{"bad.toml:5", "size = 4kB", "KiB"}},
		{"negative size", "size = 4096", "size = -4096", []string{"-4096", "negative"}},
		{"size not a multiple", `size = "32KiB"`, `size = 32800`, []string{"bad.toml:27", "L2", "size = 32800B", "32KiB and 64KiB"}},
		{"size below one set", `size = 4096`, `size = 32`, []string{"L1D", "size = 32B", "the smallest is 64 bytes"}},
		{"no size", "size = 4096\n", "", []string{"L1D", "size", "64B"}},
		{"sets not a power of two", `size = 4096`, `size = "6KiB"`, []string{"L1D", "6KiB makes 96 sets", "power of two", "4KiB and 8KiB"}},
		{"block not a power of two", `block = "32B"`, `block = 48`, []string{"L1D", "block = 48B", "power of two"}},
		{"block too small", `block = "32B"`, `block = 2`, []string{"block = 2B", "from 4B to 64KiB"}},
		{"no ways", "ways = 4", "ways = 0", []string{"L2", "ways = 0", "at least one way"}},
		{"blocks that do not nest", "ways = 4\nblock = 32", "ways = 4\nblock = 16", []string{"L2", "block = 16B", "nest", "32B or a multiple"}},
		{"no name", `name = "L1D"`, `name = ""`, []string{"level 2", "name is missing"}},
		{"name twice", `name = "L1D"`, `name = "L1I"`, []string{`name = "L1I"`, "level 1 has that name"}},
		{"name memory", `name = "L2"`, `name = "memory"`, []string{`"memory"`, "choose another"}},
		{"kind", `kind = "data"`, `kind = "dtaa"`, []string{"bad.toml:16", `kind = "dtaa"`, `"unified"`}},
		{"next unknown", `next = "L2"`, `next = "L4"`, []string{"bad.toml:12", `next = "L4"`, "no level of that name"}},
		{"next itself", `next = "L2"`, `next = "L1I"`, []string{`next = "L1I"`, "one that follows"}},
		{"next of another kind", `next = "L2"`, `next = "L1D"`, []string{`next = "L1D"`, "data only", "unified"}},
		{"cycle", "ways = 4", "ways = 4\nnext = \"L1D\"", []string{`next = "L1D"`, "one that follows"}},
		{"two ways in", `kind = "instruction"`, `kind = "data"`, []string{"L1D", `kind = "data"`, "enter at L1I"}},
		{"unreachable level", "latency_ns = 1\n", "next = \"memory\"\n[[level]]\nname = \"X\"\nkind = \"data\"\nsize = 64\nways = 1\nblock = 32\n", []string{"X", "enter at L1D"}},
		{"policy", `policy = "fifo"`, `policy = "plru"`, []string{`policy = "plru"`, `"lru" and "fifo"`}},
		{"write", `write = "back"`, `write = "through"`, []string{`write = "through"`, `"back"`}},
		{"allocate", "allocate = true", "allocate = false", []string{"allocate = false", "allocate = true"}},
		{"inclusion", `inclusion = "nine"`, `inclusion = "exclusive"`, []string{`inclusion = "exclusive"`, `"nine"`}},
		{"prefetch", "seed = 7", `prefetch = "next-line"`, []string{`prefetch = "next-line"`, "leave the key out"}},
		{"victim buffer", "victim_blocks = 0", "victim_blocks = 4", []string{"victim_blocks = 4", "write 0"}},
		{"latency", "latency_ns = 4.5", "latency_ns = -4.5", []string{"latency_ns = -4.5", "0 or more"}},
		{"latency not a number", "latency_ns = 4.5", "latency_ns = nan", []string{"latency_ns = NaN", "0 or more"}},
		{"memory latency", "latency_ns = 80", "latency_ns = inf", []string{"bad.toml:34", "memory: latency_ns = +Inf", "0 or more"}},
		{"too many blocks", `size = "32KiB"`, `size = "1GiB"`, []string{"size = 1GiB", "16777216"}},
		{"overflowing ways", "ways = 4\nblock = 32", "ways = 1152921504606846976\nblock = 32", []string{"L2", "ways = 1152921504606846976", "16777216 blocks"}},
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
	for size, want := range map[Size]string{0: "0B", 512: "512B", 1536: "1536B", 96 * KiB: "96KiB", 2 * MiB: "2MiB", GiB: "1GiB"} {
		if got := size.String(); got != want {
			t.Errorf("%d is written %q, want %q", uint64(size), got, want)
		}
	}
}

func TestRandomConfigsRoundTrip(t *testing.T) {
	for seed := range uint64(200) {
		c := randomConfig(rand.New(rand.NewPCG(seed, 3)))
		again, err := ParseConfig([]byte(c.TOML()), c.Name)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("seed %d: %v\n%s", seed, err, c.TOML())
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
	if _, err := Preset("nosuch"); err == nil || !strings.Contains(err.Error(), "example") {
		t.Errorf("an unknown preset gives %v", err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(soundConfig))
	files, err := filepath.Glob("../assets/presets/*.toml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no presets to start from: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig(data, "fuzz.toml")
		if err != nil {
			if e := (*traceio.Error)(nil); !errors.As(err, &e) {
				t.Fatalf("%v is no *traceio.Error", err)
			}
			return
		}
		again, err := ParseConfig([]byte(c.TOML()), c.Name)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("written and read again: %v\n%+v\n%+v", err, c, again)
		}
		lines := Size(0)
		for _, l := range c.Levels {
			lines += l.Size / l.Block
		}
		if lines < 1<<12 {
			if _, err := New(c); err != nil {
				t.Fatalf("parsed, but New refuses: %v", err)
			}
		}
	})
}
