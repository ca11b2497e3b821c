package dot

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
)

// position is what -lineno puts in front of statements and of operands: "[sum.c:6:11]".
var position = regexp.MustCompile(`\[([^\[\]:]+):(\d+):\d+\] ?`)

// heading is the first line of a block, with or without how often it is thought to run: "COUNT:955630225<bb 3>:".
var heading = regexp.MustCompile(`^(?:COUNT:(\d+))?<?bb (\d+)>?:?$`)

// statement is one of GCC's, with where it comes from.
type statement struct {
	file   string
	line   int // 0 unknown
	text   string
	access string // as irgraph.KeyAccess
}

// statements reads a block's text: what it does, without notes for debuggers.
func statements(text string) (out []statement) {
	for _, line := range strings.Split(text, "\n") {
		s := statement{text: strings.TrimSpace(line)}
		if m := position.FindStringSubmatch(s.text); m != nil {
			s.file = m[1]
			s.line, _ = strconv.Atoi(m[2])
		}
		s.text = position.ReplaceAllString(s.text, "")
		if s.text == "" || strings.HasPrefix(s.text, "# DEBUG") || strings.HasPrefix(s.text, "# .MEM") {
			continue
		}
		s.access = accessOf(s.text)
		out = append(out, s)
	}
	return out
}

var (
	quoted  = regexp.MustCompile(`"[^"]*"`)
	address = regexp.MustCompile(`&[\w.]+(\[[^\]]*\]|->\w+|\.\w+)*`) // no reference: "&A[i_2].next"
	deref   = regexp.MustCompile(`\*[A-Za-z_(&]|->|\w\[|MEM[ <\[]`)  // "*p_3", "p_3->next", "A[i_2]", "MEM[(int *)p_3]"
)

// accessOf reports whether a statement refers to memory. Variables of which GCC does not write how it comes at them,
// such as globals by name, are not seen.
func accessOf(text string) string {
	if !strings.HasSuffix(text, ";") || strings.HasPrefix(text, "goto ") || strings.HasPrefix(text, "# ") {
		return ""
	}
	text = address.ReplaceAllString(quoted.ReplaceAllString(text, ""), "")
	to, from, assigns := strings.Cut(text, " = ")
	if !assigns {
		to, from = "", text
	}
	load, store := deref.MatchString(from), deref.MatchString(to)
	switch {
	case load && store:
		return "load store"
	case load:
		return "load"
	case store:
		return "store"
	}
	return ""
}

// block gives the properties of a basic block: its statements as text, how often it is thought to run, whether it
// refers to memory, and the lines that it comes from: those of its references where it has some.
func (p *parser) block(id string, own irgraph.Properties) irgraph.Properties {
	text := own.Get(irgraph.KeyLabel)
	text = strings.NewReplacer(`\l`, "\n", `\n`, "\n", `\ `, " ", `\<`, "<", `\>`, ">", `\{`, "{", `\}`, "}", `\|`, "|",
		`\"`, `"`, `\\`, `\`, "\n|", "\n").Replace(text)
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "{"), "}"))
	first, rest, _ := strings.Cut(text, "\n")
	name, count := strings.TrimSpace(first), ""
	if m := heading.FindStringSubmatch(name); m != nil {
		name, count = "", m[1]
	} else {
		name = strings.Trim(name, "<>: ")
	}
	all := statements(rest)
	lines, access := linesOf(all)
	switch {
	case name != "":
	case len(lines) == 1:
		name = "line " + lines[0]
	case len(lines) > 1:
		name = "lines " + strings.Join(lines, ", ")
	case len(all) > 0:
		name = all[0].text
	default:
		name = "empty"
	}
	out := irgraph.Properties{{Key: irgraph.KeyName, Value: p.pool.Text(name)},
		{Key: irgraph.KeyLabel, Value: p.pool.Text(text)},
		{Key: irgraph.KeyCategory, Value: "control"}, {Key: irgraph.KeyBlock, Value: id}}
	add := func(key, value string) {
		if value != "" {
			out = append(out, irgraph.Property{Key: key, Value: p.pool.Text(value)})
		}
	}
	add(irgraph.KeyAccess, access)
	if len(lines) > 0 {
		at := slices.IndexFunc(all, func(s statement) bool { return strconv.Itoa(s.line) == lines[0] })
		add(irgraph.KeyFile, all[at].file)
		add(irgraph.KeyLine, lines[0])
		add(irgraph.KeyLines, strings.Join(lines[1:], " "))
	}
	add("count", count)
	return out
}

// linesOf are the lines of one file that statements come from, in their order: of those that refer to memory where
// there are some, and how those do it.
func linesOf(all []statement) (lines []string, access string) {
	load, store := false, false
	for _, s := range all {
		load, store = load || strings.HasPrefix(s.access, "load"), store || strings.HasSuffix(s.access, "store")
	}
	file := ""
	for _, s := range all {
		if s.line == 0 || (load || store) && s.access == "" || file != "" && s.file != file {
			continue
		}
		file = s.file
		if text := strconv.Itoa(s.line); !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	switch {
	case load && store:
		access = "load store"
	case load:
		access = "load"
	case store:
		access = "store"
	}
	return lines, access
}
