package session

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orrery/cachesim"
)

// spelt is a configuration as a form gives it back: what it leaves out is written.
func spelt(c cachesim.Config) cachesim.Config {
	c.Levels, c.TLBs = slices.Clone(c.Levels), slices.Clone(c.TLBs)
	if c.Cores == 1 {
		c.Cores = 0
	}
	for i := range c.Levels {
		l := &c.Levels[i]
		if l.Policy == "" {
			l.Policy = cachesim.LRU
		}
		if l.Write == "" {
			l.Write = cachesim.Back
		}
		if l.Inclusion == "" {
			l.Inclusion = cachesim.NINE
		}
	}
	for i := range c.TLBs {
		if c.TLBs[i].Policy == "" {
			c.TLBs[i].Policy = cachesim.LRU
		}
	}
	return c
}

// TestFormsGiveBackWhatTheyWereMadeOf: every shipped configuration comes out of the form as it went in, and so does one
// that has every setting.
func TestFormsGiveBackWhatTheyWereMadeOf(t *testing.T) {
	full := cachesim.Config{Name: "full", Cores: 2, Memory: cachesim.MainMemory{Latency: 80.5},
		Walk: cachesim.MainMemory{Latency: 30},
		Levels: []cachesim.Level{
			{Name: "L1I", Kind: cachesim.Instruction, Size: 1024, Ways: 2, Block: 32, Policy: cachesim.FIFO,
				Next: "L3", Latency: 1},
			{Name: "L1D", Kind: cachesim.Data, Size: 2048, Ways: 4, Block: 32, Policy: cachesim.Random,
				Prefetch: cachesim.NextLine, VictimBlocks: 4, Latency: 1.25, Seed: 7},
			{Name: "L2", Kind: cachesim.Unified, Size: 3 * 8192, Ways: 3, Block: 32, Policy: cachesim.SRRIP, Latency: 4},
			{Name: "L3", Kind: cachesim.Unified, Size: 1 << 20, Ways: 16, Block: 64, Policy: cachesim.TreePLRU, Shared: true,
				Next: cachesim.MemoryName, Latency: 12}},
		TLBs: []cachesim.TLB{{Name: "DTLB", Kind: cachesim.Data, Entries: 64, Ways: 4, Page: 4096, Latency: 1},
			{Name: "STLB", Kind: cachesim.Unified, Entries: 1536, Ways: 12, Page: 4096, Policy: cachesim.FIFO}}}
	configs := []cachesim.Config{full}
	for _, name := range cachesim.Presets() {
		configs = append(configs, preset(t, name))
	}
	for _, c := range configs {
		f := FormOf(c)
		got, err := f.Config()
		if want := spelt(c); err != nil && c.Validate() == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s comes back as %+v (%v), want %+v", c.Name, got, err, want)
		}
		for i, part := range f.Levels {
			for k, field := range LevelFields {
				if field.Choices != nil && !slices.Contains(field.Choices(&f), part[k]) {
					t.Errorf("%s, level %d: %s = %q is not among the choices %q", c.Name, i, field.Key, part[k], field.Choices(&f))
				}
			}
		}
		for _, part := range f.TLBs {
			for k, field := range TLBFields {
				if field.Choices != nil && !slices.Contains(field.Choices(&f), part[k]) {
					t.Errorf("%s: %s = %q is not among the choices %q", c.Name, field.Key, part[k], field.Choices(&f))
				}
			}
		}
	}
}

