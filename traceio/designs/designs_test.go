package designs

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// brief is a set as text: a line about its columns, its points, its rejected rows.
func brief(s *Set) string {
	var out strings.Builder
	for _, p := range s.Parameters {
		fmt.Fprintf(&out, "%s%v ", p.Name, p.Values)
	}
	for _, o := range s.Objectives {
		fmt.Fprintf(&out, "%s(%v) ", o.Name, map[bool]string{true: "max", false: "min"}[o.Maximise])
	}
	for i := range s.N {
		fmt.Fprintf(&out, "\n%s:", s.Label(i))
		for _, p := range s.Parameters {
			fmt.Fprintf(&out, " %s", p.Values[p.At[i]])
		}
		for _, o := range s.Objectives {
			fmt.Fprintf(&out, " %g", o.Values[i])
		}
		if s.Generations.Known() {
			fmt.Fprintf(&out, " @%v", s.Generations.Of(i))
		}
	}
	for _, r := range s.Rejected {
		fmt.Fprintf(&out, "\n%s", r)
	}
	return out.String()
}

var tables = []struct{ name, text, want string }{
	{"csv", "id,cores,cache,time,energy\na,2,32KiB,1.5,7\nb,10,4KiB,1,8\nc,2,4KiB,3,3\n",
		"cores[2 10] cache[4KiB 32KiB] time(min) energy(min) \na: 2 32KiB 1.5 7\nb: 10 4KiB 1 8\nc: 2 4KiB 3 3"},
	{"semicolons, quotes, a byte order mark and Windows line ends",
		"\ufeffkind;\"throughput\";cost\r\n\"a;b\";1e3;4\r\nc;2;5\r\n",
		"kind[a;b c] throughput(max) cost(min) \n0: a;b 1000 4\n1: c 2 5"},
	{"tabs", "p1\tf1\tf2\n1\t2\t3\n1\t3\t2\n", "p1[1] f1(min) f2(min) \n0: 1 2 3\n1: 1 3 2"},
	{"blanks without titles", "0.5 0.25 1\n0.125 0.75 0\n0.3 0.6 1\n0.9 0.1 0\n",
		"column 3[0 1] column 1(min) column 2(min) \n0: 1 0.5 0.25\n1: 0 0.125 0.75\n2: 1 0.3 0.6\n3: 0 0.9 0.1"},
	{"bad cells",
		"id,p,time,cost\na,1,2,3\nb,1,,3\nc,1,NaN,3\nd,1,fast,3\ne,1,2\nf,1,2,3,4\ng,1,inf,1\nh,2,1,1\na,1,2,4\n",
		"p[1 2] time(min) cost(min) \na: 1 2 3\nh: 2 1 1\n" + `row 5 (line 6): has 3 fields, not 4 as the titles
row 6 (line 7): has 5 fields, not 4 as the titles
row 2 (line 3), column time: is missing
row 3 (line 4), column time: is NaN
row 4 (line 5), column time: "fast" is not a number
row 7 (line 8), column time: is infinite
row 9 (line 10), column cost: is 4, but the same design had 3 in row 1`},
	{"duplicates are points", "p,time,cost\n1,2,3\n1,2,3\n", "p[1] time(min) cost(min) \n0: 1 2 3\n1: 1 2 3"},
	{"generations", "generation,p,time,cost\n0,1,2,3\n1,1,2,3\n1,2,2,4\n-1,1,2,3\n3,1,2,3\n",
		"p[1 2] time(min) cost(min) \n0: 1 2 3 @[0 1 3]\n2: 2 2 4 @[1]\n" +
			`row 4 (line 5), column generation: "-1" is no generation; a number from 0 to 1048576 is`},
	{"individuals", "1.5,2,7,01203333\n1.25,3,9,11203333\n1.5,2,7,01203333\n",
		"column 1(min) column 2(min) column 3(min) \n01203333: 1.5 2 7\n11203333: 1.25 3 9"},
	{"quotes that never close", "p,time,cost\n1,2,3\n\"1,2,3\n1,2,4\n", "p[1] time(min) cost(min) \n0: 1 2 3\nrow 2 " +
		"(line 3): quotes are not closed or stand inside of a field (extraneous or missing \" in quoted-field)"},
	{"a list of records with NaN",
		`[{"p":1,"time":2,"cost":3},{"p":1,"time":NaN,"cost":-Infinity},{"p":"-Infinity","time":1,"cost":7}]`,
		"p[1 -Infinity] time(min) cost(min) \n0: 1 2 3\n2: -Infinity 1 7\nrow 2, column time: is NaN"},
	{"a record a line", "{\"p\":1,\"values\":[2,3]}\n{\"values\":[3,2],\"p\":2}\n",
		"p[1 2] values_0(min) values_1(min) \n0: 1 2 3\n1: 2 3 2"},
	{"names that come later",
		`[{"time":1,"cost":2},{"time":2,"cost":1,"p":"x"},{"p":"x","q":"yy","time":2,"cost":2},{"p":"z","q":"w","time":2,"cost":2}]`,
		"p[x z none] q[yy w none] time(min) cost(min) \n0: none none 1 2\n1: x none 2 1\n2: x yy 2 2\n3: z w 2 2"},
	{"columns", `{"p":["x","y"],"time":[1,2],"cost":[5,null]}`,
		"p[x] time(min) cost(min) \n0: x 1 5\nrow 2, column cost: is missing"},
	{"rows", `{"columns":["p","time","cost"],"index":[0,1,2],"data":[["x",1,2],["y",2],["z",2,1]]}`,
		"p[x z] time(min) cost(min) \n0: x 1 2\n2: z 2 1\nrow 2: has 2 values, not 3"},
	{"HiPlot", `{"datapoints":[{"uid":"a","from_uid":null,"values":{"lr":0.1,"loss":2}},{"uid":"b","from_uid":"a","values":{"lr":0.01,"loss":1}}],"parameters_definition":{"lr":{"type":"numericlog"}},"display_data":{}}`,
		"lr[0.01 0.1] loss(min) \na: 0.1 2\nb: 0.01 1"},
	{"Optuna's table",
		"number,values_0,values_1,datetime_start,datetime_complete,duration,params_x,params_y," +
			"system_attrs_NSGAIISampler:generation,state\n" +
			"0,1.5,2,2024-01-01 10:00:00,2024-01-01 10:00:01,0 days 00:00:01,a,3,0,COMPLETE\n1,,,2024-01-01 " +
			"10:00:00,,,b,,0,FAIL\n2,1,3,2024-01-01 10:00:00,2024-01-01 10:00:01,0 days,b,,1,COMPLETE\n",
		"params_x[a b] params_y[3 none] values_0(min) values_1(min) \n0: a 3 1.5 2 @[0]\n2: b none 1 3 @[1]\nrow 2 (line " +
			"3), column state: the evaluation ended as FAIL"},
	{"Optuna's trials",
		`[{"number":0,"values":[1,2],"params":{"x":1},"state":"COMPLETE"},{"number":1,"values":[2,1],"params":{"x":2},"state":"COMPLETE"}]`,
		"params_x[1 2] values_0(min) values_1(min) \n0: 1 1 2\n1: 2 2 1"},
}

