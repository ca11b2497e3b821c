package heap

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"orrery/traceio"
)

// token is a word of a rule with its place, both from 1.
type token struct {
	text         string
	line, column int
	written      bool // in the text; each line ends without a word too
}

// ParseRule reads a rule (see Rule). An error is a *traceio.Error with the line, and the column in its words; name is
// what the text is called in it.
func ParseRule(name, text string) (*Rule, error) {
	p := ruleParser{name: name, tokens: ruleTokens(text)}
	r := &Rule{Text: strings.TrimSpace(text)}
	p.skipEnds()
	if len(p.tokens) == 0 {
		return nil, &traceio.Error{File: name, Msg: "the rule is empty",
			Hint: "write glibc, arenas, pools, threads, sites, sizes 64 4K, or clauses such as small: size <= 64"}
	}
	if kind, ok := ruleWords[p.peek().text]; ok && p.after(1).text != ":" {
		p.next()
		if r.kind = kind; kind == bySize {
			if err := p.limits(r); err != nil {
				return nil, err
			}
		}
		if p.skipEnds(); len(p.tokens) > 0 {
			return nil, p.fail(p.peek(), "a rule of one word ends there; %q follows", p.peek().text)
		}
		if kind == bySizeClass {
			return glibc, nil
		}
		return r, nil
	}
	r.kind = byClause
	for len(p.tokens) > 0 {
		c, err := p.clause()
		if err != nil {
			return nil, err
		}
		if r.clauses = append(r.clauses, c); len(r.clauses) >= maxBins {
			return nil, p.fail(p.last, "a rule has at most %d clauses", maxBins-1)
		}
		p.skipEnds()
	}
	return r, nil
}

// ruleTokens cuts a text into words, operators and ends of clauses, which are ";".
func ruleTokens(text string) (out []token) {
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for i := 0; i < len(line); {
			c := line[i]
			end := i + 1
			switch {
			case c == ' ' || c == '\t' || c == '\r':
				i++
				continue
			case c == '"':
				for end < len(line) && line[end] != '"' {
					end++
				}
				end = min(end+1, len(line))
			case strings.IndexByte("<>!=", c) >= 0:
				if end < len(line) && line[end] == '=' {
					end++
				}
			case c == ':' || c == ';':
			default:
				for end < len(line) && strings.IndexByte(" \t\r<>!=;\"", line[end]) < 0 &&
					!(line[end] == ':' && (end+1 == len(line) || line[end+1] == ' ')) {
					end++
				}
			}
			out = append(out, token{line[i:end], n + 1, i + 1, true})
			i = end
		}
		out = append(out, token{";", n + 1, len(line) + 1, false})
	}
	return out
}

// String names a word in an error: an end that was not written is the end of what was.
func (t token) String() string {
	if t.text == ";" && !t.written {
		return "the end of the line"
	}
	return strconv.Quote(t.text)
}

type ruleParser struct {
	name   string
	tokens []token
	last   token
}

func (p *ruleParser) peek() token { return p.after(0) }

func (p *ruleParser) after(n int) token {
	if n >= len(p.tokens) {
		return token{";", p.last.line, p.last.column + len(p.last.text), false}
	}
	return p.tokens[n]
}

func (p *ruleParser) next() token {
	p.last = p.peek()
	p.tokens = p.tokens[min(1, len(p.tokens)):]
	return p.last
}

func (p *ruleParser) skipEnds() {
	for len(p.tokens) > 0 && p.tokens[0].text == ";" {
		p.next()
	}
}

func (p *ruleParser) fail(at token, format string, args ...any) error {
	return &traceio.Error{File: p.name, Line: max(1, at.line), Msg: fmt.Sprintf("column %d: ",
		at.column) + fmt.Sprintf(format, args...), Hint: "orrery heap --help shows rules"}
}

