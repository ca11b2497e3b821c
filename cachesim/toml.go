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
		"policy": policy(&l.Policy), "write": text(&l.Write), "inclusion": text(&l.Inclusion), "next": text(&l.Next),
		"prefetch": text(&l.Prefetch), "victim_blocks": whole(&l.VictimBlocks), "latency_ns": number(&l.Latency),
		"seed":   whole(&l.Seed),
		"shared": truth(func(b bool) { l.Shared = b }), "allocate": truth(func(b bool) { l.NoAllocate = !b }),
	}
}

func (b *TLB) setters() setters {
	return setters{
		"name": text(&b.Name), "kind": text(&b.Kind), "entries": whole(&b.Entries), "ways": whole(&b.Ways),
		"page":   size(&b.Page),
		"policy": policy(&b.Policy), "next": text(&b.Next), "latency_ns": number(&b.Latency), "seed": whole(&b.Seed),
	}
}

func (m *MainMemory) setters() setters { return setters{"latency_ns": number(&m.Latency)} }

func truth(set func(bool)) func(any) error {
	return func(v any) error {
		b, ok := v.(bool)
		if set(b); !ok {
			return errors.New("write true or false")
		}
		return nil
	}
}

func text[T ~string](to *T) func(any) error {
	return func(v any) error {
		s, ok := v.(string)
		if *to = T(s); !ok {
			return errors.New("write a text in quotes")
		}
		return nil
	}
}

func policy(to *Policy) func(any) error {
	read := text(to)
	return func(v any) error {
		err := read(v)
		*to = ParsePolicy(string(*to))
		return err
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
	if err := f.bounded(); err != nil {
		return Config{}, err
	}
	var tables map[string]any
	if _, err := toml.Decode(string(data), &tables); err != nil {
		return Config{}, f.syntaxError(err)
	}
	c := Config{Name: name}
	for _, key := range slices.Sorted(maps.Keys(tables)) {
		if err := f.set(&c, key, tables[key]); err != nil {
			return Config{}, err
		}
	}
	if err := c.Validate(); err != nil {
		e := &traceio.Error{File: name, Msg: err.Error(), Err: err}
		if field := (*FieldError)(nil); errors.As(err, &field) {
			table := "level"
			switch {
			case field.TLB:
				table = "tlb"
			case field.Level < 0:
				table = field.Name
			}
			e.Line = f.line(table, field.Level, field.Field)
		}
		return Config{}, e
	}
	return c, nil
}

// Bounds of a configuration: what is beyond them is another file. Its own keys stand in tables, and nowhere deeper; the
// decoder copies the whole path of a key for each of its parts.
const (
	MaxConfig  = 256 << 10 // bytes
	mostNested = 16
)

// bounded refuses text that no configuration can be.
func (f file) bounded() error {
	e := &traceio.Error{File: f.name, Hint: "a configuration is TOML with one [[level]] table per cache"}
	if len(f.text) > MaxConfig {
		e.Msg = fmt.Sprintf("it is longer than %d KiB and so no cache configuration", MaxConfig>>10)
		return e
	}
	for line := range strings.SplitSeq(string(f.text), "\n") {
		e.Line++
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "#"):
		// else no line could be looked at by itself
		case strings.Contains(trimmed, `"""`) || strings.Contains(trimmed, "'''"):
			e.Msg = "there is a text of several lines, which no configuration has"
			return e
		case tooDeep(trimmed):
			e.Msg = fmt.Sprintf("keys, lists or tables nest deeper than %d", mostNested)
			return e
		}
	}
	return nil
}

// tooDeep tells whether a line has too many brackets in each other, or a key with too many parts.
func tooDeep(line string) bool {
	var quote byte // that is open
	depth, dots := 0, 0
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return false
		case c == '[' || c == '{':
			depth, dots = depth+1, 0
		case c == ']' || c == '}':
			depth, dots = depth-1, 0
		case c == '=' || c == ',':
			dots = 0
		case c == '.':
			dots++
		}
		if depth > mostNested || dots > mostNested {
			return true
		}
	}
	return false
}

// file is a configuration's text while it is read.
type file struct {
	name string
	text []byte
}

// set stores one key of the whole file.
func (f file) set(c *Config, key string, value any) (err error) {
	switch key {
	case "cores":
		if err := whole(&c.Cores)(value); err != nil {
			return f.errorf(key, -1, key, "%s = %v cannot be; %w", key, value, err)
		}
	case "level":
		c.Levels, err = tablesOf(f, key, value, (*Level).setters)
	case "tlb":
		c.TLBs, err = tablesOf(f, key, value, (*TLB).setters)
	case "memory":
		err = f.table(key, -1, value, c.Memory.setters())
	case "walk":
		err = f.table(key, -1, value, c.Walk.setters())
	default:
		err = f.errorf(key, -1, key, "unknown key %q; a configuration has [[level]] tables and one [memory] table, and may "+
			"have cores, [[tlb]] tables and one [walk] table", key)
	}
	return err
}

