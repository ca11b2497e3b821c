package cachesim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"orrery/traceio"
)

// fileConfig is the file as it is written; fileLevel has the keys of spec order.
type fileConfig struct {
	Level  []fileLevel `toml:"level"`
	Memory fileMemory  `toml:"memory"`
}

type fileLevel struct {
	Name         string  `toml:"name"`
	Kind         string  `toml:"kind"`
	Size         Size    `toml:"size"`
	Ways         int     `toml:"ways"`
	Block        Size    `toml:"block"`
	Policy       string  `toml:"policy"`
	Write        string  `toml:"write"`
	Allocate     *bool   `toml:"allocate"`
	Inclusion    string  `toml:"inclusion"`
	Next         string  `toml:"next"`
	Prefetch     string  `toml:"prefetch"`
	VictimBlocks int     `toml:"victim_blocks"`
	Latency      float64 `toml:"latency_ns"`
	Seed         uint64  `toml:"seed"`
}

type fileMemory struct {
	Latency float64 `toml:"latency_ns"`
}

// ParseConfig reads a configuration file. Name stands in errors and becomes Config.Name. An error is a *traceio.Error
// with the line; when the text is sound but the hierarchy cannot be, it wraps the *FieldError of Validate.
func ParseConfig(data []byte, name string) (Config, error) {
	var f fileConfig
	meta, err := toml.Decode(string(data), &f)
	if err != nil {
		return Config{}, syntaxError(err, name)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		key := extra[0][len(extra[0])-1]
		return Config{}, &traceio.Error{File: name, Line: lineOf(data, -1, key), Msg: fmt.Sprintf("unknown key %q", extra[0].String()), Hint: knownKeys(extra[0])}
	}
	c := Config{Name: name, Memory: MainMemory(f.Memory)}
	for _, l := range f.Level {
		c.Levels = append(c.Levels, l.level())
	}
	if err := c.Validate(); err != nil {
		e := &traceio.Error{File: name, Msg: err.Error(), Err: err}
		if field := (*FieldError)(nil); errors.As(err, &field) && field.Level >= 0 {
			e.Line = lineOf(data, field.Level, field.Field)
		}
		return Config{}, e
	}
	return c, nil
}

func (l fileLevel) level() Level {
	return Level{
		Name: l.Name, Kind: Kind(l.Kind), Size: l.Size, Ways: l.Ways, Block: l.Block, Policy: Policy(l.Policy), Write: Write(l.Write),
		NoAllocate: l.Allocate != nil && !*l.Allocate, Inclusion: Inclusion(l.Inclusion), Next: l.Next, Prefetch: l.Prefetch,
		VictimBlocks: l.VictimBlocks, Latency: l.Latency, Seed: l.Seed,
	}
}

func syntaxError(err error, name string) error {
	e := &traceio.Error{File: name, Msg: err.Error(), Err: err, Hint: "a configuration is TOML with one [[level]] table per cache"}
	if p := (toml.ParseError{}); errors.As(err, &p) {
		e.Line, e.Msg = p.Position.Line, p.Message
		if p.Message == "" {
			e.Msg = strings.TrimPrefix(p.Error(), "toml: ")
		}
	}
	return e
}

func knownKeys(key toml.Key) string {
	switch key[0] {
	case "level":
		return "a level has name, kind, size, ways, block, policy, write, allocate, inclusion, next, prefetch, victim_blocks, latency_ns and seed"
	case "memory":
		return "memory has latency_ns"
	}
	return "a configuration has [[level]] tables and one [memory] table"
}

// lineOf is the line of the key in the level's table (any table when level is negative), of the table's head when the key
// is not in it, 0 when neither is found. It serves error positions only, so a look at the text is enough.
func lineOf(data []byte, level int, key string) int {
	table, head := -1, 0
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[[") {
			if table++; table == level {
				head = i + 1
			}
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && strings.Trim(strings.TrimSpace(name), `"'`) == key && (level < 0 || table == level) {
			return i + 1
		}
	}
	return head
}

// TOML writes the configuration as a file that ParseConfig reads back equal.
func (c Config) TOML() string {
	var s strings.Builder
	for _, l := range c.Levels {
		fmt.Fprintf(&s, "[[level]]\nname = %s\nkind = %q\nsize = %q\nways = %d\nblock = %q\n", tomlString(l.Name), l.Kind, l.Size, l.Ways, l.Block)
		for _, o := range []struct{ key, value string }{
			{"policy", string(l.Policy)}, {"write", string(l.Write)}, {"inclusion", string(l.Inclusion)}, {"next", l.Next}, {"prefetch", l.Prefetch},
		} {
			if o.value != "" {
				fmt.Fprintf(&s, "%s = %s\n", o.key, tomlString(o.value))
			}
		}
		if l.NoAllocate {
			s.WriteString("allocate = false\n")
		}
		for _, o := range []struct {
			key   string
			value float64
		}{{"victim_blocks", float64(l.VictimBlocks)}, {"latency_ns", l.Latency}} {
			if o.value != 0 {
				fmt.Fprintf(&s, "%s = %v\n", o.key, o.value)
			}
		}
		if l.Seed != 0 {
			fmt.Fprintf(&s, "seed = %d\n", l.Seed)
		}
		s.WriteString("\n")
	}
	if c.Memory.Latency != 0 {
		fmt.Fprintf(&s, "[memory]\nlatency_ns = %v\n", c.Memory.Latency)
	}
	return s.String()
}

// tomlString quotes s as a TOML basic string, whose escapes are not all Go's.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
