package designs

import (
	"math"
	"strconv"
	"strings"
)

// Table is what a file says, before anyone decided what its columns mean. Rows that do not fit the format are rejected
// already.
type Table struct {
	Name    string
	Format  string // "csv", "jmetal", "json", "hiplot", "optuna"
	Columns []Column
	Rows    int
	Number  []int32 // of each row its number among the rows of the file, from 1
	Line    []int32 // of each row its line; nil in formats without lines

	Description *Description // what the file itself or its neighbour says of the columns; nil for nothing

	Rejected []Rejected
	Refused  int

	memory int64 // bytes that the cells take
}

// Column is one column as text. Equal cells share one text.
type Column struct {
	Title   string
	Texts   []string  // distinct, in the order of their first; trimmed; "" is a missing cell
	Numbers []float64 // of each text, NaN when it is none
	Cell    []int32   // of each row, an index into Texts

	known map[string]int32
	block *strings.Builder // of texts: many of them share one allocation
}

// Column is the column of a title, nil when there is none; case does not matter unless two titles differ in case only.
func (t *Table) Column(title string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Title == title {
			return &t.Columns[i]
		}
	}
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Title, title) {
			return &t.Columns[i]
		}
	}
	return nil
}

// Text is the cell of a row.
func (c *Column) Text(row int) string { return c.Texts[c.Cell[row]] }

// Numeric tells whether all cells but missing ones are finite numbers, and not all are missing.
func (c *Column) Numeric() bool {
	any := false
	for i, text := range c.Texts {
		if text == "" {
			continue
		}
		if x := c.Numbers[i]; math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
		any = true
	}
	return any
}

// put appends a cell; a table's put counts what it takes.
func (c *Column) put(text string) {
	c.Cell = append(c.Cell, c.code(text))
}

func (c *Column) code(text string) int32 {
	text = strings.TrimSpace(text)
	if code, ok := c.known[text]; ok {
		return code
	}
	if c.known == nil {
		c.known = map[string]int32{}
	}
	text = c.keep(text)
	code := int32(len(c.Texts))
	c.known[text] = code
	c.Texts = append(c.Texts, text)
	c.Numbers = append(c.Numbers, number(text))
	return code
}

// keep copies a text into the block, which is not moved once it holds one.
func (c *Column) keep(text string) string {
	if c.block == nil || c.block.Cap()-c.block.Len() < len(text) {
		c.block = new(strings.Builder)
		c.block.Grow(max(len(text), min(1<<14, 64+8*len(c.Texts))))
	}
	from := c.block.Len()
	c.block.WriteString(text)
	return c.block.String()[from:]
}

// number reads a decimal number, NaN for anything else; digits are not grouped, and 0x, infinities and underscores are
// no numbers of a table.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || strings.IndexByte(text, 'x') >= 0 || strings.IndexByte(text, 'X') >= 0 {
		return math.NaN()
	}
	return x
}

func (t *Table) reject(r Rejected) {
	t.Refused++
	if len(t.Rejected) < MaxRejected {
		t.Rejected = append(t.Rejected, r)
	}
}

// column gives the number of the column of a title, which is made, with missing cells so far, when it is new.
func (t *Table) column(title string, at map[string]int) int {
	if i, ok := at[title]; ok {
		return i
	}
	c := Column{Title: title}
	t.memory += textCost + int64(len(title))
	if t.Rows > 0 {
		c.code("")
		c.Cell = make([]int32, t.Rows)
		t.memory += textCost + int64(cellCost*t.Rows)
	}
	at[title] = len(t.Columns)
	t.Columns = append(t.Columns, c)
	return len(t.Columns) - 1
}

// close forgets what only reading needed, and parts fields that hold lists.
func (t *Table) close() {
	for i := range t.Columns {
		t.Columns[i].known, t.Columns[i].block = nil, nil
	}
	t.spread()
}

// spread parts each column whose every cell is a list of the same number of numbers between blanks, as some exports
// write whole vectors into one field. Lists of generations vary in length and stay.
func (t *Table) spread() {
	var out []Column
	for i := range t.Columns {
		c := &t.Columns[i]
		n := 0
		for k, text := range c.Texts {
			words := strings.Fields(strings.Trim(text, "[]()"))
			if k == 0 {
				n = len(words)
			}
			if n < 2 || len(words) != n || len(c.Texts)*n > 64+8*len(c.Cell)*n || !allNumbers(words) || len(out)+n > maxColumns {
				n = 0
				break
			}
		}
		if cost := int64(n) * int64(cellCost*len(c.Cell)+textCost*len(c.Texts)); n > 1 && t.memory+cost > maxMemory {
			n = 0
		} else if n > 1 {
			t.memory += cost
		}
		if n < 2 || generationName(c.Title) {
			out = append(out, *c)
			continue
		}
		out = append(out, c.spread(n)...)
	}
	t.Columns = out
}

func allNumbers(words []string) bool {
	for _, w := range words {
		if math.IsNaN(number(w)) {
			return false
		}
	}
	return true
}

func (c *Column) spread(n int) []Column {
	out := make([]Column, n)
	codes := make([][]int32, n)
	for j := range out {
		out[j].Title = c.Title + "_" + strconv.Itoa(j)
		codes[j] = make([]int32, len(c.Texts))
	}
	for k, text := range c.Texts {
		for j, w := range strings.Fields(strings.Trim(text, "[]()")) {
			codes[j][k] = out[j].code(w)
		}
	}
	for j := range out {
		out[j].Cell = make([]int32, len(c.Cell))
		for row, code := range c.Cell {
			out[j].Cell[row] = codes[j][code]
		}
		out[j].known, out[j].block = nil, nil
	}
	return out
}