func (p *ruleParser) limits(r *Rule) error {
	for p.peek().text != ";" {
		t := p.next()
		n, ok := ruleNumber(t.text)
		switch {
		case !ok:
			return p.fail(t, "%q is not a number of bytes", t.text)
		case len(r.limits) > 0 && n <= r.limits[len(r.limits)-1]:
			return p.fail(t, "%s is not more than the size before it", t.text)
		case len(r.limits) >= maxBins-1:
			return p.fail(t, "a rule has at most %d sizes", maxBins-1)
		}
		r.limits = append(r.limits, n)
	}
	if len(r.limits) == 0 {
		return p.fail(p.peek(), "sizes needs numbers of bytes")
	}
	return nil
}

// clause reads "NAME: TEST and TEST".
func (p *ruleParser) clause() (clause, error) {
	var c clause
	if p.after(1).text == ":" {
		c.name = strings.Trim(p.next().text, `"`)
		p.next()
	}
	var words []string
	for {
		before := p.tokens
		t, err := p.test()
		if err != nil {
			return c, err
		}
		c.tests = append(c.tests, t)
		for _, w := range before[:len(before)-len(p.tokens)] {
			words = append(words, w.text)
		}
		at := p.next()
		if at.text == ";" {
			break
		}
		if at.text != "and" {
			return c, p.fail(at, "and, a semicolon or the end of the line is expected, not %s", at)
		}
		words = append(words, "and")
	}
	if c.name == "" {
		c.name = strings.Join(words, " ")
	}
	return c, nil
}

func (p *ruleParser) test() (test, error) {
	at := p.next()
	prop, ok := properties[at.text]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(properties)), ", ")
		if at.text == ";" {
			return test{}, p.fail(at, "a property of a block is expected, not %s: %s", at, known)
		}
		return test{}, p.fail(at, "%q is no property of a block: %s", at.text, known)
	}
	t := test{property: prop, high: anyNumber}
	switch prop {
	case everything, mappedOnly:
		return t, nil
	case siteWord:
		if op := p.peek().text; op == "=" || op == "!=" {
			p.next()
			t.not = op == "!="
		}
		word := p.next()
		if t.word = strings.Trim(word.text, `"`); word.text == ";" || t.word == "" {
			return t, p.fail(word, "site needs a word of the site's name")
		}
		return t, nil
	}
	return t, p.compare(&t)
}

// compare reads "<= 64" or "= 24..40".
func (p *ruleParser) compare(t *test) error {
	op := p.next()
	number := p.next()
	low, high, isRange := strings.Cut(number.text, "..")
	a, ok := ruleNumber(low)
	b, ok2 := a, true
	if isRange {
		b, ok2 = ruleNumber(high)
	}
	switch {
	case !strings.Contains("< <= = == != >= >", op.text) || op.text == "":
		return p.fail(op, "<, <=, =, !=, >= or > is expected, not %s", op)
	case number.text == ";":
		return p.fail(number, "a number is expected, not %s", number)
	case !ok || !ok2:
		return p.fail(number, "%q is not a number", number.text)
	case isRange && (op.text[0] == '<' || op.text[0] == '>'):
		return p.fail(number, "a range goes with = or !=")
	case isRange && a > b:
		return p.fail(number, "the range %s is empty", number.text)
	}
	switch op.text {
	case "<":
		if a == 0 {
			return p.fail(number, "nothing is below 0")
		}
		t.high = a - 1
	case "<=":
		t.high = a
	case ">=":
		t.low = a
	case ">":
		if a == anyNumber {
			return p.fail(number, "nothing is above %s", number.text)
		}
		t.low = a + 1
	default:
		t.low, t.high, t.not = a, b, op.text == "!="
	}
	return nil
}

// ruleNumber reads 64, 0x40, 4K, 1M or 2G.
func ruleNumber(s string) (uint64, bool) {
	shift := 0
	if n := len(s); n > 1 && !strings.HasPrefix(s, "0x") {
		if k := strings.IndexByte("KMG", s[n-1]); k >= 0 {
			shift = 10 * (k + 1)
			s = s[:n-1]
		}
	}
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil || strings.ContainsAny(s, "_") || v > anyNumber>>shift {
		return 0, false
	}
	return v << shift, true
}
