package heaplog

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"orrery/traceio"
)

// readAll gives everything that a source says.
func readAll(t testing.TB, src traceio.Source) ([]traceio.Alloc, []traceio.Loss, [][]traceio.Addr, error) {
	t.Helper()
	var events []traceio.Alloc
	var b traceio.Block
	for {
		err := src.Next(&b)
		if err == io.EOF {
			return events, src.Loss(), src.Program().Stacks, nil
		}
		if err != nil {
			return events, src.Loss(), src.Program().Stacks, err
		}
		if len(b.Allocs) > perBlock {
			t.Fatalf("a block of %d events", len(b.Allocs))
		}
		events = append(events, b.Allocs...)
	}
}

// everyWay reads heaptrack's data line by line, quickly, and quickly on any processor.
func everyWay(t testing.TB, text []byte) {
	t.Helper()
	slow := NewHeaptrack(bytes.NewReader(text), "log").(*heaptrackLog)
	slow.log.bulk = nil
	events, loss, stacks, err := readAll(t, slow)
	for _, way := range []string{"quickly", "without vectors"} {
		quick := NewHeaptrack(bytes.NewReader(text), "log").(*heaptrackLog)
		quick.vectors = quick.vectors && way == "quickly"
		gotEvents, gotLoss, gotStacks, gotErr := readAll(t, quick)
		if fmt.Sprint(err) != fmt.Sprint(gotErr) || !reflect.DeepEqual(gotEvents, events) ||
			!reflect.DeepEqual(gotLoss, loss) || !reflect.DeepEqual(gotStacks, stacks) {
			t.Fatalf("%s %d events, %d stacks, %v, %v; line by line %d, %d, %v, %v", way, len(gotEvents), len(gotStacks),
				gotLoss, gotErr, len(events), len(stacks), loss, err)
		}
	}
}

// TestScanAgainstLines reads lines nearly all of which are of the kind that most are: the numbers have any number of
// digits, and some byte of some lines is another.
func TestScanAgainstLines(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 2))
		text := []byte("v 10400 3\nx 5 /prog\nt 8 0\n")
		const traces = 4200
		for i := range traces {
			text = fmt.Appendf(text, "t %x %x\n", r.IntN(1<<30), r.IntN(i+1))
		}
		for range 8000 {
			from := len(text)
			address := r.Uint64N(1<<48-1<<44) + 1<<44
			if r.IntN(2) == 0 {
				text = fmt.Appendf(text, "+ %x %x %x\n", r.Uint64()>>(28+r.IntN(36)), r.IntN(traces)>>r.IntN(12), address)
			} else {
				text = fmt.Appendf(text, "- %x\n", address)
			}
			if k := r.IntN(50); k == 0 {
				text[from+r.IntN(len(text)-from)] = uint8(r.IntN(256))
			} else if k == 1 {
				text[from+r.IntN(len(text)-from)] = "0 9af`g:/\n-+A"[r.IntN(13)]
			}
		}
		everyWay(t, text)
	}
}

// TestBulkAgainstLines reads logs that are longer than any buffer and damaged here and there.
func TestBulkAgainstLines(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		var s strings.Builder
		s.WriteString("v 10400 3\nx 5 /prog\n")
		traces := 0
		for range 12000 {
			switch k := r.IntN(40); {
			case k == 0:
				fmt.Fprintf(&s, "t %x %x\n", r.IntN(1<<30), r.IntN(traces+1))
				traces++
			case k == 1:
				fmt.Fprintf(&s, "c %x\n", r.IntN(1000))
			case k == 2 && seed > 3:
				s.WriteString([]string{"+ 10 1\n", "- \n", "+ 1 g 5\n", "- 11112222333344445\n", "+ 1  1 5\n", "\n", "- 10 \r\n",
					"+\n", "- 0\n", "-5\n", "+ 1 ffffff 5\n", "- AB\n", "garbage\n"}[r.IntN(13)])
			case k < 22:
				fmt.Fprintf(&s, "+ %x %x %x\n", r.IntN(1000), r.IntN(traces+1), r.Uint64()>>r.IntN(64))
			default:
				fmt.Fprintf(&s, "- %x\n", r.Uint64()>>r.IntN(64))
			}
		}
		text := []byte(s.String())
		everyWay(t, text)
		everyWay(t, text[:len(text)-r.IntN(40)])
	}
}

// FuzzBulk gives any text to both.
func FuzzBulk(f *testing.F) {
	f.Add([]byte("v 10400 3\nt 8 0\n+ 20 1 5653a82ed1d0\n- 5653a82ed1d0\nc a\n+ 20 9 5653a82ed1d0\n- xyz\n"))
	f.Add([]byte(
		"v 1 3\n+ 1 0 5\n- 5\n+ 1 0 5\n- 5\n+ 1 0 5\n- 5\n+ 1 0 5\n- 5\n+ 1 0 5\n- 5\n+ 1 0 5\n- 5\n+ 1 0 5\n- 5\n"))
	f.Fuzz(func(t *testing.T, text []byte) { everyWay(t, text) })
}
