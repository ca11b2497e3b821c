package traceio

import (
	"bufio"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLinesAgreeWithScanner splits random texts as bufio.Scanner does, byte by byte and in one piece.
func TestLinesAgreeWithScanner(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var s strings.Builder
		for range rnd.IntN(300) {
			s.WriteByte("ab \t\r\n\n0"[rnd.IntN(8)])
		}
		var want []string
		for in := bufio.NewScanner(strings.NewReader(s.String())); in.Scan(); {
			want = append(want, strings.TrimSpace(in.Text()))
		}
		for _, r := range []io.Reader{strings.NewReader(s.String()), iotest.OneByteReader(strings.NewReader(s.String()))} {
			var got []string
			in := NewLines(r)
			for {
				line, whole, ok := in.Next()
				if !ok {
					break
				}
				if got = append(got, string(line)); in.Count() != len(got) || in.Long() {
					t.Fatalf("line %d is numbered %d, long %v", len(got), in.Count(), in.Long())
				}
				if !whole && strings.HasSuffix(s.String(), "\n") {
					t.Fatalf("%q: the last line is called cut", s.String())
				}
			}
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Fatalf("%q: got %q, want %q", s.String(), got, want)
			}
		}
	}
}

// TestLongLines drops lines beyond 64 KiB whatever their length, and keeps their neighbours.
func TestLongLines(t *testing.T) {
	for _, n := range []int{maxLine - 1, maxLine, maxLine + 1, 4 * maxLine, 5*maxLine + 7} {
		in := NewLines(strings.NewReader("first\n" + strings.Repeat("x", n) + "\nlast"))
		if line, _, _ := in.Next(); string(line) != "first" {
			t.Fatalf("%d: %q", n, line)
		}
		line, _, ok := in.Next()
		if !ok || in.Long() != (n >= maxLine) || (len(line) == n) == in.Long() {
			t.Errorf("%d: %d bytes, long %v", n, len(line), in.Long())
		}
		line, whole, ok := in.Next()
		if string(line) != "last" || whole || !ok || in.Count() != 3 {
			t.Errorf("%d: then %q", n, line)
		}
		if _, _, ok := in.Next(); ok {
			t.Errorf("%d: a fourth line", n)
		}
	}
}

func TestWindowTellsWhatBrokeIt(t *testing.T) {
	broken := errors.New("broken")
	w := NewWindow(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), 16)
	for w.More() {
	}
	if w.Err() != broken || string(w.Bytes()) != "abc" || w.Offset() != 0 {
		t.Errorf("%v, %q at %d", w.Err(), w.Bytes(), w.Offset())
	}
	w.Skip(2)
	if w.Offset() != 2 || string(w.Bytes()) != "c" {
		t.Errorf("%q at %d", w.Bytes(), w.Offset())
	}
}

func TestTallyAndCrew(t *testing.T) {
	var y Tally
	y.Line("a", "why", 7)
	y.Byte("b", "why", 9)
	y.Line("a", "why", 8)
	if l := y.List(); len(l) != 2 || l[0] != (Loss{"a", 2, "why", "line 7"}) || l[1].First != "byte 9" {
		t.Errorf("%+v", l)
	}
	var c ThreadIDs
	for i, id := range []uint64{70, 3, 70, 1 << 60} {
		if n, fresh := c.Number(id); int(n) != []int{0, 1, 0, 2}[i] || fresh != (i != 2) {
			t.Errorf("%d: %d %v", id, n, fresh)
		}
	}
	c.Forget(70)
	if n, fresh := c.Number(70); n != 3 || !fresh {
		t.Errorf("a reused id is thread %d", n)
	}
	for a, want := range map[Addr]uint16{0: 8, 1: 1, 2: 2, 12: 4, 16: 8, 0x103f: 1} {
		if NaturalSize(a) != want {
			t.Errorf("%v: %d bytes", a, NaturalSize(a))
		}
	}
}
