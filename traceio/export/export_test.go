package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/traceio"
	tables "orrery/traceio/csv"
	"orrery/traceio/dinero"
	lk "orrery/traceio/lackey"
)

// script is a Source over rows and events in memory.
type script struct {
	rows   []traceio.Access
	allocs []traceio.Alloc
	marks  []traceio.Mark
	block  int // rows of a block
	seq    traceio.Seq
}

func (s *script) Next(b *traceio.Block) error {
	if len(s.rows)+len(s.allocs)+len(s.marks) == 0 {
		return io.EOF
	}
	b.Reset(s.seq)
	for ; len(s.rows) > 0 && b.Len() < s.block; s.rows = s.rows[1:] {
		b.Append(s.rows[0])
	}
	s.seq += traceio.Seq(b.Data())
	for ; len(s.allocs) > 0 && (s.allocs[0].Seq < s.seq || len(s.rows) == 0); s.allocs = s.allocs[1:] {
		b.Allocs = append(b.Allocs, s.allocs[0])
	}
	for ; len(s.marks) > 0 && (s.marks[0].Seq < s.seq || len(s.rows) == 0); s.marks = s.marks[1:] {
		b.Marks = append(b.Marks, s.marks[0])
	}
	return nil
}

func (s *script) Loss() []traceio.Loss      { return nil }
func (s *script) Program() *traceio.Program { return &traceio.Program{} }

// random makes rows of a program whose data belongs to the instruction before it when fetches is true, and otherwise
// has instructions that nothing fetched.
func random(rnd *rand.Rand, n int, fetches, threads bool) *script {
	s := &script{block: 1 + rnd.IntN(1000)}
	pc, seq, thread := traceio.Addr(0), traceio.Seq(0), traceio.Thread(0)
	for range n {
		if threads && rnd.IntN(9) == 0 {
			thread = traceio.Thread(rnd.IntN(5))
		}
		a := traceio.Access{Seq: seq, Addr: traceio.Addr(rnd.Uint64() >> (1 + rnd.IntN(63))), PC: pc,
			Size: uint16(1 + rnd.IntN(1<<rnd.IntN(16))), Thread: thread}
		switch {
		case fetches && rnd.IntN(2) == 0:
			pc = a.Addr
			a.PC, a.Kind = pc, traceio.Fetch
		default:
			if a.Kind = traceio.Kind(rnd.IntN(2)); !fetches {
				a.PC = traceio.Addr(rnd.Uint64())
			}
			seq++
		}
		if a.Kind != traceio.Fetch {
			s.event(rnd, seq)
		}
		s.rows = append(s.rows, a)
	}
	s.event(rnd, seq)
	return s
}

// event adds an allocation and a mark now and then.
func (s *script) event(rnd *rand.Rand, seq traceio.Seq) {
	if rnd.IntN(5) == 0 {
		s.allocs = append(s.allocs, traceio.Alloc{Seq: seq, Ticks: traceio.Ticks(rnd.Uint64()),
			Addr: traceio.Addr(rnd.Uint64()), Size: rnd.Uint64(),
			Usable: rnd.Uint64(), Stack: traceio.StackID(rnd.Uint32()), Thread: traceio.Thread(rnd.IntN(3)),
			Op: traceio.AllocOp(rnd.IntN(2))})
	}
	if rnd.IntN(20) == 0 {
		s.marks = append(s.marks, traceio.Mark{Seq: seq, Kind: traceio.MarkKind(rnd.IntN(4)), Value: rnd.Uint64(),
			Text: []string{"", "phase 2", `a "b", c`, "ä\nb"}[rnd.IntN(4)]})
	}
}

func copyOf(s *script) *script {
	c := *s
	return &c
}

func rows(t testing.TB, src traceio.Source) (out []traceio.Access) {
	t.Helper()
	var b traceio.Block
	next := traceio.Seq(0)
	for {
		err := src.Next(&b)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Addr {
			out = append(out, traceio.Access{Seq: next, Addr: b.Addr[i], PC: b.PC[i], Size: b.Size[i], Kind: b.Kind[i],
				Thread: b.Thread[i]})
			if b.Kind[i] != traceio.Fetch {
				next++
			}
		}
	}
	if len(src.Loss()) > 0 {
		t.Fatalf("loss %+v", src.Loss())
	}
	return out
}

