package cli

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orrery/traceio/irgraph/graphfile"
	"orrery/traceio/irgraph/listen"
)

// TestGraphListens is a compiler that sends one method, after one of which it sends no graph.
func TestGraphListens(t *testing.T) {
	for _, c := range []struct{ file, before, written, says string }{
		{"hotspot.xml", "<group><properties><p name='name'>none</p></properties></group>", "001-Sum.total.xml",
			"Sum.total: 3 graphs in "},
		{"sum.bgv", "", "001-Compilation17.xml", "Compilation 17: 2 graphs in "},
	} {
		dir := t.TempDir()
		heard, told := io.Pipe()
		done := make(chan error, 1)
		var out bytes.Buffer
		go func() {
			done <- listenTo(t.Context(), Streams{Out: &out, Err: told}, listen.Options{Address: "127.0.0.1:0"}, dir, 1)
			told.Close()
		}()
		lines := bufio.NewScanner(heard)
		lines.Scan()
		conn, err := net.Dial("tcp", strings.TrimPrefix(lines.Text(), "orrery: waiting for compilers at "))
		if err != nil {
			t.Fatal(err)
		}
		var said []byte
		all := make(chan bool)
		go func() { said, _ = io.ReadAll(heard); close(all) }()
		var answer [1]byte
		text, err := os.ReadFile(graphs + c.file)
		if err != nil {
			t.Fatal(err)
		}
		if c.before != "" {
			text = bytes.Replace(text, []byte("<group"), []byte(c.before+"<group"), 1)
		}
		if _, err := io.ReadFull(conn, answer[:]); err != nil || answer[0] != 'y' {
			t.Fatalf("answer %q, %v", answer, err)
		}
		if _, err := conn.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		conn.Close()
		<-all
		files, _ := os.ReadDir(dir)
		doc, err := graphfile.Open(t.Context(), filepath.Join(dir, c.written), nil)
		if err != nil || doc.Empty() || len(files) != 1 {
			t.Errorf("%s: %v, %v, %d files", c.file, doc, err, len(files))
		}
		if !strings.HasPrefix(out.String(), c.says) {
			t.Errorf("%s: it says %q, want %q", c.file, out.String(), c.says)
		}
		if c.before != "" && !strings.Contains(string(said), `sent no graph of "none"; nothing is written`) {
			t.Errorf("%s: it says %q", c.file, said)
		}
	}
}

// TestGraphListenTellsItsLimits reads what people read who want to know how much may be sent.
func TestGraphListenTellsItsLimits(t *testing.T) {
	_, stdout, _ := run(t, "graph", "listen", "--help")
	for _, want := range []string{"--memory", "64 MiB", "8 compilers", "30 s", "(default 256)"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
	if listen.DefaultSent != 64<<20 || listen.DefaultPeers != 8 || listen.DefaultPatience.Seconds() != 30 {
		t.Error("the help tells other limits than those that hold")
	}
}
