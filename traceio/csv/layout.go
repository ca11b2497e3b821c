package csv

import (
	"bytes"
	"strings"

	"orrery/traceio"
)

// role is what a column holds.
type role int

const (
	address role = iota
	kind
	size
	pc
	thread
	seq
	roles
)

// names are the titles of columns, in lower case and without anything but letters.
var names = map[string]role{
	"address": address, "addr": address, "ea": address, "vaddr": address, "va": address, "memaddr": address,
	"memaddress":  address,
	"dataaddress": address, "dataaddr": address, "effectiveaddress": address, "virtualaddress": address,
	"kind": kind, "type": kind, "op": kind, "rw": kind, "access": kind, "accesstype": kind, "operation": kind,
	"iswrite": kind, "readwrite": kind,
	"size": size, "bytes": size, "length": size, "len": size, "width": size, "accesssize": size,
	"pc": pc, "ip": pc, "rip": pc, "iaddr": pc, "instructionaddress": pc, "instructionpointer": pc, "instraddr": pc,
	"insaddr": pc, "programcounter": pc,
	"thread": thread, "tid": thread, "threadid": thread, "cpu": thread, "core": thread,
	"seq": seq,
}

// layout says where the columns are and how their numbers are written.
type layout struct {
	separator byte // ' ' stands for any run of blanks
	at        [roles]int
	hex       [roles]bool // numbers without 0x are hexadecimal
	header    bool
	prose     bool // the titles may be words of a sentence
	events    bool // the titles are those of a table of allocations and marks
	dense     bool // threads are numbered from 0 already
}

// separators in the order of preference.
const separators = ",;\t| "

// sampled is how many lines a layout is judged by.
const sampled = 400

// find judges the first lines of a file; nil when they are no table of references. Titles that name a column of
// addresses make one, whatever rows follow: those that are none are counted. What has no titles, or is prose with the
// word address in its first line, must have nine of ten rows that can be read.
func find(head []byte) *layout {
	l := &layout{}
	for i := range l.at {
		l.at[i] = -1
	}
	var lines [][]byte
	for _, c := range []byte(separators) { // the separator decides which quotes open a field, and so where rows end
		l.separator = c
		if lines = l.sample(head); len(lines) > 0 && len(l.split(lines[0], nil)) > 1 {
			break
		}
	}
	if len(lines) == 0 {
		return nil
	}
	l.titles(lines[0])
	if l.header {
		if lines = lines[1:]; l.at[address] < 0 {
			return nil
		}
	} else if !l.guess(lines) {
		return nil
	}
	l.numbers(lines)
	if l.header && !l.prose {
		return l
	}
	good := 0
	for _, line := range lines {
		if _, _, _, bad := l.parse(line, nil); bad == "" {
			good++
		}
	}
	if good == 0 || good*10 < len(lines)*9 {
		return nil
	}
	return l
}

// sample gives the first whole rows of head that are not empty.
func (l *layout) sample(head []byte) (rows [][]byte) {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	var open record
	for at := 1; len(head) > 0 && len(rows) < sampled; at++ {
		line, rest, ended := bytes.Cut(head, []byte{'\n'})
		head = rest
		if line = bytes.Trim(line, " \r"); len(bytes.TrimSpace(line)) == 0 || !ended && len(rows) > 1 {
			continue
		}
		switch {
		case open.lines == 0 && line[0] == '#':
			continue
		case open.lines == 0 && !l.opens(line):
			rows = append(rows, line)
			continue
		}
		if open.add(line, at); !l.opens(open.text) {
			rows = append(rows, bytes.Clone(open.text))
			open.reset()
		} else if open.full() {
			open.reset()
		}
	}
	return rows
}

// titles takes a first line for a header if it names a column and holds no number. Of words between blanks half must be
// names of columns, or it may be prose.
func (l *layout) titles(line []byte) {
	fields, known := l.split(line, nil), 0
	for i, f := range fields {
		if _, ok := number(f, false); ok {
			l.header = false
			break
		}
		l.events = l.events || strings.EqualFold(string(f), "event")
		name := strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' {
				return c
			}
			return -1
		}, strings.ToLower(string(f)))
		if r, ok := names[name]; ok && l.at[r] < 0 {
			l.at[r], l.header = i, true
			known++
			l.dense = l.dense || name == "thread"
		}
	}
	if !l.header {
		for i := range l.at {
			l.at[i] = -1
		}
	}
	l.events = l.events && l.header && l.at[kind] < 0
	l.prose = l.separator == ' ' && 2*known < len(fields)
}

