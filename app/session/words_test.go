package session

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"orrery/analysis/attribution"
	"orrery/analysis/topology"
	"orrery/cachesim"
	"orrery/views/palette"
	"orrery/views/spiral"
)

// analysed opens a shipped recording and finds the cycles of its first references.
func analysed(t *testing.T, name string, count int) (*Recording, *Cycles) {
	t.Helper()
	r := open(t, shipped+name+".orr")
	c, err := r.FindCycles(context.Background(), CyclesRequest{Count: count, Every: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, c
}

// TestC15WordsSayWhatTheProgramDoes: the sweeps of bubble sort, in words.
func TestC15WordsSayWhatTheProgramDoes(t *testing.T) {
	r, c := analysed(t, "bubble-array-shuffled", 0)
	config, err := cachesim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	caches, err := r.RunCaches(context.Background(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	served, err := r.Served(c, caches)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range served { // one by one
		if want, err := caches.Replay.Served(c.Seqs[i]); err != nil || s != want {
			t.Fatalf("reference %d is served by %v, want %v (%v)", c.Seqs[i], s, want, err)
		}
	}
	got := strings.Join(r.Words(c, 0, served, config), "\n")
	for _, want := range []string{"3.7 turns, 63 references a turn\n", "bubble.c lines 16-20 (", "touches ",
		"numbers (20 %)", " misses a turn in L1D of tiny"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if quiet := r.Words(c, 0, nil, config); strings.Contains(strings.Join(quiet, "\n"), "miss") {
		t.Errorf("without a simulation: %q", quiet)
	}
}

// TestC15TurnsAreCutWhereTheAngleIsWhole counts windows and misses of rounds made up by hand.
func TestC15TurnsAreCutWhereTheAngleIsWhole(t *testing.T) {
	p := &topology.Parameterization{Turns: 3.3}
	var served []cachesim.Served
	for i := range 66 { // twenty windows a turn, two of them off the class, misses in every fifth
		v := 0.4 + float64(i)/20
		if i%33 == 9 {
			v = math.NaN()
		}
		p.Unwrapped, p.Members = append(p.Unwrapped, v), append(p.Members, i%33 != 9)
		miss := cachesim.Served(0)
		if i%5 == 0 {
			miss = 4
		}
		served = append(served, miss)
	}
	got := (&Cycles{}).Turns(p, served, 0)
	if len(got) != 3 {
		t.Fatalf("%d rounds: %+v", len(got), got)
	}
	for k, turn := range got {
		if turn.From != 20*k || turn.To != 20*k+20 || turn.Misses != 4 {
			t.Errorf("round %d is %+v", k, turn)
		}
	}
	for _, c := range []struct {
		misses []int
		want   string
	}{{[]int{5, 4}, ""}, {[]int{9, 8, 4, 3}, "falling"}, {[]int{3, 3, 3, 3, 3}, "steady"},
		{[]int{0, 0, 1, 2, 3}, "rising"}} {
		var turns []Turn
		for _, m := range c.misses {
			turns = append(turns, Turn{Misses: m})
		}
		if got := trend(turns); got != c.want {
			t.Errorf("%v is %q, want %q", c.misses, got, c.want)
		}
	}
}

// TestC15TotalsOverTurns: references and misses a turn are totals over turns, a sample counts for what it stands for,
// and nothing is counted by turns that are fewer than one, go to and fro, or are not certain.
func TestC15TotalsOverTurns(t *testing.T) {
	config, err := cachesim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name  string
		every int
		score float64
		step  func(i int) float64 // to the i-th of 201 windows, in turns; every fifth window misses
		want  []string
	}{
		{"ten turns", 1, 1, func(int) float64 { return 0.05 }, []string{"10.0 turns, 20 references a turn",
			"4.1 misses a turn in L1D of tiny (L1D 32B, L2 64B), steady"}},
		{"one of ten", 10, 1, func(int) float64 { return 0.05 }, []string{"10.0 turns, 200 references a turn",
			"about 41.0 misses a turn in L1D of tiny (L1D 32B, L2 64B), steady"}},
		{"to and fro", 1, 0.2, func(i int) float64 { return []float64{0.45, -0.35}[i%2] }, []string{"10.0 turns, to and fro",
			"41 misses in L1D of tiny (L1D 32B, L2 64B) in all"}},
		{"less than a turn", 1, 1, func(int) float64 { return 0.004 },
			[]string{"0.8 turns", "41 misses in L1D of tiny (L1D 32B, L2 64B) in all"}},
		{"over half a turn", 1, 1, func(int) float64 { return 0.6 },
			[]string{"120.0 turns, uncertain: half a turn or more in 200 steps",
				"41 misses in L1D of tiny (L1D 32B, L2 64B) in all"}},
		{"one such step in many", 1, 1, func(i int) float64 {
			if i == 50 {
				return 0.6
			}
			return 0.3
		}, []string{"60.3 turns, 3 references a turn", "41 misses in L1D of tiny (L1D 32B, L2 64B) in all"}},
	} {
		p := topology.Parameterization{Score: row.score}
		var served []cachesim.Served
		at := 0.0
		for i := range 201 {
			if i > 0 {
				at += row.step(i)
			}
			p.Unwrapped, p.Members = append(p.Unwrapped, at), append(p.Members, true)
			miss := cachesim.Served(0)
			if i%5 == 0 {
				miss = 4
			}
			served = append(served, miss)
		}
		p.Count, p.Turns = 201, at
		if row.name == "to and fro" {
			p.Turns = 10
		}
		c := &Cycles{Result: &topology.Result{Window: 10}, Request: CyclesRequest{Every: row.every}}
		if got := []string{c.TurnWords(&p), missWords(c, &p, served, config)}; !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

// TestC8KeysAreWhatTheReferencesSay compares every choice's keys with the references and lines themselves.
func TestC8KeysAreWhatTheReferencesSay(t *testing.T) {
	r, c := analysed(t, "bubble-vector-shuffled", 0)
	group, err := ParseGroup("swap = bubble_vector.cpp:16-17, std::vector<int, std::allocator<int> >::size")
	if err != nil {
		t.Fatal(err)
	}
	inside := []Group{group}
	for by, of := range map[ColorBy]func(i int) string{
		ByFunction: func(i int) string { return r.Lines.At(c.Lines[i]).Function },
		ByFile:     func(i int) string { f := r.Lines.At(c.Lines[i]).File; return f[strings.LastIndexByte(f, '/')+1:] },
		ByKind:     func(i int) string { return c.First[i].Kind.String() },
		ByThread:   func(i int) string { return "thread 0" },
		ByGroup: func(i int) string {
			l := r.Lines.At(c.Lines[i])
			if l.File == "bubble_vector.cpp" && (l.Line == 16 || l.Line == 17) ||
				strings.HasPrefix(l.Function, "std::vector<int, std::allocator<int> >::size") {
				return "swap"
			}
			return ""
		},
		ByRegion: func(i int) string { g, _ := r.Regions.At(c.First[i].Addr, c.First[i].Seq); return g.Name },
	} {
		s := spiral.State{Theme: palette.Dark()}
		r.Color(&s, c, Coloring{By: by, Groups: inside})
		if s.Mode != spiral.ByKey || len(s.Keys) == 0 {
			t.Errorf("%s: mode %d, %d keys", by, s.Mode, len(s.Keys))
			continue
		}
		counts := make([]int, len(s.Keys))
		for i := range c.Seqs {
			got := ""
			if k := s.Key[i]; k >= 0 {
				got = s.Keys[k].Label
				counts[k]++
			}
			if want := of(i); got != want && !(by == ByThread && strings.HasPrefix(got, "thread ")) {
				t.Fatalf("%s: window %d is %q, want %q", by, i, got, want)
			}
		}
		for k := 1; k < len(counts); k++ {
			if counts[k] > counts[k-1] {
				t.Errorf("%s: key %d has %d windows, the one before %d", by, k, counts[k], counts[k-1])
			}
		}
	}
}

func TestC8GroupsReadWhatTheyWrite(t *testing.T) {
	for _, text := range []string{"a=b.c:1-3", "swap=bubble.c:10,main,x.h", "n=std::sort,v.cpp:7-9"} {
		g, err := ParseGroup(text)
		if err != nil || g.String() != text {
			t.Errorf("%q is read as %q, %v", text, g.String(), err)
		}
	}
	for _, text := range []string{"", "a", "=b", "a=", "a=b.c:0", "a=b.c:5-3", "a=b.c:1-x"} {
		if g, err := ParseGroup(text); err == nil {
			t.Errorf("%q is read as %+v", text, g)
		}
	}
	g, _ := ParseGroup("a=b.c:2-3,f,whole.h")
	for _, c := range []struct {
		file, function string
		line           int
		want           bool
	}{{"dir/b.c", "", 2, true}, {"b.c", "", 4, false}, {"x.c", "f(int)", 9, true}, {"x.c", "g", 9, false},
		{"inc/whole.h", "g", 1, true}} {
		if got := g.Has(attribution.Line{File: c.file, Line: c.line, Function: c.function}); got != c.want {
			t.Errorf("%s:%d in %s: %v", c.file, c.line, c.function, got)
		}
	}
}

// TestC8GroupsTakeNamesAsTheyArePrinted: whole, as the tool prints them, and as people write them; with patterns;
// operators with brackets.
func TestC8GroupsTakeNamesAsTheyArePrinted(t *testing.T) {
	const at = "std::vector<int, std::allocator<int> >::operator[](unsigned long)"
	for _, c := range []struct {
		member, function, module string
		want                     bool
	}{
		{at, at, "", true},
		{"std::vector<int, std::allocator<int> >::operator[]", at, "", true},
		{"std::vector::operator[]", at, "", true},
		{"std::vector::*", at, "", true},
		{"*operator[]*", at, "", true},
		{"std::vector::size", at, "", false},
		{"std::vector", at, "", false},
		{"std::operator<<", "std::ostream& std::operator<< <char>(std::ostream&, char)", "", true},
		{"less::operator()", "less<int>::operator()(int const&, int const&) const", "", true},
		{"std::__new_allocator::construct", "void std::__new_allocator<std::string>::construct<char>(char*, char&&)", "",
			true},
		{"(anonymous namespace)::swap", "(anonymous namespace)::swap(int*, int*)", "", true},
		{"memcpy (libc.so.6)", "memcpy", "libc.so.6", true},
		{"memcpy", "memcpy", "libc.so.6", true},
		{"main.sum", "main.sum", "", true},
		{"main.(*List).Sum", "main.(*List).Sum", "", true},
		{"main.s?m", "main.sum", "", true},
		{"swap", "swapped(int)", "", false},
	} {
		g, err := ParseGroup("a=" + c.member)
		if err != nil {
			t.Errorf("%s: %v", c.member, err)
			continue
		}
		if got := g.Has(attribution.Line{Function: c.function, Module: c.module}); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.member, c.function, got, c.want)
		}
	}
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{{"*", "", true}, {"a*b*c", "aXbYc", true}, {"a*b*c", "abcb", false}, {"*ab", "aab", true}, {"?", "", false},
		{"a**", "a", true}, {"operator*", "operator*", true}} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("%q of %q: %v", c.pattern, c.name, got)
		}
	}
}

// TestC10ProjectionPutsEqualWindowsTogether lays a real stretch out.
func TestC10ProjectionPutsEqualWindowsTogether(t *testing.T) {
	r, c := analysed(t, "bubble-array-shuffled", 0)
	plane, err := r.Project(context.Background(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(plane.Place) != c.Times || plane.Lost > 0.6 {
		t.Errorf("%d places for %d windows, %.2f lost", len(plane.Place), c.Times, plane.Lost)
	}
	for i := range plane.Place {
		for j := range i {
			if c.Point[i] == c.Point[j] && plane.Place[i] != plane.Place[j] {
				t.Fatalf("windows %d and %d are equal and lie apart", i, j)
			}
		}
	}
}

// TestC3DiagramHasEveryClass compares the picture's bars with the barcode.
func TestC3DiagramHasEveryClass(t *testing.T) {
	_, c := analysed(t, "bubble-array-shuffled", 0)
	s := c.Diagram(palette.Light(), 1, 0)
	if len(s.Bars) != len(c.Barcode) || s.Current != c.Parameterizations[1].Rank-1 ||
		s.Other != c.Parameterizations[0].Rank-1 {
		t.Fatalf("%d bars, shown %d, from %d", len(s.Bars), s.Current, s.Other)
	}
	for i, b := range c.Barcode {
		if s.Bars[i].Birth != b.Birth || s.Bars[i].Death != b.Death {
			t.Errorf("bar %d is %+v, want %+v", i, s.Bars[i], b)
		}
	}
	for i, p := range c.Parameterizations {
		if b := s.Bars[p.Rank-1]; b.Shown != i || b.Turns != p.Turns {
			t.Errorf("rank %d: %+v", p.Rank, b)
		}
	}
}
