package designs

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orrery/app/session"
	"orrery/traceio"
	"orrery/traceio/csv"
	"orrery/traceio/irgraph/graphfile"
	"orrery/traceio/lackey"
)

// Is tells by its content whether a file is a table of designs: JSON that is no graph, or text in columns, with numbers
// below titles, that are no references. An SQLite database is taken for one of Optuna. The name of the built-in example
// is one too.
func Is(path string) bool {
	if session.IsDesignExample(path) {
		return true
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	u, err := traceio.Unpack(f, path)
	if err != nil {
		return false
	}
	defer u.Close()
	head, _ := u.Peek(traceio.HeadLen)
	return looksLike(head, filepath.Base(path))
}

// looksLike tells whether a file begins like a table of designs.
func looksLike(head []byte, name string) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	first := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")): // of Optuna, whose reader says what to do
		return true
	case len(first) == 0 || bytes.IndexByte(head, 0) >= 0 || graphfile.Sniff(head) ||
		csv.Sniff(head) || lackey.Sniff(head):
		return false
	case first[0] == '{':
		return true
	case strings.HasPrefix(name, "FUN."): // jMetal's, which have no titles
		return true
	}
	var rows [][]string
	for line := range strings.SplitSeq(string(first), "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		if rows = append(rows, strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;\t", r) })); len(
			rows) == 3 {
			break
		}
	}
	if first[0] == '[' { // a list of records
		rest := bytes.TrimLeft(first[1:], " \t\r\n")
		return len(rest) > 0 && (rest[0] == '{' || rest[0] == '[')
	}
	return len(rows) > 1 && numbers(rows[0]) == 0 && len(rows[0]) > 1 && numbers(rows[1]) > 0 &&
		len(rows[1]) <= len(rows[0])
}

// numbers counts the fields that are numbers.
func numbers(fields []string) (n int) {
	for _, f := range fields {
		if _, err := strconv.ParseFloat(strings.Trim(f, " \""), 64); err == nil {
			n++
		}
	}
	return n
}