func write(t testing.TB, name string, src traceio.Source) ([]byte, Report) {
	t.Helper()
	f, ok := Lookup(name)
	if !ok {
		t.Fatalf("no format %s", name)
	}
	var buf bytes.Buffer
	rep, err := References(context.Background(), f, src, &buf, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), rep
}

// TestRoundTrips writes random recordings and reads them back by the readers of the formats.
func TestRoundTrips(t *testing.T) {
	readers := map[string]func([]byte) traceio.Source{
		"csv":     func(p []byte) traceio.Source { return tables.New(bytes.NewReader(p), "x") },
		"din":     func(p []byte) traceio.Source { return dinero.New(bytes.NewReader(p), "x") },
		"lackey":  func(p []byte) traceio.Source { return lk.New(bytes.NewReader(p), "x") },
		"parquet": func(p []byte) traceio.Source { return &script{rows: readReferences(t, p), block: 1000} },
	}
	for name, read := range readers {
		for seed := range uint64(30) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			whole := name == "csv" || name == "parquet"
			s := random(rnd, 1+rnd.IntN(3000), !whole || seed%2 == 0, name != "din")
			data, rep := write(t, name, copyOf(s))
			if got := rows(t, read(data)); !slices.Equal(got, s.rows) {
				t.Fatalf("%s, seed %d: %d rows, want %d\n%.300s", name, seed, len(got), len(s.rows), data)
			}
			if rep.References+rep.Fetches != uint64(len(s.rows)) || rep.Left != uint64(len(s.allocs)+len(s.marks)) ||
				rep.Instructions+rep.Threads > 0 {
				t.Fatalf("%s: %+v of %d rows", name, rep, len(s.rows))
			}
		}
	}
}

// TestWhatIsLeftBehind counts what din and lackey have no place for; the rest comes back.
func TestWhatIsLeftBehind(t *testing.T) {
	s := random(rand.New(rand.NewPCG(1, 1)), 2000, false, true)
	threads := 0
	for _, a := range s.rows {
		if a.Thread > 0 {
			threads++
		}
	}
	for name, read := range map[string]func([]byte) traceio.Source{
		"din":    func(p []byte) traceio.Source { return dinero.New(bytes.NewReader(p), "x") },
		"lackey": func(p []byte) traceio.Source { return lk.New(bytes.NewReader(p), "x") },
	} {
		data, rep := write(t, name, copyOf(s))
		want := slices.Clone(s.rows)
		for i := range want {
			want[i].PC = 0
			if name == "din" {
				want[i].Thread = 0
			}
		}
		if got := rows(t, read(data)); !slices.Equal(got, want) {
			t.Errorf("%s: rows differ", name)
		}
		if rep.Instructions != uint64(len(s.rows)) || rep.Threads != map[string]uint64{"din": uint64(threads)}[name] {
			t.Errorf("%s: %+v", name, rep)
		}
		f, _ := Lookup(name)
		var buf bytes.Buffer
		if rep, err := References(context.Background(), f, copyOf(s), &buf, Options{Fetches: true}, nil); err != nil ||
			rep.Instructions > 0 || rep.Added == 0 || rep.References != uint64(len(s.rows)) {
			t.Errorf("%s with fetches: %v, %+v", name, err, rep)
		}
		var with []traceio.Access
		for _, a := range rows(t, read(buf.Bytes())) {
			if a.Kind != traceio.Fetch {
				with = append(with, a)
			}
		}
		want = slices.Clone(s.rows)
		for i := range want {
			if name == "din" {
				want[i].Thread = 0
			}
		}
		if !slices.Equal(with, want) {
			t.Errorf("%s with fetches: rows differ", name)
		}
		if note := rep.Note(); !strings.Contains(note, fmt.Sprintf("%d references lost their instruction", len(s.rows))) {
			t.Errorf("%s: %s", name, note)
		}
	}
	if note := (&Report{References: 5}).Note(); note != "" {
		t.Errorf("a note about nothing: %s", note)
	}
}