// guess finds the columns of a table without a header: kinds are words, addresses have hexadecimal digits (of two such
// columns the first is the instruction), sizes are small decimal numbers. A table of decimal numbers has its addresses
// in the column with the largest.
func (l *layout) guess(lines [][]byte) bool {
	columns := l.tally(lines)
	var hexes []int
	large, top := -1, uint64(1<<12)
	for i, c := range columns {
		switch most10 := len(lines) * 9; {
		case c.words*10 >= most10 && l.at[kind] < 0:
			l.at[kind] = i
		case c.hexed > 0 && (c.hexed+c.decimal)*10 >= most10:
			hexes = append(hexes, i)
		case c.small*10 >= most10 && l.at[size] < 0:
			l.at[size] = i
		case c.decimal*10 >= most10 && c.most > top:
			large, top = i, c.most
		}
	}
	switch {
	case len(hexes) > 1:
		l.at[pc], l.at[address] = hexes[0], hexes[1]
	case len(hexes) == 1:
		l.at[address] = hexes[0]
	default:
		l.at[address] = large
	}
	return l.at[address] >= 0 && (l.at[kind] >= 0 || len(columns) == 1 && len(hexes) == 1 &&
		bytes.HasPrefix(lines[0], []byte("0x")))
}

// maxGuessed is how many columns are looked at where no titles say what they are.
const maxGuessed = 256

// tallied is how many cells of a column are what, and the largest of its decimal numbers.
type tallied struct {
	words, hexed, decimal, small int
	most                         uint64
}

// tally looks at the cells of the first line's columns.
func (l *layout) tally(lines [][]byte) []tallied {
	fs := l.split(lines[0], nil)
	columns := make([]tallied, min(len(fs), maxGuessed))
	for _, line := range lines {
		fs = l.split(line, fs)
		for i, f := range fs[:min(len(fs), len(columns))] {
			columns[i].add(f)
		}
	}
	return columns
}

func (c *tallied) add(f []byte) {
	if _, _, ok := kindOf(f); ok && f[0] > '9' {
		c.words++
		return
	}
	x, ok := number(f, false)
	if ok && !hexadecimal(f) {
		c.decimal++
		c.most = max(c.most, x)
		if x > 0 && x <= 512 {
			c.small++
		}
	} else if _, ok := number(f, true); ok {
		c.hexed++
	}
}

// numbers finds whether the numbers of a column are hexadecimal and whether threads need numbering.
func (l *layout) numbers(lines [][]byte) {
	for _, line := range lines {
		fs := l.split(line, nil)
		for _, r := range []role{address, pc} {
			if at := l.at[r]; at >= 0 && at < len(fs) {
				l.hex[r] = l.hex[r] || hexadecimal(fs[at])
			}
		}
		if at := l.at[thread]; at >= 0 && at < len(fs) {
			x, _ := number(fs[at], false)
			l.dense = l.dense && x < 1024
		}
	}
}

// split cuts a row into fields without blanks and quotes around them, into the memory of fs.
func (l *layout) split(line []byte, fs [][]byte) [][]byte {
	fs = fs[:0]
	if l.separator == ' ' {
		for len(line) > 0 {
			var word []byte
			word, line = traceio.Word(line)
			fs = append(fs, word)
		}
		return fs
	}
	if bytes.IndexByte(line, '"') >= 0 {
		return l.unquote(line, fs)
	}
	for {
		i := bytes.IndexByte(line, l.separator)
		if i < 0 {
			return append(fs, bare(line))
		}
		fs = append(fs, bare(line[:i]))
		line = line[i+1:]
	}
}

func bare(f []byte) []byte {
	for len(f) > 0 && (f[0] == ' ' || f[0] == '\'' || f[0] == '\t') {
		f = f[1:]
	}
	for len(f) > 0 && (f[len(f)-1] == ' ' || f[len(f)-1] == '\'' || f[len(f)-1] == '\t') {
		f = f[:len(f)-1]
	}
	return f
}
