package igv

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/graphtest"
)

// endless is a text that begins with head and never ends.
func endless(head string, next func(i int) string) *graphtest.Endless {
	return &graphtest.Endless{Rest: []byte(head), Next: func(i int) []byte { return []byte(next(i)) }}
}

// TestWhatIsHeldIsCounted streams documents without end of which there is ever more of one thing, and weighs what the
// reader has.
func TestWhatIsHeldIsCounted(t *testing.T) {
	const allowed = 2 << 20
	graph := "<graphDocument><group difference='1'><graph name='a'>"
	for _, c := range []struct {
		name, head string
		next       func(i int) string
	}{
		{"nodes", graph + "<nodes>", func(i int) string { return fmt.Sprintf("<node id='%d'/>", i) }},
		{"named nodes", graph + "<nodes>", func(i int) string {
			return fmt.Sprintf("<node id='%d'><properties><p name='name'>X</p></properties></node>", i)
		}},
		{"properties", graph + "<nodes>", func(i int) string {
			return fmt.Sprintf("<node id='%d'><properties>%s</properties></node>", i, fmt.Sprintf("<p name='%d'>%d</p>", i,
				-i)+manyProperties)
		}},
		{"texts", graph + "<nodes>", func(i int) string {
			return fmt.Sprintf("<node id='%d'><properties><p name='x'>%s%d</p></properties></node>", i,
				strings.Repeat("long ", 100), i)
		}},
		{"edges", graph + "<nodes><node id='1'/></nodes><edges>", func(int) string { return "<edge from='1' to='1'/>" }},
		{"edges with types", graph + "<nodes><node id='1'/></nodes><edges>", func(i int) string {
			return fmt.Sprintf("<edge from='1' to='1' type='%d' label='x'/>", i)
		}},
		{"blocks", graph + "<controlFlow>", func(i int) string { return fmt.Sprintf("<block name='%d'/>", i) }},
		{"successors", graph + "<controlFlow><block name='B'><successors>", func(int) string {
			return "<successor name='B'/>"
		}},
		{"graphs", graph + "</graph>", func(int) string { return "<graph/>" }},
		{"copies", graph + "<nodes>" + many("<node id='%d'/>") + "</nodes></graph>", func(int) string { return "<graph/>" }},
		{"groups", "<graphDocument><group>", func(int) string { return "<group/>" }},
		{"methods", "<graphDocument><group><method><inlined>", func(int) string { return "<method/>" }},
		{"bytecodes", "<graphDocument><group><method><inlined>", func(int) string {
			return "<method><bytecodes>" + strings.Repeat("1\n", 1<<16) + "</bytecodes></method>"
		}},
		{"instructions", "<graphDocument><group>", func(int) string {
			return "<group><assembly>" + strings.Repeat("x\n", 1<<16) + "</assembly></group>"
		}},
	} {
		graphtest.Held(t, c.name, endless(c.head, c.next), allowed, Stream)
	}
}

// many is a thousand elements, each with its number.
func many(format string) string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

var manyProperties = func() string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "<p name='key%d'>v</p>", i)
	}
	return b.String()
}()

// TestStreamKeepsNothingOfTheGroupsBefore hands out groups without end; what was theirs is not the reader's any more.
func TestStreamKeepsNothingOfTheGroupsBefore(t *testing.T) {
	in := endless("<graphDocument>", func(i int) string {
		return fmt.Sprintf("<properties><p name='%d'>x</p></properties><group><graph><nodes><node id='%d'><properties><p "+
			"name='name'>%s%d</p></properties></node></nodes></graph></group>", i, i, strings.Repeat("long ", 100), i)
	})
	before, most, groups := graphtest.Heap(), int64(0), 0
	_, err := Stream(io.LimitReader(in, 2<<20), "x", irgraph.Receiver{Began: func(*irgraph.Group) {},
		Ended: func(*irgraph.Group, bool) {
			if groups++; groups%1_000 == 0 {
				most = max(most, graphtest.Heap()-before)
			}
		}})
	if groups < 2_000 || most > 512<<10 || err == nil {
		t.Errorf("after %d groups the reader keeps %d KiB, %v", groups, most>>10, err)
	}
}