// TestText shows what each text looks like.
func TestText(t *testing.T) {
	s := &script{block: 10, rows: []traceio.Access{
		{Addr: 0x401000, PC: 0x401000, Size: 3, Kind: traceio.Fetch}, {Addr: 0x7ffe10, PC: 0x401000, Size: 8},
		{Seq: 1, Addr: 0x1234567890, PC: 0x401003, Size: 16, Kind: traceio.Store, Thread: 2},
	}}
	for name, want := range map[string]string{
		"csv": "seq,thread,kind,address,size,pc\n0,0,fetch,0x401000,3,0x401000\n0,0,load,0x7ffe10,8,0x401000\n" +
			"1,2,store,0x1234567890,16,0x401003\n",
		"din": "2 401000 3\n0 7ffe10 8\n1 1234567890 10\n",
		"lackey": "==0== Lackey, an example Valgrind tool: references exported by Orrery\nI  00401000,3\n L 007ffe10,8\n" +
			"--0--   SCHED[1]:  acquired lock (exported)\n--0--   SCHED[2]:  acquired lock (exported)\n--0--   SCHED[3]:  " +
			"acquired lock (exported)\n S 1234567890,16\n",
	} {
		if got, _ := write(t, name, copyOf(s)); string(got) != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

// wantEvents is the table of events of a script, in text.
func wantEvents(s *script) (want []string) {
	type placed struct {
		seq  traceio.Seq
		mark int
		text string
	}
	var all []placed
	for _, m := range s.marks {
		word := []string{"thread-start", "thread-end", "mark", "gap"}[m.Kind]
		all = append(all, placed{m.Seq, 0, fmt.Sprintf("%d|0|0|%s|0|0|0|0|%d|%s", m.Seq, word, m.Value, m.Text)})
	}
	for _, a := range s.allocs {
		word := []string{"malloc", "free"}[a.Op]
		all = append(all, placed{a.Seq, 1, fmt.Sprintf("%d|%d|%d|%s|%d|%d|%d|%d|0|", a.Seq, a.Ticks, a.Thread, word,
			uint64(a.Addr), a.Size, a.Usable, a.Stack)})
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		if a.seq != b.seq {
			return int(a.seq) - int(b.seq)
		}
		return a.mark - b.mark
	})
	for _, p := range all {
		want = append(want, p.text)
	}
	return want
}

// TestEvents writes allocations and marks and reads them by encoding/csv and by the book of Parquet.
func TestEvents(t *testing.T) {
	s := random(rand.New(rand.NewPCG(3, 3)), 3000, true, true)
	s.block = 1 << 16
	want := wantEvents(s)
	for _, name := range []string{"csv", "parquet"} {
		f, _ := Lookup(name)
		var buf bytes.Buffer
		rep, err := Events(context.Background(), f, copyOf(s), &buf, nil)
		if err != nil || rep.Events != uint64(len(want)) {
			t.Fatalf("%s: %v, %+v", name, err, rep)
		}
		var got []string
		if name == "csv" {
			records, err := csv.NewReader(&buf).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range records[1:] {
				var a uint64
				if _, err := fmt.Sscanf(r[4], "0x%x", &a); err != nil {
					t.Fatal(err)
				}
				r[4] = fmt.Sprint(a)
				got = append(got, strings.Join(r, "|"))
			}
		} else {
			for _, row := range readTable(t, buf.Bytes()).rows() {
				got = append(got, strings.Join(row, "|"))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d events, want %d\n%.300v\n%.300v", name, len(got), len(want), got, want)
		}
	}
}

func TestLookup(t *testing.T) {
	if f, ok := Lookup("CSV"); !ok || f.Name != "csv" || Names() != "csv, din, lackey, parquet" {
		t.Error(f.Name, Names())
	}
	if _, ok := Lookup("xlsx"); ok {
		t.Error("xlsx")
	}
}

// broken fails after n bytes.
type broken struct{ n int }

var errFull = errors.New("no space left")

func (b *broken) Write(p []byte) (int, error) {
	if b.n -= len(p); b.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestFullDisk and a cancelled context end every export with their error.
func TestFullDisk(t *testing.T) {
	for _, f := range Formats {
		s := random(rand.New(rand.NewPCG(4, 4)), 3000, true, true)
		for _, n := range []int{0, 5000} {
			if _, err := References(context.Background(), f, copyOf(s), &broken{n}, Options{}, nil); !errors.Is(err, errFull) {
				t.Errorf("%s after %d bytes: %v", f.Name, n, err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := References(ctx, f, copyOf(s), io.Discard, Options{}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func BenchmarkReferences(b *testing.B) {
	s := random(rand.New(rand.NewPCG(1, 1)), 1<<17, true, false)
	s.block = traceio.MaxBlock
	for _, f := range Formats {
		b.Run(f.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := References(context.Background(), f, copyOf(s), io.Discard, Options{}, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(s.rows))/b.Elapsed().Seconds()/1e6, "Mrefs/s")
		})
	}
}
