package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orrery/analysis/depgraph/filter"
	"orrery/app/shell/saved"
	"orrery/traceio"
	"orrery/traceio/orr"
)

// longest is the length of a good file that mutants are made of: short ones are tried more often in the same time.
const longest = 48 << 10

// tree reads good files of the repository.
type tree struct {
	root string
	err  error
}

// files are those that match patterns, without what is too long.
func (t *tree) files(patterns ...string) (out []seed) {
	for _, p := range patterns {
		paths, err := filepath.Glob(filepath.Join(t.root, p))
		if err != nil || len(paths) == 0 {
			t.fail("%s matches no file", p)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.fail("%v", err)
			}
			if len(data) <= longest {
				out = append(out, seed{name: filepath.Base(path), data: data})
			}
		}
	}
	return out
}

func (t *tree) fail(text string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(text, args...)
	}
}

// beginning is the first lines of a file.
func (t *tree) beginning(path string, most int) seed {
	data, err := os.ReadFile(filepath.Join(t.root, path))
	if err != nil {
		t.fail("%v", err)
		return seed{}
	}
	data = data[:bytes.LastIndexByte(data[:min(most, len(data))], '\n')+1]
	return seed{name: filepath.Base(path), data: data}
}

// unpacked is the beginning of a file in gzip, up to a line's end.
func (t *tree) unpacked(path string, most int64) seed {
	f, err := os.Open(filepath.Join(t.root, path))
	if err != nil {
		t.fail("%v", err)
		return seed{}
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.fail("%s: %v", path, err)
		return seed{}
	}
	data, err := io.ReadAll(io.LimitReader(z, most))
	if err != nil {
		t.fail("%s: %v", path, err)
	}
	if int64(len(data)) == most {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	return seed{name: strings.TrimSuffix(filepath.Base(path), ".gz"), data: data}
}

func text(name, data string) seed { return seed{name: name, data: []byte(data)} }

func prefix(s seed, n int) seed {
	s.data = s.data[:min(n, len(s.data))]
	return s
}

// packedAs are good files in a packing.
func packedAs(packing string, good []seed) (out []seed) {
	for _, s := range good {
		out = append(out, seed{name: s.name + "." + packing, data: pack(packing, s.data)})
	}
	return out
}

// rezip changes what is in a zip archive and packs it anew.
func rezip(r *rand.Rand, good, _ []byte) []byte {
	in, err := zip.NewReader(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range in.File {
		member, err := f.Open()
		if err != nil {
			return nil
		}
		data, err := io.ReadAll(member)
		if err != nil {
			return nil
		}
		if r.IntN(2) == 0 {
			data, _ = mutate(r, data, data)
		}
		name := f.Name
		if r.IntN(8) == 0 {
			name = []string{"", "../x", "chunk.9", "a/b", strings.Repeat("n", 300)}[r.IntN(5)]
		}
		for range 1 + few(r)/5 {
			to, err := w.Create(name)
			if err != nil {
				return nil
			}
			if _, err := to.Write(data); err != nil {
				return nil
			}
		}
	}
	if w.Close() != nil {
		return nil
	}
	return out.Bytes()
}

// elsewhere gives the libraries that logs name other paths of the same length, so that those of this machine are not
// read for each mutant.
func elsewhere(f *format) *format {
	for i := range f.seeds {
		data := bytes.ReplaceAll(f.seeds[i].data, []byte("/usr/lib/"), []byte("/not/lib/"))
		f.seeds[i].data = bytes.ReplaceAll(data, []byte("/lib/x86_64"), []byte("/nil/x86_64"))
	}
	return f
}

const journal = `{"op_code":0,"worker_id":"w","study_name":"s","directions":[1]}
{"op_code":4,"worker_id":"w","study_id":0,"params":{"x":1},"distributions":{"x":"{}"},"state":1,"values":[1.5]}
{"op_code":4,"worker_id":"w","study_id":0,"params":{"x":2},"distributions":{"x":"{}"},"state":1,"values":[2.5]}
`

var designTables = []seed{
	text("blanks.txt", strings.Repeat("1 2.5 3\n2 3.5 4\n", 10)),
	text("tabs.tsv", "a\ttime\tenergy\n"+strings.Repeat("1\t2.5\t3\n2\t3.5\t1\n", 8)),
	text("records.json", `[{"a":1,"b":"x","time":2.5},{"a":2,"b":"y","time":3.25},{"a":2,"b":"x","time":1}]`),
	text("lines.jsonl", strings.Repeat(`{"a":1,"time":NaN}`+"\n"+`{"a":2,"time":4}`+"\n", 6)),
	text("columns.json", `{"a":[1,2,3],"time":[2.5,Infinity,4],"energy":[3,2,1]}`),
	text(
		"hiplot.json",
		`{"datapoints":[{"uid":"1","values":{"a":1,"time":2.5}},{"uid":"2","values":{"a":2,"time":3.5}}]}`,
	),
	text("journal.log", journal),
}

const scripts = `// what filters are made of
colorize("name", "I.*", red);
colorizeEdges("type", "control|successor", "#d0604f");
keep("category", "data|constant|phi", 1);
remove("name", "FrameState");
split("category", "constant");
mergeUp("name", "Proj.*");
mergeBy("line");
heat("misses");
var n = 0; for (var i = 0; i < 10; i++) { n += i; }
if (n > 3) { removeLoose(); }
`

// session is a window with two recordings, as it is saved.
func session() []byte {
	speed := 3
	s := saved.Session{Version: saved.Version, Theme: "light", Front: 1, Beside: -1, Documents: []saved.Document{
		{Path: "/r/a.orr", Print: "6-ab", Speed: &speed, State: json.RawMessage(`{"x":1,"panes":{"heap":{"bins":"glibc"}}}`),
			Arrangement: saved.Arrangement{
				Panes:  json.RawMessage(`{"tabs":["cycles"]}`),
				Active: "heap",
				Folds:  map[string]bool{"left": true},
			},
			Place: saved.Place{
				Cursor:   1 << 60,
				From:     2,
				To:       1<<63 + 1,
				Selected: &saved.Thing{What: "line", File: "a.c", Line: 4},
			},
			Bookmarks: []saved.Bookmark{{Name: "swap", Place: saved.Place{Cursor: 9, To: 10}}}},
		{Path: "/r/b.orr", Place: saved.Place{To: 840}},
	}}
	data, err := s.Bytes("")
	if err != nil {
		panic(err)
	}
	return data
}

// executed is a lackey log of a run of an ELF file: its entry point and what follows, so that its debug information is
// read.
func (t *tree) executed(elfFile seed) seed {
	f, err := elf.NewFile(bytes.NewReader(elfFile.data))
	if err != nil {
		t.fail("%s: %v", elfFile.name, err)
		return seed{}
	}
	log := fmt.Sprintf("==1== Lackey, an example Valgrind tool\n==1== Command: ./%s\n", elfFile.name)
	for k := range uint64(120) {
		log += fmt.Sprintf("I  %08x,4\n L %x,8\n S 1fff000%x,8\n", f.Entry+4*k, 0x600000+8*k, 512+8*k)
	}
	return text("run.lackey", log)
}

// programs are files of machine code with debug information, each with a log of its run beside it.
func (t *tree) programs() (out []seed) {
	const dir = "traceio/symbols/testdata/"
	add := func(s seed, beside ...seed) {
		s.beside = beside
		out = append(out, s)
	}
	dwp, dwz := t.files(
		dir+"dwp/prog",
		dir+"dwp/prog.dwp",
		dir+"dwp/whole",
	), t.files(
		dir+"dwz/a",
		dir+"dwz/a.whole",
		dir+"dwz/common.debug",
	)
	if t.err != nil {
		return nil
	}
	add(dwp[0], t.executed(dwp[0]), dwp[1])
	add(dwp[1], t.executed(dwp[0]), dwp[0])
	add(dwp[2], t.executed(dwp[2]))
	add(dwz[0], t.executed(dwz[0]), dwz[2])
	add(dwz[1], t.executed(dwz[1]))
	add(dwz[2], t.executed(dwz[0]), dwz[0])
	return out
}

// The table of designs whose description is changed, and the description.
var table = text("table.csv", "n,a,b,time,energy\n1,1,x,2,3\n2,1,y,3,1\n3,2,x,1,4\n4,2,y,2,2\n")

const described = `{"name":"table","columns":[{"title":"n","role":"id"},{"title":"a","role":"parameter"},{"title":"b","role":"parameter",
"values":["x","y"]},{"title":"time","role":"objective","unit":"ns"},{"title":"energy","role":"objective","maximise":true}]}`

const smallTurbo = `{"function":{"source":"x","functionName":"f"},"phases":[{"name":"Graph built","type":"graph","data":{"nodes":[
{"id":0,"label":"Start","title":"Start","live":true,"properties":"","opcode":"Start","control":true},{"id":1,"label":"End","title":"End",
"live":true,"properties":"","opcode":"End","control":true}],"edges":[{"source":0,"target":1,"index":0,"type":"control"}]}},
{"name":"schedule","type":"schedule","data":"--- BLOCK B0 id0 ---\n  0: Start\n"}],"nodePositions":{"0":1}}`

// fewPhases is a text of V8 with its first phases only.
func fewPhases(turbo seed) seed {
	var doc struct {
		Function json.RawMessage   `json:"function"`
		Phases   []json.RawMessage `json:"phases"`
	}
	if json.Unmarshal(turbo.data, &doc) != nil {
		return turbo
	}
	doc.Phases = doc.Phases[:min(2, len(doc.Phases))]
	data, err := json.Marshal(doc)
	if err != nil {
		return turbo
	}
	return seed{name: turbo.name, data: data}
}

func filters() (out []seed) {
	out = append(out, text("all.js", scripts))
	for i, f := range filter.Shipped() {
		out = append(out, text(fmt.Sprintf("shipped%d.js", i), f.Script))
	}
	return out
}

// circle is n points, a point a line.
func circle(n int) (out string) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out += fmt.Sprintf("%.4f,%.4f\n", cos, sin)
	}
	return out
}

