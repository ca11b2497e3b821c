package designs

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"orrery/traceio"
)

// records gives the rows of a table of text: fields, the line where the row starts, io.EOF at the end. A *badRow is of
// this row only; another error comes again with each call: it is the end, too.
type records func() (fields []string, line int, err error)

// badRow says why a row cannot be used.
type badRow struct{ error }

// readDelimited reads CSV, TSV and their kin. The separator is the one of , ; tab | that stands most evenly in the
// first lines, and blanks when none does.
func readDelimited(r *bufio.Reader, name string) (*Table, error) {
	head, _ := r.Peek(traceio.HeadLen)
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		r.Discard(3)
		head = head[3:]
	}
	t := &Table{Name: name, Format: "csv", Line: []int32{}}
	rows := &portion{r: r}
	next := blankRecords(rows)
	if comma := separator(head); comma != ' ' {
		next = commaRecords(rows, comma)
	}
	return t, t.fill(func() ([]string, int, error) {
		rows.left = maxRow
		return next()
	})
}

// separator finds what parts the fields.
func separator(head []byte) rune {
	lines := strings.Split(string(head), "\n")
	if len(lines) > 1 {
		lines = lines[:len(lines)-1]
	}
	best, most := ' ', 0
	for _, c := range ",;\t|" {
		with, least := 0, math.MaxInt
		for _, line := range lines[:min(len(lines), 50)] {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			if n := strings.Count(line, string(c)); n > 0 {
				with, least = with+1, min(least, n)
			}
		}
		if with > most {
			best, most = c, with
		}
	}
	return best
}

func commaRecords(r io.Reader, comma rune) records {
	in := csv.NewReader(bufio.NewReaderSize(r, 1<<16))
	in.Comma, in.Comment, in.FieldsPerRecord, in.ReuseRecord, in.TrimLeadingSpace = comma, '#', -1, true, comma != '\t'
	return func() ([]string, int, error) {
		fields, err := in.Read()
		line := 0
		if len(fields) > 0 && err == nil {
			line, _ = in.FieldPos(0)
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			line = bad.StartLine
			err = &badRow{fmt.Errorf("quotes are not closed or stand inside of a field (%w)", bad.Err)}
		}
		return fields, line, err
	}
}

// blankRecords parts lines at any run of blanks.
func blankRecords(r io.Reader) records {
	in, line := bufio.NewReaderSize(r, 1<<16), 0
	return func() ([]string, int, error) {
		for {
			text, err := in.ReadString('\n')
			if err != nil && err != io.EOF { // what the line began with may be the half of a number
				return nil, 0, err
			}
			line++
			if fields := strings.Fields(text); len(fields) > 0 && fields[0][0] != '#' {
				return fields, line, nil
			}
			if err != nil {
				return nil, line, err
			}
		}
	}
}

// fill reads all rows. The first one has the titles unless all of its fields are numbers.
func (t *Table) fill(next records) error {
	row := 0
	for {
		fields, line, err := next()
		var bad *badRow
		switch {
		case err == io.EOF:
			return t.complete()
		case err != nil && !errors.As(err, &bad): // the stream broke: what came before it is good
			t.reject(Rejected{Row: row + 1, Reason: broken("file", err)})
			return t.complete()
		case t.Columns == nil && err != nil:
			return &traceio.Error{File: t.Name, Line: line, Msg: "the titles cannot be read: " + err.Error(),
				Hint: "close each quote, and double those within a title", Err: err}
		case t.Columns == nil:
			if len(fields) > maxColumns {
				return &traceio.Error{File: t.Name, Line: line, Msg: fmt.Sprintf("the table has %d columns", len(fields)),
					Hint: fmt.Sprintf("at most %d can be read", maxColumns)}
			}
			if t.title(fields) {
				continue
			}
		}
		row++
		t.takeRow(fields, row, line, err)
		if err := t.room(); err != nil {
			return err
		}
	}
}

func (t *Table) takeRow(fields []string, row, line int, err error) {
	for len(fields) > len(t.Columns) && strings.TrimSpace(fields[len(fields)-1]) == "" {
		fields = fields[:len(fields)-1] // a separator behind the last field
	}
	switch {
	case err != nil:
		t.reject(Rejected{Row: row, Line: line, Reason: err.Error()})
	case len(fields) != len(t.Columns):
		t.reject(Rejected{Row: row, Line: line, Reason: fmt.Sprintf("has %d fields, not %d as the titles",
			len(fields), len(t.Columns))})
	default:
		for j, text := range fields {
			t.put(j, text)
		}
		t.row(row)
		t.Line = append(t.Line, int32(line))
	}
}

// title makes the columns; false when the fields are no titles but the first row.
func (t *Table) title(fields []string) bool {
	for len(fields) > 1 && strings.TrimSpace(fields[len(fields)-1]) == "" {
		fields = fields[:len(fields)-1]
	}
	titled := false
	for _, f := range fields {
		if f = strings.TrimSpace(f); f != "" && math.IsNaN(number(f)) && !strings.EqualFold(f, "nan") &&
			!allNumbers(strings.Fields(f)) {
			titled = true
		}
	}
	seen := map[string]bool{}
	t.Columns = make([]Column, len(fields))
	for j, f := range fields {
		title := strings.TrimSpace(f)
		if !titled || title == "" {
			title = fmt.Sprintf("column %d", j+1)
		}
		for base, n := title, 2; seen[title]; n++ {
			title = fmt.Sprintf("%s (%d)", base, n)
		}
		seen[title] = true
		t.Columns[j].Title = title
	}
	return titled
}

// complete ends reading.
func (t *Table) complete() error {
	t.close()
	if t.Rows == 0 {
		e := &traceio.Error{File: t.Name, Msg: "there is no usable row of design points in it",
			Hint: "a table of titles and rows of numbers is expected: CSV, TSV, JSON or an export of jMetal, HiPlot or Optuna"}
		if len(t.Rejected) > 0 {
			e.Msg += fmt.Sprintf(" (%d rejected; %s)", t.Refused, t.Rejected[0])
		}
		return e
	}
	return nil
}
