package csv

import "bytes"

// A field that begins with a quote ends with the next quote that is not doubled, whatever stands between. A quote
// inside a field that began without one is a character like others.

// field cuts the first field off a row. end is the separator behind it, -1 at the row's end; closed is false when its
// quotes are still open there.
func (l *layout) field(row []byte) (f []byte, end int, closed bool) {
	at := 0
	for at < len(row) && (row[at] == ' ' || row[at] == '\t' && l.separator != '\t') {
		at++
	}
	if at == len(row) || row[at] != '"' {
		i := l.next(row)
		if i < 0 {
			return bare(row), -1, true
		}
		return bare(row[:i]), i, true
	}
	begin := at + 1
	for at = begin; at < len(row); at++ {
		if row[at] != '"' {
			continue
		}
		if at+1 < len(row) && row[at+1] == '"' {
			at++
			continue
		}
		if i := l.next(row[at:]); i >= 0 {
			return bare(row[begin:at]), at + i, true
		}
		return bare(row[begin:at]), -1, true
	}
	return row[begin:], -1, false
}

// next is where the next separator stands.
func (l *layout) next(row []byte) int { return bytes.IndexByte(row, l.separator) }

// unquote is split for rows with quotes.
func (l *layout) unquote(row []byte, fs [][]byte) [][]byte {
	for {
		f, end, _ := l.field(row)
		if fs = append(fs, f); end < 0 {
			return fs
		}
		row = row[end+1:]
	}
}

// opens tells whether a row ends inside of quotes: the next line belongs to it.
func (l *layout) opens(row []byte) bool {
	if bytes.IndexByte(row, '"') < 0 || l.separator == ' ' {
		return false
	}
	for {
		_, end, closed := l.field(row)
		if !closed {
			return true
		}
		if end < 0 {
			return false
		}
		row = row[end+1:]
	}
}

// record is a row of several lines that is not complete yet.
type record struct {
	text  []byte
	first int // its first line
	lines int
}

func (r *record) add(line []byte, at int) {
	if r.lines == 0 {
		r.first = at
	} else {
		r.text = append(r.text, '\n')
	}
	r.text = append(r.text, line...)
	r.lines++
}

func (r *record) reset() { r.text, r.lines = r.text[:0], 0 }

// full tells whether the row is too long to be one, so that its quote is a mistake.
func (r *record) full() bool { return r.lines >= 32 || len(r.text) > 1<<14 }