// triangle is a lower distance matrix of n points on a circle.
func triangle(n int) (out string) {
	for i := range n {
		for k := range i {
			d := min(i-k, n-i+k)
			out += fmt.Sprint(d, ",")
		}
		out += "\n"
	}
	return out
}

// searchState is the state of a search that the program has saved.
func searchState(w *worker, f *format) error {
	path := filepath.Join(w.dir, "state.json")
	recording := w.file("testdata/recordings/fill.orr")
	_, err := w.must("designs", "search", "--generations", "1", "--population", "4", "--state", path, recording)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	f.seeds[0].data = data
	return err
}

// keptFile is the recording whose counts are kept; it has blocks enough for that.
const keptFile = "^long.orr"

// kept is what the program keeps of a long recording.
func kept(w *worker, f *format) error {
	out, err := os.Create(w.file(keptFile))
	if err != nil {
		return err
	}
	defer out.Close()
	to, err := orr.Create(out, &traceio.Program{Command: []string{"long"}})
	if err != nil {
		return err
	}
	var b traceio.Block
	for range 200 {
		b.Reset(to.Len())
		for i := range 256 {
			b.Append(
				traceio.Access{
					Addr: traceio.Addr(0x1000 + i%512*8),
					PC:   traceio.Addr(0x400 + i%4),
					Size: 8,
					Kind: traceio.Kind(i % 2),
				},
			)
		}
		if err := to.WriteBlock(&b); err != nil {
			return err
		}
	}
	if err := to.Close(nil); err != nil {
		return err
	}
	if _, err := w.must("info", "--json", w.file(keptFile)); err != nil {
		return err
	}
	files, err := os.ReadDir(w.cache)
	if err != nil || len(files) != 1 {
		return fmt.Errorf("%d files are kept of a long recording, not one (%v)", len(files), err)
	}
	f.seeds[0].name = files[0].Name()
	f.seeds[0].data, err = os.ReadFile(filepath.Join(w.cache, files[0].Name()))
	return err
}

