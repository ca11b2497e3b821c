package heaplog

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"orrery/traceio"
)

// TestCutAnywhere cuts logs of real tools in many places, and near their end behind each of their bytes: what is read
// is what stands at the front of the whole log, and a cut inside a line is told.
func TestCutAnywhere(t *testing.T) {
	for _, file := range []string{"mtrace", "heaptrack", "valgrind", "ltrace"} {
		text, err := os.ReadFile("testdata/sample." + file)
		if err != nil {
			t.Fatal(err)
		}
		open := func(text []byte) traceio.Source {
			for _, f := range formats {
				if f.name == file {
					return f.open(bytes.NewReader(text), "t")
				}
			}
			return nil
		}
		all, err := read(t, open(text))
		if err != nil {
			t.Fatal(err)
		}
		whole := 0 // lines that show themselves that nothing is missing
		for n := 1; n < len(text); n++ {
			if n < len(text)-800 {
				n += n % 9
			}
			src := open(text[:n])
			events, err := read(t, src)
			if err != nil && !strings.Contains(err.Error(), "none of its") {
				t.Errorf("%s cut behind byte %d: %v", file, n, err)
			}
			loss := lost(src)
			// the old block's free, which may turn out to have been none
			if half := strings.Contains(loss, "half-realloc"); half && len(events) > 0 {
				events = events[:len(events)-1]
			}
			if len(events) > len(all) || len(events) > 0 && !reflect.DeepEqual(events, all[:len(events)]) {
				t.Fatalf("%s cut behind byte %d: the last of %d events is %+v, which the log does not have", file, n, len(events),
					events[len(events)-1])
			}
			line := bytes.TrimRight(text[bytes.LastIndexByte(text[:n], '\n')+1:n], " ")
			switch told := strings.Contains(loss, "cut-line"); {
			case len(line) == 0 && told:
				t.Errorf("%s cut behind byte %d, between two lines: lost %s", file, n, loss)
			case len(line) > 0 && !told:
				if whole++; text[n] != '\n' {
					t.Errorf("%s cut behind byte %d, in the middle of a line: lost %s", file, n, loss)
				}
			}
		}
		if most := map[string]int{"mtrace": 1, "heaptrack": 0, "valgrind": 101, "ltrace": 25}[file]; whole > most ||
			whole == 0 && file != "heaptrack" && file != "mtrace" {
			t.Errorf("%s: %d lines show that they are whole, want %d at most", file, whole, most)
		}
	}
}

// TestCutPacking: where the text ends because it cannot be unpacked any further, that is told and nothing else, and the
// beginning of a line is not used.
func TestCutPacking(t *testing.T) {
	r := io.MultiReader(strings.NewReader("v 10400 3\n+ 20 0 55e3a216ec50\n+ 20 0 55e3a216"), broken{})
	src := NewHeaptrack(r, "t")
	events, err := read(t, src)
	if got := show(events, src.Program()); err != nil || got != "+55e3a216ec50 32" ||
		lost(src) != "1 unreadable-tail byte 45" {
		t.Errorf("read %s, lost %s, %v", got, lost(src), err)
	}
}

// broken is what packed bytes that were cut are.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("unexpected EOF") }

// TestPairs: the halves of a reallocation whose caller the log does not tell are of one stack, without frames; nothing
// else is.
func TestPairs(t *testing.T) {
	for _, row := range []struct {
		open func(io.Reader, string) traceio.Source
		text string
		want string
	}{
		{NewValgrind, "--7-- malloc(8) = 0x40\n--7-- realloc(0x40,20) = 0x80\n--7-- free(0x80)\n--7-- " +
			"realloc(0x0,9)malloc(9) = 0x40\n--7-- realloc(0x40,0) = 0x0\n--7-- realloc(0x0,9) = 0x40\n", "011000 0"},
		{NewValgrind, "--7-- malloc(8) = 0x40\n--8-- realloc(0x40,20) = 0x80\n--8-- realloc(0x80,20) = 0x90\n", "0011"},
		{NewMtrace, "+ 0x40 0x8\n< 0x40\n> 0x80 0x14\n- 0x80\n", "0110"},
		{NewLtrace, "malloc(8) = 0x40\nrealloc(0x40, 20) = 0x80\nfree(0x80) = <void>\n", "0110"},
	} {
		src := row.open(strings.NewReader(row.text), "t")
		events, err := read(t, src)
		got := ""
		for _, e := range events {
			got += string('0' + rune(e.Stack))
			if len(src.Program().Stacks[e.Stack]) > 0 {
				t.Errorf("%q: %+v has callers", row.text, e)
			}
		}
		if want := strings.ReplaceAll(row.want, " ", ""); err != nil || got != want {
			t.Errorf("%q: events of the stacks %s, want %s; %v", row.text, got, want, err)
		}
	}
}