func TestTablesBecomePoints(t *testing.T) {
	for _, c := range tables {
		t.Run(c.name, func(t *testing.T) {
			if got := brief(guessed(t, c.text)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// guessed are the points of a table whose columns are guessed.
func guessed(t *testing.T, text string) *Set {
	t.Helper()
	table, err := Read(strings.NewReader(text), "x")
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Set(Guess(table))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "x: the file is empty; a table of design points is expected"},
		{"binary", "a\x00b",
			"x: the file is no text; a table of design points is CSV, TSV or JSON; see `orrery designs --help`"},
		{"titles only", "a,b\n", "x: there is no usable row of design points in it; a table of titles and rows of numbers " +
			"is expected: CSV, TSV, JSON or an export of jMetal, HiPlot or Optuna"},
		{"cut JSON", `[{"a":`, "x: byte 6: it is no JSON: unexpected EOF; was the file cut?"},
		{"no objective", "kind,colour\na,red\nb,blue\n",
			"x: no column is an objective; name them with --minimise or --maximise; the columns are kind, colour"},
		{"columns of two lengths", `{"a":[1,2],"b":[1]}`,
			"x: column b has 1 values, column a has 2; a table needs columns of one length"},
	} {
		table, err := Read(strings.NewReader(c.text), "x")
		if err == nil {
			_, err = table.Set(Guess(table))
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
}

// TestJMetalFilesAreJoined reads FUN.csv with the VAR.csv beside it, whose lists stand in one field.
func TestJMetalFilesAreJoined(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "FUN.csv"), "1.5,2.5\n2.5,x\n0.5,3.5\n")
	write(t, filepath.Join(dir, "VAR.csv"), "1 2 3\n1 2 4\n5 2 4\n")
	table, err := Open(t.Context(), filepath.Join(dir, "FUN.csv"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Set(Guess(table))
	if err != nil {
		t.Fatal(err)
	}
	want := "variable_1[1 5] variable_2[2] variable_3[3 4] objective_1(min) objective_2(min) \n0: 1 2 3 1.5 2.5\n2: 5 2 " +
		"4 0.5 3.5\nrow 2 (line 2), column objective_2: \"x\" is not a number"
	if got := brief(s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// mapped is a small set with everything in it.
func mapped(t *testing.T) *Set {
	t.Helper()
	b := NewBuilder(Set{
		Name: "search", Note: "a reconstruction",
		Parameters: []Parameter{{Name: "processors", Values: []string{"mP", "mP+ASIP"}},
			{Name: "memory", Values: []string{"none", "SRAM, fast"}}},
		Objectives: []Objective{{Name: "time", Unit: "ns"}, {Name: "speed", Maximise: true},
			{Name: "cost", Architecture: true}},
		Secondary: []Secondary{{Name: "busy ASIP", Kind: Utilization, Of: 1}, {Name: "wait DCT", Kind: ReadLatency, Of: 0},
			{Name: "note"}},
		Feasible: [][]int32{{0, 0}, {0, 1}, {1, 1}},
		Platform: &Platform{Processes: []Process{{"DCT"}, {"Q"}}, Channels: []Channel{{"DCT>Q", 0, 1, 2}},
			Processors: []Component{{"mP-1", "mP"}, {"ASIP-1", "ASIP"}}, Memories: []Component{{"SRAM", "SRAM"}}},
	})
	for _, p := range []Point{
		{Values: []int32{1, 1}, Objectives: []float64{0.1, 3, 7}, Secondary: []float64{0.5, 1}, Processes: []int16{1, 0},
			Channels: []int16{2}, Generation: 0},
		{Values: []int32{0, 0}, Objectives: []float64{1.0 / 3, 3, 2}, Processes: []int16{0, 0},
			Channels: []int16{0}, Generation: 0},
		{Values: []int32{1, 1}, Objectives: []float64{0.1, 3, 7}, Secondary: []float64{0.5, 1}, Processes: []int16{1, 0},
			Channels: []int16{2}, Generation: 4},
	} {
		if _, err := b.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Add(Point{Individual: "p", Values: []int32{0, 0}, Objectives: []float64{1, 1, 1},
		Generation: -1}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(Point{Individual: "p", Values: []int32{0, 0}, Objectives: []float64{1, 2, 1}}); err == nil ||
		err.Error() != "the same design had speed 1 before and has 2 now" {
		t.Fatalf("a contradiction was taken: %v", err)
	}
	s := b.Set()
	if got := brief(s); !strings.Contains(got, "0: mP+ASIP SRAM, fast 0.1 3 7 @[0 4]") || s.N != 3 {
		t.Fatalf("built:\n%s", got)
	}
	if busy, wait := s.About(Utilization), s.About(ReadLatency); len(busy) != 3 || busy[0] != nil || busy[1][0] != 0.5 ||
		len(wait) != 2 || wait[0][0] != 1 || s.About(Plain) != nil {
		t.Fatalf("utilization %v, latency %v", busy, wait)
	}
	return s
}

func TestWhatIsWrittenReadsBackTheSame(t *testing.T) {
	s := mapped(t)
	s.Generations = listed([]met{{0, 0}, {0, 4}, {1, 0}, {2, 2}}, 3)
	path := filepath.Join(t.TempDir(), "out.csv")
	var asCSV, asJSON, beside bytes.Buffer
	if err := s.WriteCSV(&asCSV, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteDescription(&beside); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteJSON(&asJSON); err != nil {
		t.Fatal(err)
	}
	write(t, path, asCSV.String())
	write(t, path+".json", beside.String())
	one, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Read(&asJSON, "out.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []*Table{one, two} {
		got, err := table.Set(Guess(table))
		if err != nil {
			t.Fatal(err)
		}
		want := *s
		want.ID, want.Row, want.Rejected = []string{"0", "1", "2"}, []int32{1, 2, 3}, nil
		if g, w := fmt.Sprintf("%+v", *got), fmt.Sprintf("%+v", want); strings.ReplaceAll(g, "0x", "") != w &&
			!sameBut(got, &want) {
			t.Errorf("%s:\ngot  %s\nwant %s", table.Name, g, w)
		}
	}
}

// sameBut compares sets; NaN equals NaN.
func sameBut(a, b *Set) bool {
	plain := func(s *Set) string {
		c := *s
		c.Platform, c.Mapping = nil, nil
		return fmt.Sprintf("%+v", c)
	}
	return plain(a) == plain(b) && reflect.DeepEqual(a.Platform, b.Platform) && reflect.DeepEqual(a.Mapping, b.Mapping)
}

func FuzzRead(f *testing.F) {
	for _, c := range tables {
		f.Add(c.text)
	}
	for _, c := range journals {
		f.Add(c.text)
	}
	f.Add("process:A,process:B,channel:A>B,time\nx-1,y,M,3\n")
	f.Add(`{"description":{"columns":[{"title":"a","role":"objective"}],"feasible":[["1"]]},"columns":["a"],"rows":[[1]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Read(strings.NewReader(text), "x")
		if err != nil {
			return
		}
		s, err := table.Set(Guess(table))
		if err != nil {
			return
		}
		if s.N+s.Refused > len(table.Number)+table.Refused || s.N == 0 {
			t.Fatalf("%d points and %d rejected of %d rows", s.N, s.Refused, len(table.Number))
		}
		for _, p := range s.Parameters {
			for _, v := range p.At {
				_ = p.Values[v]
			}
		}
	})
}

func FuzzDescription(f *testing.F) {
	f.Add(`{"columns":[{"title":"p","role":"parameter","values":["2","1"]},{"title":"t","role":"objective","maximise":true,"architecture":true}],"feasible":[["7"]],"population":1}`)
	f.Add(`{"platform":{"processes":[{"name":"A"}],"channels":[{"name":"c","from":0,"to":0}],"processors":[{"name":"x","type":"X"}]},"columns":[{"title":"t","role":"objective"},` +
		`{"title":"p","role":"secondary","kind":"utilization","of":"x"},{"title":"m","role":"process","of":"A"},{"title":"g","role":"generation"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDescription([]byte(text))
		if err != nil {
			return
		}
		table, err := Read(strings.NewReader("p,t,m,g\n1,2,x,0\n2,3,,1 2\n1,2,x,7\n,1,y,0\n"), "x")
		if err != nil {
			t.Fatal(err)
		}
		table.Description = d
		for _, d := range []*Description{d, Guess(table)} {
			s, err := table.Set(d)
			if err != nil {
				continue
			}
			if err := s.WriteJSON(io.Discard); err != nil {
				t.Fatal(err)
			}
			for _, combo := range s.Feasible {
				for j, v := range combo {
					_ = s.Parameters[j].Values[v]
				}
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	text.WriteString("p,q,time,energy,cost\n")
	for range 50000 {
		fmt.Fprintf(&text, "%d,%d,%.9f,%.9f,%.9f\n", r.IntN(3), r.IntN(33), r.Float64(), r.Float64(), r.Float64())
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		table, err := Read(bytes.NewReader(text.Bytes()), "x")
		if err == nil {
			_, err = table.Set(Guess(table))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
