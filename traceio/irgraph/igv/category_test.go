package igv

import (
	"bytes"
	"strings"
	"testing"

	"orrery/traceio/irgraph"
)

// TestGuessesAreNotWritten reads nodes with and without the properties that are guessed: filters find them in all, and
// what is written has them where the file had them.
func TestGuessesAreNotWritten(t *testing.T) {
	node := func(id, more string) string {
		return "<node id=\"" + id + "\">\n<properties>\n<p name=\"name\">LoadI</p>\n" + more + "</properties>\n</node>\n"
	}
	const category, access = "<p name=\"category\">memory</p>\n", "<p name=\"access\">load</p>\n"
	nodes := node("1", "") + node("2", category) + node("3", access) + node("4", access+category)
	changed := node("1", category) + node("4", "")
	text := "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphDocument>\n<group name=\"f\" difference=\"1\">\n" +
		"<graph name=\"a\">\n<nodes>\n" + nodes + "</nodes>\n<edges>\n</edges>\n</graph>\n" +
		"<graph name=\"b\">\n<nodes>\n" + changed + "</nodes>\n<edges>\n</edges>\n</graph>\n</group>\n</graphDocument>\n"
	doc := read(t, text)
	for _, s := range doc.Groups[0].Snapshots {
		for i := range s.Nodes {
			if p := s.Nodes[i].Properties; p.Get(irgraph.KeyCategory) != "memory" || p.Get(irgraph.KeyAccess) != "load" {
				t.Errorf("graph %s, node %s: %v", s.Name, s.Nodes[i].ID, p)
			}
		}
	}
	var b bytes.Buffer
	if err := Write(&b, doc, false); err != nil {
		t.Fatal(err)
	}
	if b.String() != text {
		t.Errorf("what is written is not what was read:\n%s\nwant\n%s", b.String(), text)
	}
	b.Reset()
	if err := Write(&b, doc, true); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "category"); n != 4 {
		t.Errorf("the whole graphs have %d categories, want 4", n)
	}
}