func tablesOf[T any](f file, name string, value any, set func(*T) setters) ([]T, error) {
	tables, ok := value.([]map[string]any)
	if !ok {
		return nil, f.errorf(name, -1, name, "%s = %v is not a list of tables; head each with [[%s]]", name, value, name)
	}
	out := make([]T, len(tables))
	for i, t := range tables {
		if err := f.table(name, i, t, set(&out[i])); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// table stores a table's values in order of their keys; which is its number in a list of tables, -1 when it is no list.
func (f file) table(name string, which int, value any, set setters) error {
	t, ok := value.(map[string]any)
	if !ok {
		return f.errorf(name, which, name, "%s = %v is not a table; head it with [%s]", name, value, name)
	}
	for _, key := range slices.Sorted(maps.Keys(t)) {
		if set[key] == nil {
			return f.errorf(name, which, key, "unknown key %q; a %s has %s", key, name,
				strings.Join(slices.Sorted(maps.Keys(set)), ", "))
		}
		if err := set[key](t[key]); err != nil {
			return f.errorf(name, which, key, "%s = %v cannot be; %w", key, t[key], err)
		}
	}
	return nil
}

func (f file) errorf(table string, which int, key, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &traceio.Error{File: f.name, Line: f.line(table, which, key), Msg: err.Error(), Err: errors.Unwrap(err)}
}

func (f file) syntaxError(err error) error {
	e := &traceio.Error{File: f.name, Msg: strings.TrimPrefix(err.Error(), "toml: "), Err: err,
		Hint: "a configuration is TOML with one [[level]] table per cache"}
	if p := (toml.ParseError{}); errors.As(err, &p) {
		e.Line = p.Position.Line
		if p.Message != "" {
			e.Msg = strings.TrimSuffix(p.Message, ".")
		}
	}
	return e
}

// line is where a key stands in table number which of a list, or in no list when which is negative; the head of the
// table when the key is not in it, 0 when that is not found either. It serves error positions only, so a look at the
// text is enough.
func (f file) line(table string, which int, key string) int {
	count, inside, head := -1, which < 0, 0
	for i, line := range strings.Split(string(f.text), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			line, _, _ = strings.Cut(line, "#")
			name := strings.Trim(line, "[] \t")
			inside = which < 0 && (name == table || table == key)
			if which >= 0 && name == table {
				count++
				inside = which == count
			}
			if inside && (which >= 0 || name == key) {
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
	c = c.forAll()
	var w tomlWriter
	w.number("cores", float64(c.Cores))
	for _, l := range c.Levels {
		w.head("[[level]]")
		fmt.Fprintf(&w, "name = %s\nkind = %q\nsize = %q\nways = %d\nblock = %q\n", tomlString(l.Name), l.Kind,
			l.Size, l.Ways, l.Block)
		w.text("policy", string(l.Policy))
		w.text("write", string(l.Write))
		w.truth("allocate", !l.NoAllocate, true)
		w.text("inclusion", string(l.Inclusion))
		w.text("next", l.Next)
		w.text("prefetch", string(l.Prefetch))
		w.number("victim_blocks", float64(l.VictimBlocks))
		w.number("latency_ns", l.Latency)
		w.seed(l.Seed)
		w.truth("shared", l.Shared, false)
	}
	w.latency("[memory]", c.Memory)
	for _, b := range c.TLBs {
		w.head("[[tlb]]")
		fmt.Fprintf(&w, "name = %s\nkind = %q\nentries = %d\nways = %d\npage = %q\n", tomlString(b.Name), b.Kind,
			b.Entries, b.Ways, b.Page)
		w.text("policy", string(b.Policy))
		w.text("next", b.Next)
		w.number("latency_ns", b.Latency)
		w.seed(b.Seed)
	}
	w.latency("[walk]", c.Walk)
	return w.String()
}

// tomlWriter writes keys that differ from their default.
type tomlWriter struct{ strings.Builder }

func (w *tomlWriter) head(table string) {
	if w.Len() > 0 {
		w.WriteByte('\n')
	}
	w.WriteString(table + "\n")
}

func (w *tomlWriter) text(key, value string) {
	if value != "" {
		fmt.Fprintf(w, "%s = %s\n", key, tomlString(value))
	}
}

func (w *tomlWriter) number(key string, value float64) {
	if value != 0 {
		fmt.Fprintf(w, "%s = %v\n", key, value)
	}
}

// seed is not a number above: not all of its values are a float64's.
func (w *tomlWriter) seed(value int64) {
	if value != 0 {
		fmt.Fprintf(w, "seed = %d\n", value)
	}
}

func (w *tomlWriter) truth(key string, value, usual bool) {
	if value != usual {
		fmt.Fprintf(w, "%s = %v\n", key, value)
	}
}

func (w *tomlWriter) latency(table string, m MainMemory) {
	if m.Latency != 0 {
		w.head(table)
		w.number("latency_ns", m.Latency)
	}
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