// TestWhatCannotBe: each wrong setting is told with its field, its value and the remedy, in the sentence that the
// command line has for the same value in a file.
func TestWhatCannotBe(t *testing.T) {
	for _, row := range []struct {
		field, value, want string
		file               string // the line of the file, "" when a file could not say it
	}{
		{"size", "48KiB", "level L1D: size = 48KiB makes 48 sets, which cannot be; sets are a power of two;",
			`size = "48KiB"`},
		{"size", "33", "level L1D: size = 33B cannot be;", `size = 33`},
		{"size", "big", `level L1D: size = "big" cannot be; write bytes as 512, or 32KiB, 2MiB, 1GiB`, ""},
		{"size", "", "level L1D: size is missing; write bytes as 512, or 32KiB, 2MiB, 1GiB", ""},
		{"ways", "0", "level L1D: ways = 0 cannot be; a set has at least one way", `ways = 0`},
		{"ways", "many", `level L1D: ways = "many" cannot be; write a whole number`, ""},
		{"block", "48", "level L1D: block = 48B cannot be; a block is a power of two from 4B to 64KiB", `block = 48`},
		{"block", "128", "level L2: block = 64B cannot be; blocks nest: below L1D it is 128B or a multiple", `block = 128`},
		{"name", "", `level 1: name is missing; name it as people call it: "L1D"`, `name = ""`},
		{"name", "L2", `level L2: name = "L2" cannot be; level 1 has that name already; names are unique`, `name = "L2"`},
		{"next", "L9",
			`level L1D: next = "L9" cannot be; there is no level of that name; leave it out to mean the first unified level that follows`, `next = "L9"`},
		{"latency_ns", "-1", "level L1D: latency_ns = -1 cannot be; give nanoseconds, 0 or more", `latency_ns = -1`},
		{"latency_ns", "soon", `level L1D: latency_ns = "soon" cannot be; write a number`, ""},
	} {
		base := cachesim.Config{Levels: []cachesim.Level{{Name: "L1D", Kind: cachesim.Data, Size: 64 << 10, Ways: 16,
			Block: 64, Latency: 1},
			{Name: "L2", Kind: cachesim.Unified, Size: 1 << 20, Ways: 16, Block: 64, Latency: 4}}}
		f := FormOf(base)
		f.Levels[0][slices.IndexFunc(LevelFields, func(x Field) bool { return x.Key == row.field })] = row.value
		_, err := f.Config()
		var told *cachesim.FieldError
		if !errors.As(err, &told) || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%s = %q: %v, want %s", row.field, row.value, err, row.want)
			continue
		}
		if row.file == "" {
			continue
		}
		text := base.TOML()
		if _, line, ok := strings.Cut(text, row.field+" = "); ok {
			line, _, _ = strings.Cut(line, "\n")
			text = strings.Replace(text, row.field+" = "+line, row.file, 1)
		} else {
			text = strings.Replace(text, "block = ", row.file+"\nblock = ", 1)
		}
		if _, inFile := cachesim.ParseConfig([]byte(text), "f.toml"); inFile == nil ||
			!strings.Contains(inFile.Error(), err.Error()) {
			t.Errorf("%s: a file says %v, the form %v", row.file, inFile, err)
		}
	}
}

// TestLevelsThatAreAddedCanBe: what the buttons add to any shipped configuration, or to none, can be simulated.
func TestLevelsThatAreAddedCanBe(t *testing.T) {
	var empty HierarchyForm
	empty.Cores, empty.Memory, empty.Walk = "1", "80", "30"
	forms := []HierarchyForm{empty}
	for _, name := range cachesim.Presets() {
		forms = append(forms, FormOf(preset(t, name)))
	}
	for _, f := range forms {
		for range 3 {
			f.AddLevel()
			f.AddTLB()
			if _, err := f.Config(); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
	if _, err := empty.Config(); err == nil || !strings.HasPrefix(err.Error(),
		"level is missing; a hierarchy needs at least one") {
		t.Errorf("no level: %v", err)
	}
}

// TestFittingSizesCanBe: any size for any level becomes one that it can have, and the nearest.
func TestFittingSizesCanBe(t *testing.T) {
	for _, name := range cachesim.Presets() {
		c := preset(t, name)
		for want := cachesim.Size(1); want < 1<<22; want = want*5/3 + 1 {
			got, i := Resize(c, want)
			if i < 0 || got.Levels[i].Size == 0 || got.Levels[i].Sets()&(got.Levels[i].Sets()-1) != 0 {
				t.Fatalf("%s with %d bytes: level %d of %+v", name, want, i, got.Levels)
			}
			if !strings.HasSuffix(got.Name, ", changed") || c.Name != name || reflect.DeepEqual(got.Levels, c.Levels) &&
				got.Levels[i].Size != c.Levels[i].Size {
				t.Fatalf("%s became %s", name, got.Name)
			}
		}
	}
	for _, name := range cachesim.Presets() {
		if PresetSource(name) == "" {
			t.Errorf("the preset %s does not say where it is from", name)
		}
	}
}
