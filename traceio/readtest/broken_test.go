package readtest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"orrery/traceio"
	"orrery/traceio/champsim"
	"orrery/traceio/csv"
	"orrery/traceio/designs"
	"orrery/traceio/dinero"
	"orrery/traceio/drmemtrace"
	"orrery/traceio/gem5"
	"orrery/traceio/heaplog"
	"orrery/traceio/irgraph/graphfile"
	"orrery/traceio/lackey"
	"orrery/traceio/pin"
	"orrery/traceio/readtest"
)

// streamed is a reader of a stream: what it says of one that it could not read to the end, as an error or as losses, ""
// for nothing.
type streamed struct {
	name   string
	sample string // a file, or the text itself
	packed bool   // it unpacks what it reads
	read   func(r io.Reader) (said string)
}

const lackeyText = "==1== Lackey, an example Valgrind tool\n==1== Command: ./a\nI  04001000,3\n L 1ffe,8\n S " +
	"2ffe,8\n M 3ffe,4\nI  04001003,3\n L 1ffe,8\n"

// journal is one of Optuna's.
const journal = `{"op_code":0,"study_name":"s","directions":[1]}
{"op_code":4,"study_id":0,"params":{"x":1},"distributions":{"x":"{}"},"state":1,"values":[1.5]}
{"op_code":4,"study_id":0,"params":{"x":2},"distributions":{"x":"{}"},"state":1,"values":[2.5]}
`

var streams = []streamed{
	{"lackey", lackeyText, false, source(func(r io.Reader) traceio.Source { return lackey.New(r, "x") })},
	{"csv", "traces/sum.csv", false, source(func(r io.Reader) traceio.Source { return csv.New(r, "x") })},
	{"din", "traces/sum.din", false, source(func(r io.Reader) traceio.Source { return dinero.New(r, "x") })},
	{"pinatrace", "traces/sum.pinatrace", false, source(func(r io.Reader) traceio.Source { return pin.New(r, "x") })},
	{"gem5", "traces/sum.gem5", false, source(func(r io.Reader) traceio.Source { return gem5.New(r, "x") })},
	{"champsim", "traces/sum64.champsim", false, source(func(r io.Reader) traceio.Source { return champsim.New(r, "x") })},
	{"drmemtrace", "traces/sum.drmemtrace", false, source(func(r io.Reader) traceio.Source {
		return drmemtrace.New(r, "x")
	})},
	{"drmemtrace-zip", "traces/sum.drmemtrace.zip", false, source(func(r io.Reader) traceio.Source {
		return drmemtrace.NewZip(r, "x")
	})},
	{"mtrace", "../traceio/heaplog/testdata/sample.mtrace", false, source(func(r io.Reader) traceio.Source {
		return heaplog.NewMtrace(r, "x")
	})},
	{"heaptrack", "../traceio/heaplog/testdata/sample.heaptrack", false, source(func(r io.Reader) traceio.Source {
		return heaplog.NewHeaptrack(r, "x")
	})},
	{"valgrind", "../traceio/heaplog/testdata/sample.valgrind", false, source(func(r io.Reader) traceio.Source {
		return heaplog.NewValgrind(r, "x")
	})},
	{"ltrace", "../traceio/heaplog/testdata/sample.ltrace", false, source(func(r io.Reader) traceio.Source {
		return heaplog.NewLtrace(r, "x")
	})},
	{"designs, commas", "designs/slam.csv", true, table},
	{"designs, blanks", strings.Repeat("1 2.5 3\n2 3.5 4\n", 200), true, table},
	{"designs, tabs", "a\ttime\n" + strings.Repeat("1\t2.5\n2\t3.5\n", 200), true, table},
	{"designs, records", "[" + strings.Repeat(`{"a":1,"time":2.5},`, 200) + `{"a":2,"time":3}]`, true, table},
	{"designs, a record a line", strings.Repeat(`{"a":1,"time":NaN}`+"\n", 200), true, table},
	{"designs, columns", `{"a":[1,2,3],"time":[2.5,Infinity,4]}`, true, table},
	{"designs, hiplot", `{"datapoints":[{"uid":"1","values":{"a":1,"time":2.5}},{"uid":"2","values":{"a":2,"time":3.5}}]}`,
		true, table},
	{"designs, journal", journal, true, table},
	{"graphs, IGV", "graphs/hotspot.xml", true, graphs},
	{"graphs, BGV", "graphs/sum.bgv", true, graphs},
	{"graphs, V8", unpacked("graphs/list.turbo.json.gz"), true, graphs},
	{"graphs, Go", unpacked("graphs/golist.ssa.gz"), true, graphs},
	{"graphs, Go's page", unpacked("graphs/golist.ssa.html.gz"), true, graphs},
	{"graphs, GraphML", "graphs/calls.graphml", true, graphs},
	{"graphs, DOT", "digraph g {\n a -> b [label=\"x\"];\n b -> c;\n c -> a;\n}\n", true, graphs},
}

