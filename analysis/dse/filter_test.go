package dse

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orrery/traceio/designs"
)

// bound is a random space whose points bind four processes to three processors of two types.
func bound(t *testing.T, n int) *Space {
	t.Helper()
	r := rand.New(rand.NewPCG(31, 32))
	set := setOf(r, cloud(r, n, 2, 0), 3, 4)
	set.Parameters[1].Name = "cores"
	set.Platform = &designs.Platform{Processes: []designs.Process{{Name: "V-In"}, {Name: "DCT"},
		{Name: "VLE"}, {Name: "Q"}},
		Processors: []designs.Component{{Name: "mP", Type: "mP"}, {Name: "ASIP-1", Type: "ASIP"},
			{Name: "ASIP-2", Type: "ASIP"}}}
	set.Mapping = &designs.Mapping{}
	for range set.Platform.Processes {
		var on []int16
		for range n {
			on = append(on, int16(r.IntN(4)-1))
		}
		set.Mapping.Process = append(set.Mapping.Process, on)
	}
	set.Generations = designs.Generations{Start: []int32{0}, Count: 20}
	for i := range n {
		set.Generations.List = append(set.Generations.List, int32(i*20/n))
		set.Generations.Start = append(set.Generations.Start, int32(i+1))
	}
	s, err := New(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFiltersAgreeWithTheirWords(t *testing.T) {
	s := bound(t, 900)
	on := func(process, p int) int16 { return s.Mapping.Process[process][p] }
	bound := func(p int, list ...int) bool {
		return !slices.ContainsFunc(list, func(i int) bool { return on(i, p) < 0 })
	}
	for _, c := range []struct {
		clauses string // parted by ;
		want    func(p int) bool
	}{
		{"", func(int) bool { return true }},
		{"f0 <= 0.3", func(p int) bool { return s.Objectives[0].Values[p] <= 0.3 }},
		{"f1 > 0.3; f1 < 0.6", func(p int) bool {
			return s.Objectives[1].Values[p] > 0.3 && s.Objectives[1].Values[p] < 0.6
		}},
		{"norm f1 = 0..0.2", func(p int) bool { return s.Norm[1][p] <= 0.2 }},
		{"distance > 0.2", func(p int) bool { return s.ToFront[p] > 0.2 }},
		{"generation <= 7", func(p int) bool { return s.Generations.First(p) <= 7 }},
		{"generation < 7; generation <= 9", func(p int) bool { return s.Generations.First(p) < 7 }},
		{"cores = 1,3", func(p int) bool { return s.Parameters[1].At[p]%2 == 1 }},
		{"cores != 1; cores < 3", func(p int) bool { return s.Parameters[1].At[p]%2 == 0 }},
		{"together v-in DCT Q", func(p int) bool {
			return bound(p, 0, 1, 3) && on(0, p) == on(1, p) && on(0, p) == on(3, p)
		}},
		{"apart V-In DCT Q", func(p int) bool {
			return bound(p, 0, 1, 3) && on(0, p) != on(1, p) && on(0, p) != on(3, p) && on(1, p) != on(3, p)
		}},
		{"split V-In DCT Q", func(p int) bool { return bound(p, 0, 1, 3) && (on(0, p) != on(1, p) || on(0, p) != on(3, p)) }},
		{"on ASIP DCT VLE; f0 >= 0.5", func(p int) bool {
			return on(1, p) >= 1 && on(2, p) >= 1 && s.Objectives[0].Values[p] >= 0.5
		}},
	} {
		var clauses []string
		for _, clause := range strings.Split(c.clauses, ";") {
			if clause != "" {
				clauses = append(clauses, clause)
			}
		}
		f, err := ParseFilter(s, clauses)
		if err != nil {
			t.Errorf("%s: %v", c.clauses, err)
			continue
		}
		for show, of := range map[Show]func(p int) bool{ShowAll: func(int) bool { return true },
			ShowLocal: func(p int) bool { return s.Local[p] }, ShowGlobal: func(p int) bool { return s.Global[p] }} {
			f.Show(show)
			n := 0
			for p := range s.N {
				if want := c.want(p) && of(p); f.Pass().Has(p) != want {
					t.Errorf("%s: point %d passes: %v, want %v", c.clauses, p, !want, want)
					break
				} else if want {
					n++
				}
			}
			if f.Pass().Count() != n || f.Active() != (c.clauses != "" || show != ShowAll) {
				t.Errorf("%s: %d pass, want %d", c.clauses, f.Pass().Count(), n)
			}
		}
	}
}

func TestCriteriaComeAndGo(t *testing.T) {
	s := bound(t, 130)
	f := NewFilter(s)
	f.Range(0, 0, 0.5)
	some := f.Pass().Count()
	f.Parameter(1, []bool{true, false, false, false})
	f.Mapping(Constraint{Kind: Together, Processes: []int{0, 1}})
	f.Generation(3)
	if f.Pass().Count() >= some {
		t.Fatal("more criteria let no fewer pass")
	}
	f.Parameter(1, nil)
	f.Mapping()
	f.Generation(-1)
	if f.Pass().Count() != some {
		t.Fatalf("%d pass after the others are gone, want %d", f.Pass().Count(), some)
	}
	f.Range(0, math.Inf(-1), math.Inf(1))
	if f.Active() || f.Pass().Count() != s.N {
		t.Fatal("criteria are left")
	}
}

func TestWrongClausesAreRefused(t *testing.T) {
	s := bound(t, 50)
	for clause, want := range map[string]string{
		"":                "it is empty",
		"speed < 3":       `there is no objective or parameter "speed"`,
		"f0 < fast":       `"fast" is not a number`,
		"f0 != 3":         "!= goes with parameters only",
		"f0 < 1..2":       "a range goes with = only",
		"cores = 17":      `cores is never "17"`,
		"near f0":         "it cannot be read",
		"together DCT":    "it names too few processes",
		"together DCT XY": `there is no process "XY"`,
		"on GPU DCT":      `there is no processor of type "GPU"`,
		"generation > 3":  "generation takes <= and a number",
		"<= 3":            "it has no name",
	} {
		if _, err := ParseFilter(s, []string{clause}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", clause, err, want)
		}
	}
}

// TestFreshNodesAreThoseThatTheGenerationAdded compares the tree of the points until g with that until g-1.
func TestFreshNodesAreThoseThatTheGenerationAdded(t *testing.T) {
	tree, err := NewTree(grown(t, 4, 120), nil, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	s := tree.Space
	for g := range int32(9) {
		fresh := tree.Fresh(g)
		for v := range int32(tree.Len()) {
			want := false
			switch p := tree.Point(v); {
			case p != None:
				of := s.Generations.Of(int(p))
				want = len(of) > 0 && of[0] == g
			case tree.Kind[v] <= ObjectiveNode:
				want = tree.First[v] == g
			}
			if slices.Contains(fresh, v) != want {
				t.Fatalf("generation %d: %s node %d is fresh: %v, want %v", g, tree.Kind[v], v, !want, want)
			}
		}
		if got := tree.Below(0, fresh); got != len(fresh) {
			t.Fatalf("%d of %d nodes are below the root", got, len(fresh))
		}
	}
}
