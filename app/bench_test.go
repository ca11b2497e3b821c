package app_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orrery/testdata/bench/judge"
)

const benchDir = "../testdata/bench"

func benchTable(t *testing.T) []judge.Program {
	t.Helper()
	programs, err := judge.Load(benchDir)
	if err != nil {
		t.Fatal(err)
	}
	return programs
}

// TestBenchTable: the bench has the programs that it is to have, and every source belongs to one.
func TestBenchTable(t *testing.T) {
	planted, clean, debian, sources := 0, 0, 0, map[string]bool{}
	for _, p := range benchTable(t) {
		switch {
		case p.Planted != "":
			planted++
		case p.Source != "":
			clean++
		default:
			debian++
		}
		sources[p.Source] = true
	}
	if planted < 24 || clean < 12 || debian != 6 {
		t.Errorf("%d planted, %d clean, %d Debian programs; want at least 24 and 12, and 6", planted, clean, debian)
	}
	list, err := os.ReadDir(filepath.Join(benchDir, "programs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if !sources[e.Name()] {
			t.Errorf("%s is in no row of the table", e.Name())
		}
	}
}

// TestBenchTableRefusesMistakes: a table that could be misread is refused, each with what is wrong.
func TestBenchTableRefusesMistakes(t *testing.T) {
	const head = "[[program]]\nsource = \"a.c\"\nwhy = \"so\"\n"
	const planted = head + "planted = \"walk\"\nkind = [\"spatial\"]\n"
	const source = "int x;\nx += 1;\nx += 2;\n"
	const expect = "[[program.run]]\nsize = \"any\"\nexpect = [{ preset = [\"desktop\"] }]\n"
	for _, c := range []struct{ name, table, want string }{
		{"a key that is not known", head + "knd = [\"leak\"]\n" + expect, "nothing is called"},
		{"twice", head + expect + head + expect, "there twice"},
		{"no reason", "[[program]]\nsource = \"a.c\"\n" + expect, "nobody says why"},
		{"a kind for a clean program", head + "kind = [\"leak\"]\n" + expect, "a clean program neither"},
		{"a line that is not there", planted + "at = [\"x += 3\"]\n" + expect, "no line has"},
		{"a line that is there twice", planted + "at = [\"x += \"]\n" + expect, "lines 2 and 3 have"},
		{"no hierarchy", head + "[[program.run]]\nsize = \"any\"\nexpect = [{ say = false }]\n", "no hierarchy"},
		{"sizes are missing", planted + "at = [\"x += 1\"]\n[[program.run]]\nsize = \"L1\"\n" +
			"expect = [{ preset = [\"desktop\"], say = true, why = \"so\" }]\n", "want [L1 L3 none]"},
		{"a clean program that must be blamed", head +
			"[[program.run]]\nsize = \"any\"\nexpect = [{ preset = [\"desktop\"], say = true }]\n", "nothing is planted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "programs"), 0o755); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"expect.toml": c.table, "programs/a.c": source} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := judge.Load(dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

// said is a finding made by hand, at a line of rotate.c or another file.
func said(kind, file string, line int, region, title string) judge.Finding {
	return judge.Finding{Kind: kind, File: "/somewhere/" + file, Line: line, Regions: []string{region}, Title: title}
}

// TestBenchJudge compares the judge with answers made by hand: rotate.c has a walk by columns at line 10,
// of the block of line 18.
func TestBenchJudge(t *testing.T) {
	var rotate judge.Program
	for _, p := range benchTable(t) {
		if p.Name() == "rotate" {
			rotate = p
		}
	}
	const data = "heap@rotate.c:18"
	right := said("spatial", "rotate.c", 10, data, "walked across its blocks")
	loud, silent := judge.Expect{Say: true}, judge.Expect{}
	for _, c := range []struct {
		name   string
		expect judge.Expect
		found  []judge.Finding
		rank   int
		lies   int // false findings
		passed bool
	}{
		{"said", loud, []judge.Finding{right}, 1, 0, true},
		{"missed", loud, nil, 0, 0, false},
		{"silent, and rightly", silent, nil, 0, 0, true},
		{"said where it costs nothing", silent, []judge.Finding{right}, 0, 1, false},
		{"said twice", loud, []judge.Finding{right, right}, 1, 1, false},
		{"said second", loud, []judge.Finding{said("leak", "rotate.c", 20, data, ""), right}, 2, 1, false},
		{"another kind", loud, []judge.Finding{said("fusion", "rotate.c", 10, data, "")}, 0, 1, false},
		{"another line", loud, []judge.Finding{said("spatial", "rotate.c", 9, data, "")}, 0, 1, false},
		{"another file", loud, []judge.Finding{said("spatial", "rotated.c", 10, data, "")}, 0, 1, false},
		{"other data", loud, []judge.Finding{said("spatial", "rotate.c", 10, "heap@rotate.c:1", "")}, 0, 1, false},
		{"wrong words", loud, []judge.Finding{said("spatial", "rotate.c", 10, data, "in No Regular Order")}, 0, 1, false},
		{"allowed", judge.Expect{Say: true, May: []string{"leak"}},
			[]judge.Finding{right, said("leak", "rotate.c", 18, data, "")}, 1, 0, true},
		{"allowed, but before what is planted", judge.Expect{Say: true, May: []string{"leak"}},
			[]judge.Finding{said("leak", "rotate.c", 18, data, ""), right}, 2, 0, false},
		{"allowed, but of a library", judge.Expect{May: []string{"leak"}},
			[]judge.Finding{said("leak", "stdio.c", 18, data, "")}, 0, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := rotate.Judge(benchDir, &rotate.Run[0], &c.expect, "desktop", c.found)
			if err != nil {
				t.Fatal(err)
			}
			if v.Rank != c.rank || len(v.False) != c.lies || v.Passed() != c.passed {
				t.Errorf("got rank %d, %d false, passed %v (%s); want %d, %d, %v", v.Rank, len(v.False), v.Passed(), &v,
					c.rank, c.lies, c.passed)
			}
		})
	}
}

// TestBenchSum counts verdicts made by hand.
func TestBenchSum(t *testing.T) {
	s := judge.Sum([]judge.Verdict{
		{Planted: true, Rank: 1},
		{Planted: true, Rank: 3, False: []string{"a", "b"}},
		{Planted: true},
		{Planted: true, Rank: 1, Allowed: 1},
		{},
		{False: []string{"c"}},
	})
	if s.Precision() != 0.5 || s.Recall() != 0.75 || s.First != 2 || s.CleanSilent != 1 || s.Clean != 2 ||
		s.Passed != 3 {
		t.Errorf("precision %v, recall %v, %+v; want 0.5, 0.75, 2 first, 1 of 2 clean silent, 3 passed", s.Precision(),
			s.Recall(), s)
	}
	if rank := s.Rank(); rank < 1.66 || rank > 1.67 {
		t.Errorf("rank %v, want 5/3", rank)
	}
	silent := judge.Sum([]judge.Verdict{{Planted: true}})
	if silent.Precision() != 1 || silent.Recall() != 0 || silent.Rank() != 0 {
		t.Errorf("who says nothing has precision %v, recall %v, rank %v; want 1, 0, 0", silent.Precision(), silent.Recall(),
			silent.Rank())
	}
}

// TestBenchPrograms builds every program and runs it in all sizes: each ends well and prints what the table says.
// One is recorded and judged, whatever is found of it.
func TestBenchPrograms(t *testing.T) {
	ctx, work := context.Background(), t.TempDir()
	bench := judge.Bench{Dir: benchDir, Work: work, Orrery: filepath.Join(work, "orrery")}
	if err := bench.Inputs(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", bench.Orrery, "./orrery").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, p := range benchTable(t) {
		if p.Source == "" {
			continue
		}
		t.Run(p.Name(), func(t *testing.T) {
			t.Parallel()
			if err := bench.Build(ctx, &p); err != nil {
				t.Fatal(err)
			}
			for i := range p.Run {
				r := &p.Run[i]
				if printed, err := bench.Output(ctx, &p, r); err != nil || printed != r.Prints {
					t.Errorf("%s prints %q, %v; want %q", r.Args, printed, err, r.Prints)
				}
			}
			if p.Name() != "stations" {
				return
			}
			list, err := bench.Verdicts(ctx, &p, &p.Run[len(p.Run)-1])
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != 2 || list[0].Preset != "desktop" || list[1].Preset != "zen3" || !list[0].Planted {
				t.Errorf("the verdicts are %+v, want two, in desktop and in zen3, of something planted", list)
			}
		})
	}
}
