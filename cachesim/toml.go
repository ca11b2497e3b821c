package cachesim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"orrery/traceio"
)

// setters store the values of a table, by key. An error says what would be right.
type setters map[string]func(value any) error

func (l *Level) setters() setters {
	return setters{
		"name": text(&l.Name), "kind": text(&l.Kind), "size": size(&l.Size), "ways": whole(&l.Ways), "block": size(&l.Block),
		"policy": text(&l.Policy), "write": text(&l.Write), "inclusion": text(&l.Inclusion), "next": text(&l.Next),
		"prefetch": text(&l.Prefetch), "victim_blocks": whole(&l.VictimBlocks), "latency_ns": number(&l.Latency), "seed": whole(&l.Seed),
		"allocate": func(v any) error {
			b, ok := v.(bool)
			if l.NoAllocate = !b; !ok {
				return errors.New("write true or false")
			}
			return nil
		},
	}
}

func (m *MainMemory) setters() setters { return setters{"latency_ns": number(&m.Latency)} }

func text[T ~string](to *T) func(any) error {
	return func(v any) error {
		s, ok := v.(string)
		if *to = T(s); !ok {
			return errors.New("write a text in quotes")
		}
		return nil
	}
}

func whole[T ~int | ~int64](to *T) func(any) error {
	return func(v any) error {
		n, ok := v.(int64)
		if *to = T(n); !ok {
			return errors.New("write a whole number")
		}
		return nil
	}
}

func number(to *float64) func(any) error {
	return func(v any) error {
		switch v := v.(type) {
		case int64:
			*to = float64(v)
		case float64:
			*to = v
		default:
			return errors.New("write a number")
		}
		return nil
	}
}

func size(to *Size) func(any) error {
	return func(v any) (err error) {
		switch v := v.(type) {
		case int64:
			if *to = Size(v); v < 0 {
				return errors.New("a size is a number of bytes, not negative")
			}
		case string:
			*to, err = ParseSize(v)
		default:
			return errors.New(`write bytes as 512, or "32KiB"`)
		}
		return err
	}
}

// ParseConfig reads a configuration file. Name stands in errors and becomes Config.Name. An error is a *traceio.Error
// with the line; when the text is sound but the hierarchy cannot be, it wraps the *FieldError of Validate.
func ParseConfig(data []byte, name string) (Config, error) {
	f := file{name: name, text: data}
	var tables map[string]any
	if _, err := toml.Decode(string(data), &tables); err != nil {
		return Config{}, f.syntaxError(err)
	}
	c := Config{Name: name}
	for _, key := range slices.Sorted(maps.Keys(tables)) {
		var err error
		switch key {
		case "level":
			c.Levels, err = f.levels(tables[key])
		case "memory":
			err = f.table(-1, key, tables[key], c.Memory.setters())
		default:
			err = f.errorf(-1, key, "unknown key %q; a configuration has [[level]] tables and one [memory] table", key)
		}
		if err != nil {
			return Config{}, err
		}
	}
	if err := c.Validate(); err != nil {
		e := &traceio.Error{File: name, Msg: err.Error(), Err: err}
		if field := (*FieldError)(nil); errors.As(err, &field) {
			e.Line = f.line(field.Level, field.Field)
		}
		return Config{}, e
	}
	return c, nil
}

// file is a configuration's text while it is read.
type file struct {
	name string
	text []byte
}

func (f file) levels(value any) ([]Level, error) {
	tables, ok := value.([]map[string]any)
	if !ok {
		return nil, f.errorf(-1, "level", "level = %v is not a list of tables; head each with [[level]]", value)
	}
	levels := make([]Level, len(tables))
	for i, t := range tables {
		if err := f.table(i, "level", t, levels[i].setters()); err != nil {
			return nil, err
		}
	}
	return levels, nil
}

// table stores a table's values in order of their keys.
func (f file) table(level int, name string, value any, set setters) error {
	t, ok := value.(map[string]any)
	if !ok {
		return f.errorf(level, name, "%s = %v is not a table; head it with [%s]", name, value, name)
	}
	for _, key := range slices.Sorted(maps.Keys(t)) {
		if set[key] == nil {
			return f.errorf(level, key, "unknown key %q; a %s has %s", key, name, strings.Join(slices.Sorted(maps.Keys(set)), ", "))
		}
		if err := set[key](t[key]); err != nil {
			return f.errorf(level, key, "%s = %v cannot be; %w", key, t[key], err)
		}
	}
	return nil
}

func (f file) errorf(level int, key, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &traceio.Error{File: f.name, Line: f.line(level, key), Msg: err.Error(), Err: errors.Unwrap(err)}
}

func (f file) syntaxError(err error) error {
	e := &traceio.Error{File: f.name, Msg: strings.TrimPrefix(err.Error(), "toml: "), Err: err, Hint: "a configuration is TOML with one [[level]] table per cache"}
	if p := (toml.ParseError{}); errors.As(err, &p) {
		e.Line = p.Position.Line
		if p.Message != "" {
			e.Msg = strings.TrimSuffix(p.Message, ".")
		}
	}
	return e
}

// line is where a key stands in the table of a level, or in no level when level is negative; the head of the table when the
// key is not in it, 0 when that is not found either. It serves error positions only, so a look at the text is enough.
func (f file) line(level int, key string) int {
	table, inside, head := -1, level < 0, 0
	for i, line := range strings.Split(string(f.text), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			line, _, _ = strings.Cut(line, "#")
			name := strings.Trim(line, "[] \t")
			inside = level < 0 && name != "level"
			if name == "level" {
				table++
				inside = level == table
			}
			if inside && (level >= 0 || name == key) {
				head = i + 1
			}
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && inside && strings.Trim(strings.TrimSpace(name), `"'`) == key {
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
