package readtest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestLongWaysEnd reads texts that are valid and long, for which a reader that looks at everything for each thing would
// need hours.
func TestLongWaysEnd(t *testing.T) {
	var inlined strings.Builder
	for i := range 250_000 {
		fmt.Fprintf(&inlined, `"%d":{"sourceId":1,"inliningPosition":{"inliningId":%d,"scriptOffset":3}},`, i, i-1)
	}
	for _, row := range []struct{ name, text string }{
		{"V8, calls inlined into calls",
			`{"function":{"functionName":"f"},"phases":[{"name":"a","type":"graph","data":{"nodes":[{"id":1,"label":"x"}],"edges":[]}}],"inlinings":{` +
				strings.TrimSuffix(inlined.String(), ",") + `}}`},
		{"DOT, a text of many parts", `digraph { a [l="x"` + strings.Repeat(`+"x"`, 2_000_000) + `]}`},
		{"JSON designs, blanks", `[{"a":1,"time":2},` + strings.Repeat("\n", 4<<20) + `{"a":2,"time":3}]`},
	} {
		read := graphs
		if strings.HasPrefix(row.name, "JSON") {
			read = table
		}
		if said := read(strings.NewReader(row.text)); said != "[]" {
			t.Errorf("%s: %.200q, want no fault", row.name, said)
		}
	}
}

// TestCopiesAreFew: what readers allocate grows as what they read.
func TestCopiesAreFew(t *testing.T) {
	cost := func(read func() string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, row := range []struct {
		name string
		text func(n int) string
	}{
		{"DOT, a text of many parts", func(n int) string { return `digraph { a [l="x"` + strings.Repeat(`+"x"`, n) + `]}` }},
		{"DOT, attributes of a graph", func(n int) string { return "digraph {" + strings.Repeat("k=v;", n) + "}" }},
		{"DOT, a port of many parts", func(n int) string { return "digraph { a" + strings.Repeat(":a", n) + "}" }},
		{"GraphML, keys with defaults", func(n int) string {
			return "<graphml>" + strings.Repeat(`<key id="k" for="node"><default>x</default></key>`, n/10) + "<graph>" +
				strings.Repeat(`<node id="n"/>`, n/10) + "</graph></graphml>"
		}},
	} {
		short, long := cost(func() string { return graphs(strings.NewReader(row.text(10_000))) }), cost(func() string {
			return graphs(strings.NewReader(row.text(80_000)))
		})
		if long > 24*short+8<<20 {
			t.Errorf("%s: %d bytes for one part, %d for eight", row.name, short, long)
		}
	}
}
