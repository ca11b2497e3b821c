package gossa

import (
	"fmt"
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
)

// headingMark begins the files that Record makes. Behind it stand the sources, the function's own first:
//
//	# orrery graph record go1.26.8 amd64
//	# source "/home/u/m/main.go" 7 "multiply"
//	# |func multiply(a, b, c *[n][n]float64) {
const headingMark = "# orrery graph record"

// heading is what Record knows and the compiler's dump does not have.
type heading struct {
	compiler string
	sources  []text
}

// text is the source of one function.
type text struct {
	function, file string
	first, last    int
	lines          []string
}

// take parses one line.
func (h *heading) take(line string) {
	if rest, ok := strings.CutPrefix(line, "# |"); ok {
		if n := len(h.sources); n > 0 {
			s := &h.sources[n-1]
			s.lines = append(s.lines, rest)
			s.last = s.first + len(s.lines) - 1
		}
		return
	}
	if rest, ok := strings.CutPrefix(line, headingMark); ok {
		h.compiler = strings.TrimSpace(rest)
		return
	}
	rest, ok := strings.CutPrefix(line, "# source ")
	if !ok {
		return
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return
	}
	t := text{}
	t.file, _ = strconv.Unquote(quoted)
	number, name, _ := strings.Cut(strings.TrimSpace(rest[len(quoted):]), " ")
	if t.first, err = strconv.Atoi(number); err != nil || t.first < 1 || t.first > 1<<30 {
		return
	}
	t.function, _ = strconv.Unquote(name)
	t.last = t.first - 1
	h.sources = append(h.sources, t)
}

// String is the heading as it stands in a file.
func (h *heading) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", headingMark, h.compiler)
	for _, t := range h.sources {
		fmt.Fprintf(&b, "# source %q %d %q\n", t.file, t.first, t.function)
		for _, l := range t.lines {
			fmt.Fprintf(&b, "# |%s\n", l)
		}
	}
	return b.String()
}

// own is the source of a group, nil when the heading does not have it.
func (h *heading) own(g *irgraph.Group) *text {
	for i := range h.sources {
		if h.sources[i].function == g.Name {
			return &h.sources[i]
		}
	}
	return nil
}

// method is the source behind a group whose code has lines of the functions given.
func (h *heading) method(g *irgraph.Group, has func(t *text) bool) *irgraph.Method {
	own := h.own(g)
	if own == nil {
		return nil
	}
	m := own.method()
	for i := range h.sources {
		if t := &h.sources[i]; t != own && has(t) {
			m.Inlined = append(m.Inlined, t.method())
		}
	}
	return m
}

func (t *text) method() *irgraph.Method {
	return &irgraph.Method{Name: t.function, At: -1, Source: &irgraph.Source{File: t.file, First: t.first,
		Text: strings.Join(t.lines, "\n")}}
}
