package heap

import (
	"fmt"
	"strings"
	"testing"

	"orrery/traceio"
)

// TestCompare edits a program: lines move, a site goes, another comes.
func TestCompare(t *testing.T) {
	run := func(sites ...string) *Heap { // "function:line:blocks"
		p := &traceio.Program{Stacks: [][]traceio.Addr{nil}}
		var log []traceio.Alloc
		for i, s := range sites {
			f := strings.Split(s, ":")
			line, blocks := 0, 0
			fmt.Sscan(f[1], &line)
			fmt.Sscan(f[2], &blocks)
			pc := traceio.Addr(10 * (i + 1))
			p.Stacks = append(p.Stacks, []traceio.Addr{pc + 1})
			p.Sites = append(p.Sites,
				traceio.Site{PC: pc, Frames: []traceio.Frame{{Function: f[0], File: "/x/a.c", Line: line}}})
			for range blocks {
				log = append(log, traceio.Alloc{Seq: traceio.Seq(len(log)), Addr: traceio.Addr(0x1000 + 0x40*len(log)), Size: 10,
					Stack: traceio.StackID(i + 1)})
			}
		}
		return analyze(t, log, 100, p)
	}
	c := Compare(run("grow:5:3", "grow:9:1", "parse:20:4", "gone:30:2", "same:40:1"),
		run("grow:6:7", "grow:10:1", "parse:20:2", "new:50:5", "same:40:1"))
	var got []string
	for i := range c.Sites {
		x := &c.Sites[i]
		got = append(got, fmt.Sprintf("%s %d %d %+d", x.Name, x.Before.Blocks, x.After.Blocks, x.Grown()))
	}
	want := "a.c:50 0 5 +50; a.c:5 → 6 3 7 +40; a.c:20 4 2 -20; a.c:30 2 0 -20; a.c:40 1 1 +0; a.c:9 → 10 1 1 +0"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("changes are\n%s\nwant\n%s", s, want)
	}
}
