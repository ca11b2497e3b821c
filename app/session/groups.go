package session

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Group is source lines that the user wants to see as one: "inner = bubble.c:4-6, swap".
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

// ParseGroup reads "name=member,member...", where a member is FILE, FILE:LINE, FILE:LINE-LINE or the name of a function. A
// name with a dot and no bracket is a file's.
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
func (g *Group) Has(file string, line int, function string) bool {
	for _, m := range g.Members {
		switch {
		case m.Function != "":
			if m.Function == function || m.Function == plain(function) {
				return true
			}
		case m.File == file || m.File == path.Base(file):
			if m.Low == 0 || line >= m.Low && line <= m.High {
				return true
			}
		}
	}
	return false
}

// plain is a function's name without its parameters.
func plain(function string) string {
	name, _, _ := strings.Cut(function, "(")
	return name
}

// String gives what ParseGroup reads.
func (g Group) String() string {
	var parts []string
	for _, m := range g.Members {
		switch {
		case m.Function != "":
			parts = append(parts, m.Function)
		case m.Low == 0:
			parts = append(parts, m.File)
		case m.Low == m.High:
			parts = append(parts, fmt.Sprintf("%s:%d", m.File, m.Low))
		default:
			parts = append(parts, fmt.Sprintf("%s:%d-%d", m.File, m.Low, m.High))
		}
	}
	return g.Name + "=" + strings.Join(parts, ",")
}
