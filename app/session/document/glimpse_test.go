package document

import (
	"strings"
	"testing"

	"orrery/analysis/topology"
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
