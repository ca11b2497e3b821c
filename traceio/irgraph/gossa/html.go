package gossa

import (
	"bufio"
	"bytes"
	"html"
	"io"
	"strconv"
	"strings"

	"orrery/traceio/irgraph"
)

// SniffHTML reports whether a file begins like the compiler's ssa.html.
func SniffHTML(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \r\n\t"), []byte("<html>")) &&
		(bytes.Contains(head, []byte("ssa-value-list")) || bytes.Contains(head, []byte("ssa-long-value")))
}

// ReadHTML reads ssa.html. Passes that changed nothing have their names above the graph of the next one that did; here
// each has a snapshot, as in the text. Problems have byte offsets. The error is an *traceio.Error.
func ReadHTML(r io.Reader, name string) (*irgraph.Document, error) {
	p := &page{dump: newDump(name), tags: &tags{r: bufio.NewReaderSize(r, 1<<16)}}
	for {
		tag, text, err := p.tags.next()
		if text != "" {
			p.take(text)
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			if p.begun {
				p.close()
			}
			return p.dump.finish(err)
		}
		p.at = irgraph.Position{Offset: p.tags.offset}
		p.tag(tag)
	}
}

// tags splits a page into tags and the text between them.
type tags struct {
	r      *bufio.Reader
	offset int64
}

// maxText bounds one tag or text; the longest values have some thousand characters, the page's program some ten
// thousand.
const maxText = 1 << 20

// next gives the text up to the next tag, and the tag without its brackets. Of a longer text the beginning is given.
func (t *tags) next() (tag, text string, err error) {
	if text, err = t.until('<'); err != nil {
		return "", text, err
	}
	tag, err = t.until('>')
	return tag, html.UnescapeString(text), err
}

func (t *tags) until(end byte) (string, error) {
	var b []byte
	for {
		part, err := t.r.ReadSlice(end)
		t.offset += int64(len(part))
		if len(b) < maxText {
			b = append(b, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		return strings.TrimSuffix(string(b), string(end)), err
	}
}

// page is an ssa.html being read.
type page struct {
	*dump
	tags  *tags
	begun bool
	names []string        // of the column
	text  strings.Builder // of the element that collects: a heading, a line
	dead  bool
	src   string // of the next instruction
	line  int    // of the next source line; 0 outside of sources
}

// take parses text between tags.
func (p *page) take(text string) {
	if p.text.Len() < maxText {
		p.text.WriteString(text)
	}
}

// tag parses one tag.
func (p *page) tag(tag string) {
	name, rest, _ := strings.Cut(tag, " ")
	switch name {
	case "h2", "li", "dd", "dt", "strong", "div":
		p.text.Reset()
		p.dead = strings.Contains(rest, "dead-value")
		p.line = 0
		if name == "div" {
			p.line = sourceLine(rest)
		}
	case "span":
		if strings.Contains(rest, `class="stats"`) { // in a heading, behind the name
			p.head(p.text.String())
		}
	case "button": // behind the beginning of a block
		p.item(p.text.String())
		p.text.Reset()
	case "/button":
		p.text.Reset()
	case "/h2":
		p.head(p.text.String())
	case "/li":
		p.item(p.text.String())
		p.text.Reset()
	case "/dt":
		p.src = strings.TrimSpace(p.text.String())
	case "/dd":
		p.instruction(p.text.String())
	case "/strong":
		p.heading.sources = append(p.heading.sources, text{file: p.pool.Text(p.text.String())})
	case "/div":
		p.source(p.text.String())
	case "/td":
		p.close()
		p.names = nil
	}
}

// sourceLine reads the number in `class="l12 line-number"`.
func sourceLine(attributes string) int {
	_, rest, ok := strings.Cut(attributes, `class="l`)
	number, _, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 || !strings.Contains(attributes, "line-number") || strings.Contains(attributes, "ast") {
		return 0
	}
	return n
}

// head parses a column's heading; the time that the pass took stands behind its name and is left out. Of several
// headings the last is that of the pass which made the graph below.
func (p *page) head(name string) {
	p.text.Reset()
	name = strings.TrimSpace(name)
	if name == "" || name == "sources" || name == "AST" || strings.HasPrefix(name, "[") {
		return
	}
	if !p.begun {
		p.begun = true
		p.begin("")
	}
	p.names = append(p.names, name)
	if name == "genssa" {
		p.listed = true
		p.code.begin(p.dump)
	}
}

// item parses one line of a graph.
func (p *page) item(line string) {
	line = strings.ReplaceAll(strings.TrimSpace(line), "\n", " ")
	if line == "" || len(p.names) == 0 {
		return
	}
	if p.graph == nil {
		last := len(p.names) - 1
		p.unchanged(p.names[:last])
		p.graph = newGraph(p.names[last])
	}
	line = strings.ReplaceAll(strings.ReplaceAll(line, "←", "<-"), "→", "->")
	if p.dead {
		line += " DEAD"
	}
	p.graph.take(p.dump, line)
}

// unchanged adds the snapshots of passes that changed nothing.
func (p *page) unchanged(names []string) {
	for _, name := range names {
		if n := len(p.group.Snapshots); n > 0 {
			same := *p.group.Snapshots[n-1]
			same.Name = p.pool.Text(name)
			p.group.Snapshots = append(p.group.Snapshots, &same)
		}
	}
}

// instruction parses "00006 (+8) XORL<tab>DX, DX".
func (p *page) instruction(line string) {
	if !p.listed {
		return
	}
	if strings.HasPrefix(line, "# ") {
		p.code.take(p.dump, line)
		return
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	place, rest, _ := strings.Cut(rest, " ")
	op, args, _ := strings.Cut(rest, "\t")
	p.code.generate(p.dump, p.src, place, op, args)
	if op == "TEXT" && p.group.Name == "" {
		symbol := p.code.functions[len(p.code.functions)-1].symbol
		p.group.Name = symbol[strings.LastIndexByte(symbol, '/')+1:]
		if _, name, ok := strings.Cut(p.group.Name, "."); ok {
			p.group.Name = name
		}
		if len(p.heading.sources) > 0 {
			p.heading.sources[0].function = p.group.Name
		}
	}
}

// source parses one line of the column of sources: first stand the numbers of all lines, then the lines of one
// function after the other behind their file's name.
func (p *page) source(line string) {
	n := len(p.heading.sources)
	if p.line == 0 || n == 0 || p.begun {
		return
	}
	t := &p.heading.sources[n-1]
	if t.first == 0 {
		t.first = p.line
	}
	if p.line == t.first+len(t.lines) {
		t.lines = append(t.lines, strings.TrimRight(line, "\n"))
		t.last = p.line
	}
	p.line = 0
}
