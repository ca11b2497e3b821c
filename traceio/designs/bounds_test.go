package designs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

// many repeats a text without being as long.
type many struct {
	head, text, tail string
	times            int
	rest             []byte
}

func (m *many) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		switch {
		case m.head != "":
			m.rest, m.head = []byte(m.head), ""
		case m.times > 0:
			m.rest = []byte(m.text)
			m.times--
		case m.tail != "":
			m.rest, m.tail = []byte(m.tail), ""
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// TestBounds reads what would take more memory than a table may, each by another way.
func TestBounds(t *testing.T) {
	x := strings.Repeat("x", 1<<16)
	for _, row := range []struct {
		name string
		in   many
		want string // of the error, or of what is rejected behind a good row
	}{
		{"a quote that nothing closes", many{head: "a,time\n1,2\n3,\"", text: x, times: 200}, "longer than 4 MiB"},
		{"a row of blanks between fields", many{head: "a time\n1 2\n", text: "1 ", times: 1 << 22}, "longer than 4 MiB"},
		{"blank lines between rows", many{head: "a time\n1 2\n", text: strings.Repeat("\n", 1<<16), times: 200},
			"longer than 4 MiB"},
		{"a text in JSON", many{head: `[{"a":1,"time":2},{"a":"`, text: x, times: 200}, "longer than 1 MiB"},
		{"a number in JSON", many{head: `[{"a":1,"time":2},{"a":`, text: strings.Repeat("1", 1<<16), times: 200},
			"longer than 1 MiB"},
		{"a record in JSON", many{head: `[{"a":1,"time":2},{"a":3`, text: `,"b":"` + x + `","c":"` + x + `"`, times: 200},
			"longer than 4 MiB"},
		{"lists in lists", many{head: `[{"a":1,"time":2},{"datapoints":`, text: strings.Repeat("[", 1<<16), times: 2},
			"nest deeper than"},
		{"an operation of a journal", many{head: journalHead, text: `"` + x + `",`, times: 400}, "one value is too long"},
		{"leading blanks", many{text: strings.Repeat(" ", 1<<16), times: 2, tail: "a,b\n1,2\n"},
			"its first 64 KiB are blank"},
	} {
		table, err := Read(&row.in, "x")
		said := fmt.Sprint(err)
		if err == nil {
			said = fmt.Sprint(table.Rejected)
		}
		if !strings.Contains(said, row.want) || strings.Contains(said, "cut?") && err == nil {
			t.Errorf("%s: %.300s, want %q", row.name, said, row.want)
		}
	}
}

const journalHead = `{"op_code":0,"study_name":"s","directions":[1]}
{"op_code":4,"study_id":0,"params":{"x":1},"distributions":{"x":"{}"},"state":1,"values":[1.5]}
{"op_code":6,"trial_id":0,"values":[`

// TestMemory: the whole of a table is bounded, whichever part of it grows.
func TestMemory(t *testing.T) {
	for _, row := range []struct {
		name string
		grow func(t *Table)
	}{
		{"rows", func(t *Table) { t.row(1); t.put(0, "1") }},
		{"texts", func(t *Table) { t.put(0, fmt.Sprint(len(t.Columns[0].Texts))) }},
		{"columns", func(t *Table) { t.column(fmt.Sprint(len(t.Columns)), map[string]int{}) }},
	} {
		table := &Table{Name: "x", Columns: []Column{{Title: "a"}}, memory: maxMemory - 1000}
		for n := 0; table.room() == nil; n++ {
			if row.grow(table); n > 1000 {
				t.Errorf("%s do not count", row.name)
				break
			}
		}
		var e *traceio.Error
		if err := table.room(); !errors.As(err, &e) || !strings.Contains(e.Msg, "more than 2048 MiB") || e.Hint == "" {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	// A vector as long as there may be columns, which every row has, would be a thousand columns.
	table := &Table{Columns: []Column{{Title: "v"}}}
	for i := range 600 {
		table.put(0, strings.Repeat(fmt.Sprint(i%2, " "), 1000))
		table.row(i)
	}
	table.memory = maxMemory
	if table.close(); len(table.Columns) != 1 {
		t.Errorf("%d columns of one", len(table.Columns))
	}
}

// TestBlanksInJSON: however many stand in a row, a decoder is given one, so that it does not look at them again and
// again.
func TestBlanksInJSON(t *testing.T) {
	in := &many{head: `[{"a":1,"time":2},`, text: strings.Repeat("\n \t\r", 1<<12), times: 1 << 6,
		tail: `{"a": " two  blanks ", "time":  3}]`}
	out, err := io.ReadAll(newDocument(bufioOf(in), "x", "json").text)
	if want := "[{\"a\":1,\"time\":2},\n{\"a\": \" two  blanks \", \"time\": 3}]"; err != nil || string(out) != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
	// And the place of a fault is still that in the file.
	bad := `{"a":  NaN,` + strings.Repeat(" ", 70000) + `"b" }`
	_, err = Read(strings.NewReader(bad), "x")
	var e *traceio.Error
	if !errors.As(err, &e) || e.Offset < int64(len(bad)-3) || e.Offset > int64(len(bad)) {
		t.Errorf("%v, want a fault at byte %d", err, len(bad)-2)
	}
}

// TestCutTables: the rows in front of the cut are kept, once, and the cut is said once.
func TestCutTables(t *testing.T) {
	rows := strings.Repeat("1 2.5 3\n", 1000)
	table, err := Read(readtest.Broken([]byte(rows+"1 2")), "x")
	if err != nil || table.Rows != 1000 || len(table.Rejected) != 1 || !strings.Contains(table.Rejected[0].Reason,
		readtest.ErrBroken.Error()) {
		t.Errorf("%v, %v", table, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	path := t.TempDir() + "/a.csv"
	if err := os.WriteFile(path, []byte("a,time\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, path); !errors.Is(err, ctx.Err()) {
		t.Errorf("a table that nobody wants any more: %v", err)
	}
}

func bufioOf(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 1<<16) }

// TestHostileDescriptions: what a table says of itself is looked at as what stands beside it is.
func TestHostileDescriptions(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"a channel of no process",
			`{"description":{"platform":{"processes":[{"name":"a"}],"channels":[{"name":"c","from":5,"to":9}]}},"rows":[{"a":1,"time":2}]}`,
			"channel c goes from process 5 to 9"},
		{"more processes than any", `{"description":{"platform":{"processes":[` + strings.Repeat(`{},`, 1<<14) +
			`{}]}},"rows":[{"a":1,"time":2}]}`, "beyond all reason"},
		{"more columns than any", `{"description":{"columns":[` + strings.Repeat(`{},`, maxColumns) +
			`{}]},"rows":[{"a":1,"time":2}]}`, "a table has at most 1024"},
	} {
		if _, err := Read(strings.NewReader(row.text), "x"); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

// TestLongWays: tables for whose columns every pair, every row or every component might be looked at for every other.
func TestLongWays(t *testing.T) {
	read := func(text string) *Table {
		table, err := Read(strings.NewReader(text), "x")
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	names := read(strings.Repeat("id,", 500) + strings.Repeat("gen,", 500) + "time\n" +
		strings.Repeat(strings.Repeat("1,", 1000)+"2\n", 1000))
	if _, err := names.Set(Guess(names)); err == nil || !strings.Contains(err.Error(), "two columns") {
		t.Errorf("five hundred columns of names: %v", err)
	}

	const components, processes, rows = 16000, 200, 2000
	p := &Platform{}
	for i := range processes {
		p.Processes = append(p.Processes, Process{Name: fmt.Sprint("p", i)})
	}
	for i := range components {
		p.Processors = append(p.Processors, Component{Name: fmt.Sprint("P", i)})
	}
	var text strings.Builder
	for i := range processes {
		fmt.Fprintf(&text, "process:p%d,", i)
	}
	text.WriteString("time\n")
	for row := range rows {
		for i := range processes {
			fmt.Fprintf(&text, "P%d,", components-1-(i*7+row)%50)
		}
		fmt.Fprintln(&text, row)
	}
	table := read(text.String())
	table.Description = &Description{Platform: p}
	set, err := table.Set(Guess(table))
	if err != nil {
		t.Fatal(err)
	}
	for row := range rows {
		if got, want := set.Mapping.Process[3][row], int16(components-1-(21+row)%50); got != want {
			t.Fatalf("row %d: process p3 is on %d, want %d", row, got, want)
		}
	}

	gens := read("a,gen,time\n" + strings.Repeat("1,"+strings.Repeat(";", 100000)+",3\n", 500) + "2,1;2 3,4\n3,1;2 3,4\n")
	set, err = gens.Set(Guess(gens))
	if err != nil || set.N != 2 || set.Refused != 500 || set.Generations.Count != 4 {
		t.Errorf("a long text that tells no generation, five hundred times: %v, %+v", err, set)
	}
}
