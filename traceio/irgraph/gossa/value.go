package gossa

import (
	"strings"
)

// value is one line of a dump:
//
//	(+12) v34 = MOVSDloadidx8 <float64> {sym} [8] v27 v17 v83 : X1 (sum[float64]) DEAD
//
// In the HTML the position stands behind the number.
type value struct {
	id, op, typ   string
	aux, register string
	names         string
	label         string // all behind the number
	line          string // decimal; "" when unknown
	args          []string
	dead          bool
}

// parseValue parses a line; ok is false when it is none of a value.
func parseValue(s string) (v value, ok bool) {
	s = strings.TrimSpace(s)
	if v.line, s, ok = position(s); !ok && !strings.HasPrefix(s, "v") {
		return v, false
	}
	id, rest, ok := strings.Cut(s, " ")
	if !ok || !numbered(id, 'v') {
		return v, false
	}
	if v.id = id; strings.HasPrefix(rest, "(") {
		v.line, rest, _ = position(rest)
	}
	if rest, ok = strings.CutPrefix(rest, "= "); !ok {
		return v, false
	}
	v.label = rest
	if rest, v.dead = strings.CutSuffix(rest, " DEAD"); v.dead {
		v.label = rest
	}
	v.op, rest, _ = strings.Cut(rest, " ")
	if strings.HasPrefix(rest, "<") {
		n := closing(rest)
		if n == 0 {
			return v, false
		}
		v.typ, rest = rest[1:n-1], rest[n:]
	}
	v.operands(rest)
	return v, v.op != ""
}

// operands reads what stands behind the type.
func (v *value) operands(s string) {
	var aux []string
	for s = strings.TrimLeft(s, " "); s != ""; s = strings.TrimLeft(s, " ") {
		switch {
		case s[0] == '{' || s[0] == '[':
			n := closing(s)
			if n == 0 {
				n = len(s)
			}
			aux = append(aux, s[:n])
			s = s[n:]
		case strings.HasPrefix(s, ": "):
			v.register, s = untilNames(s[2:])
		case s[0] == '(':
			v.names = strings.TrimSuffix(s[1:], ")")
			s = ""
		default:
			var word string
			word, s, _ = strings.Cut(s, " ")
			if numbered(word, 'v') {
				v.args = append(v.args, word)
			} else {
				aux = append(aux, word)
			}
		}
	}
	v.aux = strings.Join(aux, " ")
}

// untilNames cuts a register, which may be a pair "<AX,DX>" or a slot of the stack "x[int]", from the names behind it.
func untilNames(s string) (register, rest string) {
	if i := strings.Index(s, " ("); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// position reads "(+12) ", "(?) " in front of s.
func position(s string) (line, rest string, ok bool) {
	inner, rest, ok := strings.Cut(strings.TrimPrefix(s, "("), ")")
	if !ok || !strings.HasPrefix(s, "(") || len(inner) == 0 || len(inner) > 12 {
		return "", s, false
	}
	inner = strings.TrimLeft(inner, "+-")
	if inner == "?" {
		return "", strings.TrimLeft(rest, " "), true
	}
	if inner == "" || strings.Trim(inner, "0123456789") != "" {
		return "", s, false
	}
	return inner, strings.TrimLeft(rest, " "), true
}

// numbered reports whether word is a letter and a number: "v12".
func numbered(word string, letter byte) bool {
	return len(word) > 1 && len(word) < 12 && word[0] == letter && strings.Trim(word[1:], "0123456789") == ""
}

// closing is the end of the bracketed text that s begins with, 0 when it does not close. The arrows of channel types
// are no brackets, and neither is what stands in quotes.
func closing(s string) int {
	open := s[0]
	shut := map[byte]byte{'<': '>', '{': '}', '[': ']', '(': ')'}[open]
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '<' && strings.HasPrefix(s[i:], "<-"), c == '>' && i > 0 && s[i-1] == '-':
		case c == open:
			depth++
		case c == shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// ending is the last line of a block: "LT v61 -> b3 b5 (likely)", "Ret v75", "Plain -> b2".
type ending struct {
	kind, label string
	controls    []string
	successors  []string
}

func parseEnding(s string) (e ending, ok bool) {
	e.label = strings.TrimSpace(s)
	behind := false
	for i, word := range strings.Fields(e.label) {
		switch {
		case i == 0:
			e.kind = word
		case word == "->" || word == "→":
			behind = true
		case behind && numbered(word, 'b'):
			e.successors = append(e.successors, word)
		case !behind && numbered(word, 'v'):
			e.controls = append(e.controls, word)
		}
	}
	first := e.kind != "" && e.kind[0] >= 'A' && e.kind[0] <= 'Z'
	return e, first && (behind || len(e.controls) > 0 || e.kind == "Exit" || e.kind == "BlockInvalid" ||
		e.kind == "Ret" || e.kind == "RetJmp")
}

// Categories of operations. The names are those of the compiler: generic ("Load", "Zero"), lowered ("MOVQloadidx8",
// "LoweredNilCheck", "DUFFZERO").
func classify(op, typ string) (category, access string) {
	lower := strings.ToLower(op)
	memory := typ == "mem" || strings.HasSuffix(typ, ",mem>")
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(lower, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("modify", "atomic", "xchg", "xadd", "cmpxchg", "movelarge", "loweredmove", "duffcopy", "repmovs", "ldp",
		"casal") || op == "Move" || op == "MoveWB":
		access = "load store"
	case has("zero") && memory, has("store", "repstos", "duffzero"):
		access = "store"
	case has("load", "nilcheck"):
		access = "load"
	}
	switch {
	case op == "Phi" && !memory:
		return "phi", ""
	case op == "Phi", op == "InitMem", access != "":
		return "memory", access
	case has("call"):
		return "effect", ""
	case memory, has("vardef", "varlive", "keepalive"):
		return "effect", ""
	case strings.HasPrefix(op, "Const"), strings.HasSuffix(op, "const") && strings.HasPrefix(op, "MOV"), op == "SB",
		op == "SP", op == "Addr":
		return "constant", ""
	}
	return "data", ""
}
