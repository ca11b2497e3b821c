package graphfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/irgraph/graphtest"
)

const graphs = "../../../testdata/graphs"

// TestEveryShippedFileOpensByItsContent copies each file under a name that says nothing.
func TestEveryShippedFileOpensByItsContent(t *testing.T) {
	want := map[string]string{"hotspot.xml": "igv", "list.turbo.json.gz": "v8+gzip", "gomatmul.ssa.gz": "go+gzip",
		"golist.ssa.gz":      "go+gzip",
		"golist.ssa.html.gz": "go+gzip", "sum.bgv": "bgv", "calls.graphml": "graphml",
		"gcc/sum.c.021t.ssa.dot": "gcc", "gcc": "gcc"}
	for name, format := range want {
		path := filepath.Join(graphs, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			path = filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		done := int64(0)
		doc, err := Open(context.Background(), path, func(d, total int64) {
			if d < done || d > total {
				t.Errorf("%s: %d of %d behind %d", name, d, total, done)
			}
			done = d
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		graphtest.Check(t, doc)
		if doc.Format != format || len(doc.Problems) > 0 || done == 0 {
			t.Errorf("%s: format %s, want %s; problems %v", name, doc.Format, format, doc.Problems)
		}
	}
}

// TestMarksOfEditors: what some editors put in front of UTF-8 is passed over in each format of text.
func TestMarksOfEditors(t *testing.T) {
	for _, name := range []string{"hotspot.xml", "list.turbo.json.gz", "gomatmul.ssa.gz", "golist.ssa.html.gz",
		"calls.graphml", "gcc/sum.c.021t.ssa.dot"} {
		text := graphtest.Sample(t, name)
		want, err := Read(context.Background(), strings.NewReader(text), "x")
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(context.Background(), strings.NewReader("\xef\xbb\xbf"+text), "x")
		if err != nil || !Sniff([]byte("\xef\xbb\xbf"+text)) || len(got.Problems) > 0 ||
			graphtest.Text(got) != graphtest.Text(want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"prose", "A digraph is a directed graph.\n", "in no known format of graphs"},
		{"a recording", "I  04000000,3\n L 1ffe,8\n", "in no known format of graphs"},
		{"a page", "<html><body>x</body></html>", "in no known format of graphs"},
		{"other JSON", `{"nodes":[]}`, "in no known format of graphs"},
		{"UTF-16", "\xff\xfe{\x00\"\x00", "the file is text in UTF-16 or UTF-32; write it in UTF-8"},
		{"UTF-16 of the other order", "\xfe\xff\x00{\x00\"", "the file is text in UTF-16"},
		{"nothing but a mark", "\xef\xbb\xbf", "the file is empty"},
		{"cut gzip", "\x1f\x8b\x08\x00", "cannot be decompressed"},
	} {
		path := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(context.Background(), path, nil)
		var e *traceio.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, filepath.Join(graphs, "hotspot.xml"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