func unpacked(name string) string {
	f, err := os.Open(filepath.Join("../../testdata", name))
	if err != nil {
		panic(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (s *streamed) data(t testing.TB) []byte {
	if strings.Contains(s.sample, "\n") || strings.ContainsAny(s.sample, "{[") {
		return []byte(s.sample)
	}
	data, err := os.ReadFile(filepath.Join("../../testdata", s.sample))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// source reads a trace or a log to its end.
func source(open func(r io.Reader) traceio.Source) func(io.Reader) string {
	return func(r io.Reader) string {
		s := open(r)
		var b traceio.Block
		for n := 0; ; n++ {
			if err := s.Next(&b); err != nil {
				if err != io.EOF {
					return err.Error()
				}
				return fmt.Sprint(s.Loss())
			}
			if n > 1<<20 {
				panic("a reader gives blocks for ever")
			}
		}
	}
}

func table(r io.Reader) string {
	t, err := designs.Read(r, "x")
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(t.Rejected)
}

func graphs(r io.Reader) string {
	doc, err := graphfile.Read(context.Background(), r, "x")
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(doc.Problems)
}

// TestBrokenStreams reads streams that break: each reader ends, and says what broke it. Of what is packed the end of
// the packing, and not only that of what is in it, is one.
func TestBrokenStreams(t *testing.T) {
	for _, s := range streams {
		t.Run(s.name, func(t *testing.T) {
			data := s.data(t)
			for _, at := range []int{0, 1, 7, len(data) / 5, len(data) / 3, len(data) / 2, len(data)*9/10 + 1, len(data) - 3} {
				at = min(at, needed(data))
				if said := s.read(readtest.Broken(data[:at])); !strings.Contains(said, readtest.ErrBroken.Error()) {
					t.Errorf("broken at byte %d of %d: it says %.300q, want why", at, len(data), said)
				}
			}
			if !s.packed {
				return
			}
			for name, packed := range packings(t, data) {
				for _, at := range []int{len(packed) / 4, len(packed) / 2, len(packed) * 3 / 4} {
					for kind, stream := range map[string]io.Reader{"broken": readtest.Broken(packed[:at]),
						"cut": bytes.NewReader(packed[:at])} {
						if said := s.read(stream); strings.Contains(said, "empty") || !words.MatchString(said) {
							t.Errorf("%s, %s at byte %d of %d: it says %.300q, want why", name, kind, at, len(packed), said)
						}
					}
				}
			}
		})
	}
}

// needed is how much of a file a reader needs: all but the directory at the end of a zip archive.
func needed(data []byte) int {
	if i := bytes.Index(data, []byte("PK\x01\x02")); i >= 0 {
		return i - 1
	}
	return len(data)
}

// words are those for a stream that broke or ended too early.
var words = regexp.MustCompile("EOF|the disk is broken|ends before its|ends in the middle|does not end")

// packings are data in each packing.
func packings(t testing.TB, data []byte) map[string][]byte {
	out := map[string][]byte{}
	for name, open := range map[string]func(w io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	} {
		var b bytes.Buffer
		w, err := open(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		out[name] = b.Bytes()
	}
	return out
}

// FuzzBroken reads any stream that breaks, with any reader.
func FuzzBroken(f *testing.F) {
	for k := range streams {
		data := streams[k].data(f)
		f.Add(uint8(k), data[:min(len(data), 1152)])
	}
	f.Fuzz(func(t *testing.T, k uint8, data []byte) {
		streams[int(k)%len(streams)].read(readtest.Broken(data))
	})
}
