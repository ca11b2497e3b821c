package designs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"orrery/traceio"
)

// maxDepth is how deep values of a record may nest.
const maxDepth = 16

// document reads JSON as its tokens come, so that a long list of records needs no tree.
type document struct {
	*Table
	in     *json.Decoder
	text   *literals      // what in reads
	at     map[string]int // columns by title
	rows   int            // of the file, rejected ones too
	cells  map[int]string // of the record at hand, by column
	size   int            // bytes of that record
	titled bool           // the file has a list of titles
	lists  []namedList
}

// namedList is a list of scalars in an outermost object: a column, or a part of a record.
type namedList struct {
	name   string
	values []string
}

// readJSON reads a list of records, an object that holds one under any name, an object of columns, rows of values
// behind "columns", or one record a line.
func readJSON(r *bufio.Reader, name string) (*Table, error) {
	d := newDocument(r, name, "json")
	err := d.top()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		var refused *traceio.Error
		if errors.As(err, &refused) {
			return nil, err
		}
		if d.Rows == 0 {
			return nil, &traceio.Error{File: name, Offset: d.text.offset(d.in.InputOffset()), Msg: "it is no JSON: " +
				err.Error(), Hint: "was the file cut?", Err: err}
		}
		d.reject(Rejected{Row: d.rows + 1, Reason: broken("file", err)})
	}
	if d.Rows == 0 && len(d.lists) > 0 {
		if err := d.columns(); err != nil {
			return nil, err
		}
	}
	d.Table.Format = d.format()
	return d.Table, d.complete()
}

func newDocument(r *bufio.Reader, name, format string) *document {
	d := &document{Table: &Table{Name: name, Format: format}, text: &literals{r: r, left: unbounded}, at: map[string]int{}}
	d.in = json.NewDecoder(d.text)
	d.in.UseNumber()
	return d
}

// format tells whose export it is by the names in it.
func (d *document) format() string {
	if d.Format != "json" {
		return d.Format
	}
	if d.Column("state") != nil && (d.Column("number") != nil || d.Column("trial_id") != nil) {
		return "optuna"
	}
	return "json"
}

// top reads the values of the file: one, or one a line.
func (d *document) top() error {
	for {
		tok, err := d.in.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('['):
			err = d.list("")
		case json.Delim('{'):
			err = d.object()
		default:
			err = fmt.Errorf("%v is neither a list nor an object", tok)
		}
		if err != nil {
			return err
		}
	}
}