// resealKept changes what is kept of a result under a checksum that holds.
func resealKept(r *rand.Rand, good, _ []byte) []byte {
	const trailer = 16 // a mark, checksum, length
	data, _ := mutate(r, good[:len(good)-trailer], good)
	end := binary.LittleEndian.AppendUint32(slices.Clone(good[len(good)-trailer:][:4]), crc32.Checksum(data, castagnoli))
	return append(data, binary.LittleEndian.AppendUint64(end, uint64(len(data)))...)
}

// smallRecording is a recording of a program that does a little of everything: three short blocks, two threads, a list
// that is allocated and partly freed, names, types and source.
func smallRecording() seed {
	frame := func(function string, line int) []traceio.Frame {
		return []traceio.Frame{{Function: function, File: "a.c", Line: line}}
	}
	program := &traceio.Program{
		Command: []string{
			"./a",
		}, Recorder: "qemu", Ticking: true, Stacks: [][]traceio.Addr{{}, {0x401010}, {0x401010, 0x401030}},
		Modules: []traceio.Module{{Path: "/nowhere/a", Low: 0x400000, High: 0x410000, Main: true}},
		Sites: []traceio.Site{
			{PC: 0x401000, Frames: frame("main", 3)},
			{PC: 0x401010, Frames: frame("main", 4), Flow: traceio.Call, Target: 0x401020},
			{PC: 0x401020, Frames: frame("add", 1)},
			{PC: 0x401030, Frames: frame("add", 2), Flow: traceio.Return},
		},
		Types: []traceio.Type{
			{},
			{Name: "int", Size: 4},
			{Size: 64, Dims: []int{16}, Elem: 1},
			{Name: "list", Size: 16, Fields: []traceio.Field{
				{Name: "next", Type: 1}, {Name: "value", Offset: 8, Type: 1}}},
		},
		Globals: []traceio.Global{{Name: "A", Addr: 0x404000, Size: 64, Type: 2}},
		Functions: []traceio.Function{
			{
				Name:   "add",
				Low:    0x401020,
				High:   0x401040,
				Entry:  0x401020,
				Locals: []traceio.Local{{Name: "add:i", Offset: -24, Size: 4, Type: 1}},
			},
		},
		Sources: []traceio.SourceText{
			{Path: "a.c", Text: "int add(int i) {\n  return i + 1;\n}\nint main(void) { return add(1); }\n"},
		},
	}
	var out bytes.Buffer
	w, err := orr.Create(&out, nil)
	for k := range traceio.Seq(3) {
		b := &traceio.Block{First: w.Len(), Start: traceio.Ticks(1000 * k), End: traceio.Ticks(1000*k + 900)}
		for i := range traceio.Addr(60) {
			b.Append(traceio.Access{Addr: 0x401000 + i%4*16, PC: 0x401000 + i%4*16, Size: 4, Kind: traceio.Fetch})
			b.Append(
				traceio.Access{
					Addr:   0x404000 + i%16*4,
					PC:     0x401000 + i%4*16,
					Size:   4,
					Kind:   traceio.Kind(i % 2),
					Thread: traceio.Thread(k % 2),
				},
			)
			b.Append(traceio.Access{Addr: 0x7f0000 + i%5*32, PC: 0x401020, Size: 8, Kind: traceio.Load})
		}
		for i := range traceio.Seq(5) {
			e := traceio.Alloc{
				Seq:     b.First + 20*i,
				Ticks:   b.Start,
				Addr:    0x7f0000 + traceio.Addr(32*i),
				Size:    16,
				Usable:  24,
				Stack:   traceio.StackID(1 + i%2),
				Latency: 50,
			}
			if k > 0 && i < 3 {
				b.Allocs = append(b.Allocs, traceio.Alloc{Seq: e.Seq, Ticks: e.Ticks, Addr: e.Addr, Op: traceio.Free, Stack: 1})
			}
			b.Allocs = append(b.Allocs, e)
		}
		b.Marks = []traceio.Mark{{Seq: b.First, Thread: traceio.Thread(k % 2), Kind: traceio.MarkKind(k)}}
		if err == nil {
			err = w.WriteBlock(b)
		}
	}
	if err == nil {
		err = w.Close(program)
	}
	if err != nil {
		panic(err) // nothing but memory is written to
	}
	return seed{name: "small.orr", data: out.Bytes()}
}

// madeRecording is a recording that is whole by its checksums and wrong by its contents.
func madeRecording(r *rand.Rand, good, other []byte) []byte {
	if r.IntN(3) == 0 {
		return written(r)
	}
	return resealed(r, good, other)
}
