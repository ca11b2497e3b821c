package session

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"orrery/analysis/attribution"
)

// Group is source lines that the user wants to see as one: "inner = bubble.c:4-6, swap". In names of files and
// functions * and ? match.
type Group struct {
	Name    string
	Members []Member
}

// Member is lines of a file (Low 0: all of them), or a function.
type Member struct {
	File      string // the whole path or its last part
	Low, High int
	Function  string
}

// ParseGroup reads "name=member,member...", where a member is FILE, FILE:LINE, FILE:LINE-LINE or the name of a
// function. A name with a dot and no bracket is a file's.
func ParseGroup(text string) (Group, error) {
	name, list, ok := strings.Cut(text, "=")
	g := Group{Name: strings.TrimSpace(name)}
	if !ok || g.Name == "" || strings.TrimSpace(list) == "" {
		return Group{}, fmt.Errorf("group %q is not NAME=MEMBER,MEMBER..., for example inner=bubble.c:4-6,swap", text)
	}
	for _, part := range parts(list) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		m, err := parseMember(part)
		if err != nil {
			return Group{}, err
		}
		g.Members = append(g.Members, m)
	}
	return g, nil
}

// parts cuts a list at its commas, but for those within the brackets of a function's name.
func parts(list string) []string {
	depth := 0
	return strings.FieldsFunc(list, func(r rune) bool {
		switch r {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		}
		return r == ',' && depth <= 0
	})
}

func parseMember(text string) (Member, error) {
	at := strings.LastIndexByte(text, ':')
	if at > 0 && text[at-1] != ':' && at+1 < len(text) && text[at+1] >= '0' && text[at+1] <= '9' {
		low, high, span := strings.Cut(text[at+1:], "-")
		if !span {
			high = low
		}
		a, err1 := strconv.Atoi(low)
		b, err2 := strconv.Atoi(high)
		if err1 != nil || err2 != nil || a < 1 || b < a {
			return Member{}, fmt.Errorf("%q is not a line or a range of lines, for example %s:4-6", text, text[:at])
		}
		return Member{File: text[:at], Low: a, High: b}, nil
	}
	if strings.Contains(text, ".") && !strings.ContainsAny(text, "(<") {
		return Member{File: text}, nil
	}
	return Member{Function: text}, nil
}

// Has tells whether a line belongs to the group.
func (g *Group) Has(l attribution.Line) bool {
	return slices.ContainsFunc(g.Members, func(m Member) bool { return m.has(&l) })
}

func (m *Member) has(l *attribution.Line) bool {
	if m.Function != "" {
		return isCalled(l, m.Function)
	}
	if m.Low > 0 {
		return l.Line >= m.Low && l.Line <= m.High && (matches(m.File, l.File) || matches(m.File, path.Base(l.File)))
	}
	// A name with a dot may be a function's, as in Go: main.sum.
	return l.File != "" && (matches(m.File, l.File) || matches(m.File, path.Base(l.File))) || isCalled(l, m.File)
}

// isCalled tells whether a pattern is a name of a line's function: as it is printed, with or without its library;
// without parameters; or without the arguments of templates and a type in front, too: std::vector::operator[].
func isCalled(l *attribution.Line, pattern string) bool {
	if l.Function == "" {
		return false
	}
	return matches(pattern, l.Function) || matches(pattern, l.Code()) || matches(pattern, bare(l.Function, false)) ||
		matches(pattern, bare(l.Function, true))
}

// bare is a function's name without its parameters and what stands behind them, and, where templates go, without their
// arguments and the type of the result, too. Brackets that are part of an operator's name stay.
func bare(function string, templates bool) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(function); i++ {
		rest := function[i:]
		if depth == 0 {
			if name := operator(rest); name != "" && (i == 0 || !isWord(function[i-1])) {
				out.WriteString(name)
				i += len(name) - 1
				continue
			}
			// (*T) of a Go method goes on
			if rest[0] == '(' && i > 0 && function[i-1] != '.' && !strings.HasPrefix(rest, "(anonymous namespace)") {
				break
			}
		}
		switch c := rest[0]; {
		case c == '<' && templates:
			depth++
		case c == '>' && templates && depth > 0:
			depth--
		case depth > 0:
		case c == ' ' && templates && strings.HasPrefix(rest, " <"): // operator<< <char>
		case c == ' ' && templates && !strings.HasSuffix(out.String(), "anonymous"):
			out.Reset() // it was the type of the result
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// operators are the names of operators with brackets in them, the longest first.
var operators = []string{"operator<<=", "operator>>=", "operator<=>", "operator<<", "operator>>", "operator<=",
	"operator>=", "operator->*", "operator->", "operator()",
	"operator[]", "operator<", "operator>"}

// operator is the operator's name that a text begins with, "" for none.
func operator(text string) string {
	for _, name := range operators {
		if strings.HasPrefix(text, name) {
			return name
		}
	}
	return ""
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// matches tells whether a name is the pattern's, in which * stands for any text and ? for any character. What is called
// like the pattern is matched by it, whatever characters it has.
func matches(pattern, name string) bool {
	if pattern == name {
		return true
	}
	if !strings.ContainsAny(pattern, "*?") {
		return false
	}
	// The last star takes as little as it can, and more when the rest does not fit.
	p, n, star, taken := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, taken = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			taken++
			p, n = star+1, taken
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// CheckGroup refuses a group with a member that is nothing in the recording, and one of which no window of an analysis
// begins in.
func (r *Recording) CheckGroup(c *Cycles, g Group) error {
	for i := range g.Members {
		m := &g.Members[i]
		found := false
		for id := 0; id < r.Lines.Len() && !found; id++ {
			l := r.Lines.At(int32(id))
			found = m.has(&l)
		}
		if !found {
			return fmt.Errorf(
				"nothing in %s is called %q, a member of %s; orrery cache FILE --by line or --by function lists the names",
				r.Name(), m, g.Name)
		}
	}
	for _, id := range c.Lines {
		if id >= 0 && g.Has(r.Lines.At(id)) {
			return nil
		}
	}
	return fmt.Errorf("%s has no reference of the stretch that is analysed; choose another with --from and --count",
		g.Name)
}

// String gives what ParseGroup reads.
func (g Group) String() string {
	var parts []string
	for _, m := range g.Members {
		parts = append(parts, m.String())
	}
	return g.Name + "=" + strings.Join(parts, ",")
}

// String is the member as ParseGroup reads it.
func (m Member) String() string {
	switch {
	case m.Function != "":
		return m.Function
	case m.Low == 0:
		return m.File
	case m.Low == m.High:
		return fmt.Sprintf("%s:%d", m.File, m.Low)
	}
	return fmt.Sprintf("%s:%d-%d", m.File, m.Low, m.High)
}