// object reads the members of an outermost object: lists of records or values, a description; scalars make it a record
// of its own, which is one of many when a line each has one.
func (d *document) object() error {
	d.begin()
	d.lists = nil
	record, before := false, d.rows
	for d.in.More() {
		key, err := d.in.Token()
		if err != nil {
			return err
		}
		name := key.(string)
		switch {
		case name == "datapoints":
			d.Format = "hiplot"
		case name == "description" && d.Rows == 0 && len(d.cells) == 0:
			d.Description = new(Description)
			d.text.left = maxDescription
			if err := d.in.Decode(d.Description); err != nil {
				return fmt.Errorf("the description: %w", err)
			}
			if err := d.Description.check(); err != nil {
				return &traceio.Error{File: d.Name, Msg: err.Error(), Hint: "it describes the columns of the table", Err: err}
			}
			d.text.left = unbounded
			continue
		}
		tok, err := d.in.Token()
		if err != nil {
			return err
		}
		switch {
		case tok == json.Delim('['):
			err = d.list(name)
		case tok == json.Delim('{') && d.Format == "hiplot":
			err = d.skip()
		default:
			record = true
			err = d.value(name, tok, 0)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.in.Token(); err != nil {
		return err
	}
	if record && d.rows == before {
		d.rows++
		if err := d.absorb(); err != nil {
			return err
		}
		return d.commit()
	}
	if d.rows > before {
		d.lists = nil
	}
	return nil
}

// absorb takes lists into the record at hand that they turned out to be a part of: values and the like.
func (d *document) absorb() error {
	for _, list := range d.lists {
		if generationName(list.name) {
			if err := d.put(list.name, strings.Join(list.values, " ")); err != nil {
				return err
			}
			continue
		}
		for i, text := range list.values {
			if err := d.put(list.name+"_"+strconv.Itoa(i), text); err != nil {
				return err
			}
		}
	}
	d.lists = nil
	return nil
}

// skip reads over the rest of an object or list.
func (d *document) skip() error {
	for depth := 1; depth > 0; {
		tok, err := d.in.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
	}
	return nil
}

// list reads a list: of records, of rows of values, or of values, which are a column or the titles.
func (d *document) list(name string) error {
	var values []string
	for d.in.More() {
		tok, err := d.in.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('{'):
			d.begin()
			d.rows++
			if err := d.members("", 0); err != nil {
				return err
			}
			if err := d.commit(); err != nil {
				return err
			}
		case json.Delim('['):
			d.begin()
			d.rows++
			if err := d.rowOf(); err != nil {
				return err
			}
		default:
			values = append(values, text(tok))
			d.memory += textCost + int64(len(values[len(values)-1]))
			if err := d.room(); err != nil {
				return err
			}
		}
	}
	if _, err := d.in.Token(); err != nil {
		return err
	}
	if name == "columns" && d.Rows == 0 {
		for _, title := range values {
			if len(d.Columns) >= maxColumns {
				return d.tooWide()
			}
			d.column(title, d.at)
		}
		d.titled = true
	} else if values != nil {
		d.lists = append(d.lists, namedList{name, values})
	}
	return nil
}

// rowOf reads a row of values in the order of the titles.
func (d *document) rowOf() error {
	n := 0
	for d.in.More() {
		tok, err := d.in.Token()
		if err != nil {
			return err
		}
		if n >= len(d.Columns) && d.Rows == 0 && !d.titled && n < maxColumns {
			d.column(fmt.Sprintf("column %d", n+1), d.at)
		}
		if n < len(d.Columns) && n < maxColumns {
			if err := d.value(d.Columns[n].Title, tok, 0); err != nil {
				return err
			}
		} else if tok == json.Delim('[') || tok == json.Delim('{') {
			if err := d.skip(); err != nil {
				return err
			}
		}
		n++
	}
	if _, err := d.in.Token(); err != nil {
		return err
	}
	if n != len(d.Columns) {
		d.reject(Rejected{Row: d.rows, Reason: fmt.Sprintf("has %d values, not %d", n, len(d.Columns))})
		return nil
	}
	return d.commit()
}

// members reads the rest of a record's object.
func (d *document) members(prefix string, depth int) error {
	for d.in.More() {
		key, err := d.in.Token()
		if err != nil {
			return err
		}
		tok, err := d.in.Token()
		if err != nil {
			return err
		}
		name := key.(string)
		if prefix != "" {
			name = prefix + "_" + name
		}
		if d.Format == "hiplot" && prefix == "" && name == "values" && tok == json.Delim('{') {
			name = ""
		}
		if err := d.value(name, tok, depth); err != nil {
			return err
		}
	}
	_, err := d.in.Token()
	return err
}

// value takes the value that begins with tok into the record at hand: nested ones under joined names.
func (d *document) value(name string, tok json.Token, depth int) error {
	if depth > maxDepth {
		return tooMuch(fmt.Sprintf("values nest deeper than %d", maxDepth))
	}
	switch tok {
	case json.Delim('{'):
		return d.members(name, depth+1)
	case json.Delim('['):
		return d.elements(name, depth+1)
	}
	return d.put(name, text(tok))
}

// elements reads a list inside of a record; a list of generations stays one cell.
func (d *document) elements(name string, depth int) error {
	var words []string
	for i := 0; d.in.More(); i++ {
		tok, err := d.in.Token()
		if err != nil {
			return err
		}
		if generationName(name) {
			words = append(words, text(tok))
			if d.size += len(words[len(words)-1]) + 1; d.size > maxRow {
				return errLong
			}
			continue
		}
		if err := d.value(name+"_"+strconv.Itoa(i), tok, depth); err != nil {
			return err
		}
	}
	if words != nil {
		if err := d.put(name, strings.Join(words, " ")); err != nil {
			return err
		}
	}
	_, err := d.in.Token()
	return err
}

// begin begins a record.
func (d *document) begin() { d.cells, d.size = map[int]string{}, 0 }

func (d *document) put(name, text string) error {
	if d.size += len(name) + len(text); d.size > maxRow {
		return errLong
	}
	if _, ok := d.at[name]; !ok && len(d.Columns) >= maxColumns {
		return d.tooWide()
	}
	d.cells[d.column(name, d.at)] = text
	return nil
}

func (d *document) tooWide() error {
	return &traceio.Error{File: d.Name, Msg: fmt.Sprintf("the records have more than %d different names", maxColumns),
		Hint: "is it a table of design points?"}
}

// commit makes the record at hand a row.
func (d *document) commit() error {
	for j := range d.Columns {
		d.Table.put(j, d.cells[j])
	}
	d.row(d.rows)
	return d.room()
}

// columns makes a table of the object's lists, which are its columns.
func (d *document) columns() error {
	d.Columns = nil
	n := len(d.lists[0].values)
	if d.memory += int64(n) * rowCost; len(d.lists) > maxColumns {
		return d.tooWide()
	}
	for _, list := range d.lists {
		if len(list.values) != n {
			return &traceio.Error{File: d.Name, Msg: fmt.Sprintf("column %s has %d values, column %s has %d", list.name,
				len(list.values), d.lists[0].name, n), Hint: "a table needs columns of one length"}
		}
		d.Columns = append(d.Columns, Column{Title: list.name})
		for _, text := range list.values {
			d.Table.put(len(d.Columns)-1, text)
		}
		if err := d.room(); err != nil {
			return err
		}
	}
	for i := range n {
		d.Number = append(d.Number, int32(i+1))
	}
	d.Rows = n
	return nil
}

// text is a scalar as a cell.
func text(tok json.Token) string {
	switch v := tok.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(tok)
}
