package recording

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"orrery/analysis/topology"
	"orrery/app/jobs"
	"orrery/app/shell"
	"orrery/traceio"
	"orrery/views/vector"
)

// TestC16FirstLookThenAll: a first look is taken while the full answer is awaited, and says so; an answer to an older
// question, or one that ends before the rank that is looked at, is not.
func TestC16FirstLookThenAll(t *testing.T) {
	b := open(t, shipped+"list.orr")
	c := &b.cycles
	c.choose(b.Document, 0)
	full := c.found
	q := c.asked

	c.asking = true
	c.glimpse(b.Document, q)
	b.settle()
	if c.found == full || c.found.Stage == topology.Full || !c.asking {
		t.Fatalf("the first look is %v, still asking %t", c.found.Stage, c.asking)
	}
	if says := c.caption(); !strings.Contains(says, "first look") || !strings.Contains(says, "computing") {
		t.Errorf("the caption %q does not name the stage", says)
	}

	older := q
	older.From += 500
	for _, row := range []struct {
		name   string
		change func()
		ask    func()
	}{
		{"an older question", func() {}, func() { c.glimpse(b.Document, older) }},
		{"a rank beyond", func() { c.to = topology.QuickTop }, func() { c.glimpse(b.Document, q) }},
		{"an answered question", func() { c.asking = false }, func() { c.glimpse(b.Document, q) }},
	} {
		c.found, c.asking, c.to, c.from = full, true, 0, 0
		row.change()
		row.ask()
		b.settle()
		if c.found != full {
			t.Errorf("%s: the first look was taken", row.name)
		}
	}

	c.asking, c.to = false, 0
	b.link.SetCursor(b.Len() / 2)
	b.settle()
	if c.found.Stage != topology.Full || c.asking || c.found.Request.From == q.From {
		t.Errorf("in the end stage %v, references from %d, still asking %t", c.found.Stage, c.found.Request.From, c.asking)
	}
}

// TestCyclesFollowBesideLongWork: while every processor is taken by work of minutes, the cycles are those at the
// cursor.
func TestCyclesFollowBesideLongWork(t *testing.T) {
	b := open(t, shipped+"list.orr")
	free := make(chan struct{})
	for i := range 64 {
		jobs.Start(b.engine, fmt.Sprintf("long work %d", i), "indexing",
			func(ctx context.Context, _ func(done, total int64)) (bool, error) {
				<-free
				return true, nil
			}, func(bool, error) {})
	}
	b.link.SetCursor(b.Len() / 2)
	want := b.cycles.request(b.link.State())
	b.until("the cycles at the cursor are found", func() bool {
		return !b.cycles.asking && b.cycles.found.Request == want
	})
	close(free)
	b.settle()
}

// TestCachesSayWhatTheyLack: where more of a file is known than was simulated, neither the picture nor the explanation
// tells what nobody has found out.
func TestCachesSayWhatTheyLack(t *testing.T) {
	rec := newRecorder(t, "list.orr")
	rec.write(5000)
	b := begin(t, rec.file.Name())
	b.until("the caches of the first part are there", func() bool { return b.caches() != nil })
	short := b.caches()
	rec.finish()
	b.until("the recorder is done", func() bool { return !b.rec.Live() })
	b.settle()
	says := func(text string) bool {
		return strings.Contains(string(vector.SVG(b.draw(shell.Cache, sizes[2]))), text) ||
			strings.Contains(string(vector.SVG(b.draw(shell.Explain, sizes[2]))), text)
	}
	b.link.SetCursor(6000)
	b.settle()
	if says("Simulating") || !says("served by") {
		t.Error("what is simulated is not told")
	}
	b.simulated.Put(simulation{rec: b.rec}, short)
	if !says("Simulating default") || says("served by") {
		t.Error("of what is not simulated something is told")
	}
}

// TestCyclesNobodySeesAreNotSought: while no pane shows recurrences the cursor starts no analysis; when one is seen
// again, its picture is that of the cursor.
func TestCyclesNobodySeesAreNotSought(t *testing.T) {
	for _, slot := range []shell.Slot{shell.Cycles, shell.Gallery, shell.Explain, shell.Source, shell.Table} {
		b := open(t, shipped+"list.orr")
		b.draw(slot, sizes[0])
		b.settle()
		clear(b.changed)
		clear(b.drawn) // nobody sees it any more
		seen := map[shell.Slot]bool{}
		b.host.Seen = func(s shell.Slot) bool { return seen[s] }
		was := b.cycles.found
		for i := range b.Len() / 20_000 {
			b.link.SetCursor(20_000 * i)
			if b.cycles.asking {
				t.Fatalf("at reference %d cycles are sought that nobody sees", 20_000*i)
			}
			b.settle()
		}
		if b.cycles.found != was {
			t.Fatal("the analysis has changed")
		}
		if b.changed[slot] == 0 {
			t.Errorf("%s is not drawn anew when it is seen", slot)
		}
		b.link.SetCursor(100_000)
		seen[slot] = true
		b.draw(slot, sizes[0])
		b.settle()
		if q := b.cycles.found.Request; 100_000 < q.From || 100_000 >= q.From+traceio.Seq(q.Count) {
			t.Errorf("%s seen again shows references %d to %d, the cursor is at 100 000", slot, q.From,
				q.From+traceio.Seq(q.Count))
		}
	}
}
