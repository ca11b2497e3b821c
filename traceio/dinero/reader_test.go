package dinero

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

// twin reads by a regular expression and strconv.
var reference = regexp.MustCompile(`^([0-4rRwWiImMcCvV])[ \t]+([^ \t]+)(?:[ \t]+([^ \t]+).*)?$`)

func hex(s string) (uint64, error) {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		s = s[2:]
	}
	if s == "" || s[0] == '+' || s[0] == '-' || strings.Contains(s, "_") {
		return 0, errors.New("no number")
	}
	return strconv.ParseUint(s, 16, 64)
}

func twin(text string) (rows []traceio.Access, lost map[string]uint64) {
	lost = map[string]uint64{}
	var pc traceio.Addr
	var seq traceio.Seq
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		why, sized := "other-text", false
		var a traceio.Access
		if m := reference.FindStringSubmatch(line); m != nil {
			kind := strings.Index("0rR 1wW 2iI ", m[1]) / 4
			addr, err := hex(m[2])
			size, serr := hex(m[3])
			sized = serr == nil && size > 0 && size < 65536
			if !sized {
				for size = 8; addr%size != 0; size /= 2 {
				}
			}
			switch {
			case strings.Contains("34mMcCvV", m[1]):
				why = "other-label"
			case err != nil:
				why = "bad-address"
			case !sized && m[1] > "9":
				why = "bad-size"
			case addr+size-1 < addr:
				why = "bad-address"
			default:
				why = ""
				a = traceio.Access{Seq: seq, Addr: traceio.Addr(addr), Size: uint16(size), Kind: traceio.Kind(kind)}
			}
		}
		switch {
		case i == len(lines)-1 && (why != "" || !sized):
			lost["cut-line"]++
		case why != "":
			lost[why]++
		default:
			if a.Kind == traceio.Fetch {
				pc = a.Addr
			} else {
				seq++
			}
			a.PC = pc
			rows = append(rows, a)
		}
	}
	return rows, lost
}

func agree(t *testing.T, text string, in io.Reader) {
	t.Helper()
	rows, lost := twin(text)
	readtest.Agree(t, New(in, "x"), text, rows, lost)
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, text, want, lost string }{
		{"din", "2 401000\n0 1fff000688\n1 1fff000684\n", "I401000,8 L1fff000688,8@401000 S1fff000684,4@401000", ""},
		{"comments", "0 1fff000688 the loop counter\n# a line\n", "L1fff000688,8@0", ""},
		{"sizes", "2 401000 3\n0 1fff000688 10\n", "I401000,3 L1fff000688,16@401000", ""},
		{"extended", "i 0x401000 3\nr 1fff000688 40\nW 0X1fff000684 4 x\n",
			"I401000,3 L1fff000688,64@401000 S1fff000684,4@401000", ""},
		{"other labels", "3 10\n4 0\nv 10 4\n0 10\n", "L10,8@0", "[other label (3, the first at line 1): cache operations " +
			"and references of unknown kind (labels 3, 4, m, c and v)]"},
		{"no size where one must be", "r 10\nw 10 4\n", "S10,4@0", "[bad size (1, the first at line 1): references whose " +
			"size is not a hexadecimal number of bytes from 1 to ffff]"},
		{"no address", "0 zz\n0 1ffffffffffffffff\n0 8\n", "L8,8@0",
			"[bad address (2, the first at line 1): references whose address is not a hexadecimal number below 2^64]"},
	} {
		r := New(strings.NewReader(c.text), c.name)
		var out []string
		for _, a := range readtest.Drain(t, r).Rows {
			s := fmt.Sprintf("%c%x,%d", "LSI"[a.Kind], uint64(a.Addr), a.Size)
			if a.Kind != traceio.Fetch {
				s += fmt.Sprintf("@%x", uint64(a.PC))
			}
			out = append(out, s)
		}
		lost := ""
		if len(r.Loss()) > 0 {
			lost = fmt.Sprint(r.Loss())
		}
		if got := strings.Join(out, " "); got != c.want || lost != c.lost {
			t.Errorf("%s: got %s, lost %s", c.name, got, lost)
		}
		agree(t, c.text, iotest.OneByteReader(strings.NewReader(c.text)))
	}
	err := New(strings.NewReader("hello\n"), "x").Next(&traceio.Block{})
	if err == nil || !strings.HasPrefix(err.Error(), "x: none of its 1 lines is a din reference; ") {
		t.Error(err)
	}
}

func TestSniff(t *testing.T) {
	for s, want := range map[string]bool{
		"2 401000\n0 1fff000688\n": true, "r 10 4": true, "0 10": true, " L 10,8\n": false, "I  04001234,3\n": false,
		"0x401136: R 0x10\n": false,
		"1,2\n3,4\n":         false, "hello\n": false, "0 zz\n": false, "v 10400 2\nX ./a\nI 1000 10\n": false, "": false,
		"address,kind\n": false,
	} {
		if Sniff([]byte(s)) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

func randomText(rnd *rand.Rand, n int) string {
	var s bytes.Buffer
	for range n {
		line := fmt.Sprintf("%c %x", "000112rwi34m"[rnd.IntN(12)], rnd.Uint64()>>rnd.IntN(64))
		if rnd.IntN(2) == 0 || line[0] > '9' {
			line += fmt.Sprintf(" %x", rnd.IntN(70))
		}
		if rnd.IntN(6) == 0 {
			b := []byte(line)
			b[rnd.IntN(len(b))] = " \t#xRW09afg-"[rnd.IntN(12)]
			line = string(b[:len(b)-rnd.IntN(3)])
		}
		s.WriteString(line + "\n")
	}
	if rnd.IntN(2) == 0 {
		s.Truncate(s.Len() - rnd.IntN(min(15, s.Len())))
	}
	return s.String()
}

func TestAgreesWithTwin(t *testing.T) {
	for seed := range uint64(300) {
		text := randomText(rand.New(rand.NewPCG(seed, 1)), 1+int(seed))
		agree(t, text, strings.NewReader(text))
	}
}

func FuzzReader(f *testing.F) {
	f.Add("2 401000\n0 1fff000688\n1 1fff000684 8\nr 10 4 x\n4 0")
	f.Add(randomText(rand.New(rand.NewPCG(1, 1)), 5))
	f.Add(string(readtest.Seeds(f, "*.din")[0]))
	f.Fuzz(func(t *testing.T, text string) {
		readtest.Drain(t, New(strings.NewReader(text), "x"))
		if !regexp.MustCompile(`[^ -~\n]`).MatchString(text) { // the twin's idea of a blank is Unicode's
			agree(t, text, strings.NewReader(text))
		}
	})
}

func BenchmarkReader(b *testing.B) {
	var s bytes.Buffer
	for i := range 100000 {
		fmt.Fprintf(&s, "%d %x\n", i%3, 0x7ffe6c3a0000+i*8%4096)
	}
	b.SetBytes(int64(s.Len()))
	b.ReportAllocs()
	readtest.Measure(b, func() traceio.Source { return New(bytes.NewReader(s.Bytes()), "x") })
}
