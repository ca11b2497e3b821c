package designs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orrery/traceio"
	"orrery/traceio/named"
)

// maxDescription bounds the file of a description.
const maxDescription = 16 << 20

// Read reads a table from r, packed by gzip, zstd or xz or plain; the format is found by content.
func Read(r io.Reader, name string) (*Table, error) {
	u, err := traceio.Unpack(r, name)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	head, err := u.Peek(traceio.HeadLen)
	switch first := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"); {
	case len(first) == 0 && err != nil && err != io.EOF:
		return nil, &traceio.Error{File: name, Msg: fmt.Sprintf("nothing of it can be read (%v)", err),
			Hint: "was it cut? copy it again", Err: err}
	case len(first) == 0 && len(head) == traceio.HeadLen:
		return nil, &traceio.Error{File: name, Msg: fmt.Sprintf("its first %d KiB are blank", traceio.HeadLen>>10),
			Hint: "a table of design points is expected"}
	case len(first) == 0:
		return nil, &traceio.Error{File: name, Msg: "the file is empty", Hint: "a table of design points is expected"}
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return nil, &traceio.Error{File: name, Msg: "it is an SQLite database",
			Hint: "a study of Optuna is read when it is written as JSON: optuna trials --storage sqlite:///" +
				filepath.Base(name) + " --study-name NAME -f json > trials.json; optuna studies lists the names"}
	case bytes.IndexByte(head, 0) >= 0:
		return nil, &traceio.Error{File: name, Msg: "the file is no text",
			Hint: "a table of design points is CSV, TSV or JSON; see `orrery designs --help`"}
	case isJournal(head):
		return readJournal(u.Reader, name)
	case first[0] == '{' || first[0] == '[' && looksJSON(first):
		if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
			u.Discard(3)
		}
		return readJSON(u.Reader, name)
	}
	return readDelimited(u.Reader, name)
}

// looksJSON tells a list of records or of rows from a line that only begins with a bracket.
func looksJSON(first []byte) bool {
	rest := bytes.TrimLeft(first[1:], " \t\r\n")
	return len(rest) == 0 || rest[0] == '{' || rest[0] == '[' || rest[0] == ']'
}

// Open reads a table from a file, and what stands beside it: the description NAME.json, and the variables VAR.* of
// jMetal's objectives FUN.*.
func Open(ctx context.Context, path string) (*Table, error) {
	t, err := openOne(ctx, path)
	if err != nil {
		return nil, err
	}
	if beside := variables(path); beside != "" {
		other, err := openOne(ctx, beside)
		if err == nil {
			t.Format = "jmetal"
			rename(t, "objective")
			rename(other, "variable")
			err = t.Join(other)
		}
		if err != nil {
			return nil, err
		}
	}
	data, err := named.Read(path+".json", maxDescription)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if t.Description, err = ParseDescription(data); err != nil {
			return nil, &traceio.Error{File: path + ".json", Msg: err.Error(), Hint: "it describes the columns of " +
				filepath.Base(path), Err: err}
		}
		for _, r := range t.Description.Columns {
			if t.Column(r.Title) == nil {
				return nil, &traceio.Error{File: path + ".json",
					Msg:  fmt.Sprintf("it describes a column %q, which %s does not have", r.Title, filepath.Base(path)),
					Hint: "the columns are " + t.titles() + "; correct it or move it away"}
			}
		}
	}
	return t, nil
}

func openOne(ctx context.Context, path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, &traceio.Error{File: path, Msg: "it is a directory", Hint: "name a table in it"}
	}
	t, err := Read(cancellable{ctx, f}, path)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return t, err
}

// variables is the file beside jMetal's file of objectives that has the variables of its rows; "" when there is none.
func variables(path string) string {
	base := filepath.Base(path)
	if !strings.HasPrefix(base, "FUN") {
		return ""
	}
	beside := filepath.Join(filepath.Dir(path), "VAR"+base[3:])
	if info, err := os.Stat(beside); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return beside
}

// Join adds the columns of a table that has the same rows, which is used up. A row that either table rejected is
// rejected. A title that both have gets its column's number behind it.
func (t *Table) Join(other *Table) error {
	rows, others := len(t.Number)+t.Refused, len(other.Number)+other.Refused
	if rows != others {
		return &traceio.Error{File: other.Name, Msg: fmt.Sprintf("it has %d rows, but %s has %d", others, t.Name, rows),
			Hint: "tables are joined row by row"}
	}
	at := map[int32]int32{}
	for row, n := range other.Number {
		at[n] = int32(row)
	}
	var mine, theirs []int32
	for row, n := range t.Number {
		if to, ok := at[n]; ok {
			mine, theirs = append(mine, int32(row)), append(theirs, to)
		} else {
			t.reject(Rejected{Row: int(n), Reason: "its row of " + filepath.Base(other.Name) + " is rejected"})
		}
	}
	for i := range other.Columns {
		if c := t.Column(other.Columns[i].Title); c != nil {
			other.Columns[i].Title += " (" + strconv.Itoa(i+1) + ")"
		}
	}
	t.pick(mine)
	other.pick(theirs)
	t.Columns = append(t.Columns, other.Columns...)
	if t.Rows == 0 {
		return &traceio.Error{File: t.Name, Msg: "no row is usable in both files"}
	}
	return nil
}

// rename gives columns without titles those of jMetal: objective and variable.
func rename(t *Table, to string) {
	for i := range t.Columns {
		if n, ok := strings.CutPrefix(t.Columns[i].Title, "column "); ok {
			t.Columns[i].Title = to + "_" + n
		}
	}
}

// pick keeps some rows.
func (t *Table) pick(rows []int32) {
	take := func(from []int32) []int32 {
		out := make([]int32, len(rows))
		for i, row := range rows {
			out[i] = from[row]
		}
		return out
	}
	for i := range t.Columns {
		t.Columns[i].Cell = take(t.Columns[i].Cell)
	}
	if t.Line != nil {
		t.Line = take(t.Line)
	}
	t.Number, t.Rows = take(t.Number), len(rows)
}
