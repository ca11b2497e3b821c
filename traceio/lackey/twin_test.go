package lackey

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
)

// twin is the slow obvious reader: one line at a time, strings and strconv, nothing shared with the fast path. It
// counts unusable lines by the same names.
func twin(text string) (rows []traceio.Access, lost map[string]uint64) {
	lost = map[string]uint64{}
	var pc traceio.Addr
	var seq traceio.Seq
	in := bufio.NewReader(strings.NewReader(text))
	for {
		line, err := in.ReadString('\n')
		if err != nil && line == "" {
			return rows, lost
		}
		line = strings.TrimRight(strings.TrimSuffix(line, "\n"), " \t\r")
		if line == "" || strings.HasPrefix(line, "==") || strings.HasPrefix(line, "--") || strings.HasPrefix(line, "**") ||
			strings.HasPrefix(line, "SB ") || strings.HasPrefix(line, "0x") && strings.Contains(line, ": [0]={") {
			continue
		}
		why := ""
		body := strings.TrimLeft(line, " \t")
		left, right, comma := strings.Cut(strings.TrimLeft(body[1:], " \t"), ",")
		switch {
		case !strings.ContainsRune("ILSM", rune(body[0])) || len(body) < 2 || (body[1] != ' ' && body[1] != '\t') || !comma:
			why = "other-text"
		default:
			left = strings.TrimPrefix(left, "0x")
			addr, err1 := strconv.ParseUint(left, 16, 64)
			size, err2 := strconv.ParseUint(right, 10, 16)
			switch {
			case err1 != nil || len(left) > 16:
				why = "bad-address"
			case err2 != nil || len(right) > 5 || size == 0:
				why = "bad-size"
			case addr > addr+size-1:
				why = "bad-address"
			default:
				a := traceio.Access{Seq: seq, Addr: traceio.Addr(addr), PC: pc, Size: uint16(size)}
				switch body[0] {
				case 'I':
					pc = a.Addr
					a.PC, a.Kind = pc, traceio.Fetch
					rows = append(rows, a)
				case 'L':
					rows = append(rows, a)
					seq++
				case 'S':
					a.Kind = traceio.Store
					rows = append(rows, a)
					seq++
				case 'M':
					rows = append(rows, a)
					a.Seq, a.Kind = seq+1, traceio.Store
					rows = append(rows, a)
					seq += 2
				}
			}
		}
		if why != "" {
			if err != nil {
				why = "cut-line"
			}
			lost[why]++
		}
	}
}

// drain reads everything and gives the rows with their Seq.
func drain(t testing.TB, r *Reader) []traceio.Access {
	t.Helper()
	var rows []traceio.Access
	var b traceio.Block
	next := traceio.Seq(0)
	for {
		err := r.Next(&b)
		if err == io.EOF {
			return rows
		}
		if err != nil {
			if len(rows) > 0 {
				t.Fatalf("error after %d rows: %v", len(rows), err)
			}
			return nil
		}
		if b.First != next {
			t.Fatalf("block begins at %d, want %d", b.First, next)
		}
		if b.Len() > traceio.MaxBlock {
			t.Fatalf("block of %d rows", b.Len())
		}
		s, fetches := b.First, 0
		for i := range b.Addr {
			rows = append(rows, traceio.Access{
				Seq: s, Addr: b.Addr[i], PC: b.PC[i], Size: b.Size[i], Kind: b.Kind[i], Thread: b.Thread[i],
			})
			if b.Kind[i] == traceio.Fetch {
				fetches++
			} else {
				s++
			}
		}
		if fetches != b.Fetches {
			t.Fatalf("block says %d fetches, has %d", b.Fetches, fetches)
		}
		next = s
	}
}

// dribble hands out a few bytes at a time, so that every line is cut by the end of a read somewhere.
type dribble struct {
	r   io.Reader
	rnd *rand.Rand
}

func (d *dribble) Read(p []byte) (int, error) {
	return d.r.Read(p[:min(len(p), 1+d.rnd.IntN(100))])
}

func agree(t testing.TB, text string, in io.Reader) {
	t.Helper()
	want, lost := twin(text)
	r := New(in, "x.lk")
	got := drain(t, r)
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d, of %q", len(got), len(want), clip(text))
	}
	for i := range got {
		want[i].Thread = got[i].Thread // the twin knows no threads
		if got[i] != want[i] {
			t.Fatalf("row %d is %+v, want %+v, of %q", i, got[i], want[i], clip(text))
		}
	}
	for _, l := range r.Loss() {
		if l.Kind == "too-many-threads" {
			continue
		}
		if lost[l.Kind] != l.Count {
			t.Fatalf("%d %s, want %d, of %q", l.Count, l.Kind, lost[l.Kind], clip(text))
		}
		delete(lost, l.Kind)
	}
	for k, n := range lost {
		t.Fatalf("missing %d %s of %q", n, k, clip(text))
	}
}

func clip(s string) string {
	if len(s) > 2000 {
		return s[:2000] + "..."
	}
	return s
}

// randomText makes lines of which most are good and the others are good lines with something done to them.
func randomText(rnd *rand.Rand, lines int) string {
	var s bytes.Buffer
	prefixes := []string{"I  ", " L ", " S ", " M ", "I ", "L ", "\tS\t", "  M  ", "X  ", "", " "}
	formats := []string{"%08x", "%x", "%X", "%016x", "0x%x", "%020x"}
	for range lines {
		p, f := rnd.IntN(4), 0
		if rnd.IntN(10) == 0 {
			p, f = rnd.IntN(len(prefixes)), rnd.IntN(len(formats))
		}
		line := []byte(prefixes[p])
		a := rnd.Uint64() >> rnd.IntN(64)
		digits := strconv.FormatUint(a, 16)
		switch formats[f] {
		case "%08x":
			digits = strings.Repeat("0", max(0, 8-len(digits))) + digits
		case "%X":
			digits = strings.ToUpper(digits)
		case "%016x":
			digits = strings.Repeat("0", max(0, 16-len(digits))) + digits
		case "0x%x":
			digits = "0x" + digits
		case "%020x":
			digits = strings.Repeat("0", max(0, 20-len(digits))) + digits
		}
		line = append(line, digits...)
		line = append(line, ',')
		size := []int{1, 2, 3, 4, 8, 16, 32, 64}[rnd.IntN(8)]
		if rnd.IntN(20) == 0 {
			size = rnd.IntN(70000)
		}
		line = strconv.AppendInt(line, int64(size), 10)
		if rnd.IntN(20) == 0 && len(line) > 0 {
			i := rnd.IntN(len(line))
			switch rnd.IntN(4) {
			case 0:
				line[i] = byte(rnd.IntN(256))
			case 1:
				line = append(line[:i], line[i+1:]...)
			case 2:
				line = line[:i]
			case 3:
				line = append(line, "\r"...)
			}
		}
		s.Write(line)
		s.WriteByte('\n')
	}
	if rnd.IntN(2) == 0 {
		s.Truncate(s.Len() - rnd.IntN(min(20, s.Len())))
	}
	return s.String()
}

func TestAgreesWithTwinOnRandomText(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		text := randomText(rnd, 1+rnd.IntN(600))
		agree(t, text, strings.NewReader(text))
		agree(t, text, &dribble{strings.NewReader(text), rnd})
	}
}

func FuzzReader(f *testing.F) {
	f.Add("I  04001234,3\n L 1fff000688,8\n M 0421c7cc,4\n")
	f.Add("==1== Command: ./qs\n S 10,1\r\n S 18,\n--1--   SCHED[2]:  acquired lock (x)\n L ffffffffffffffff,2")
	f.Add("--1-- Reading syms from /bin/x\n--1--    svma 0x10, avma 0x20\n\n L 1fff0006881fff,64\n")
	f.Add(string(oracle(f)[:1<<10])) // how a text of valgrind's begins
	f.Fuzz(func(t *testing.T, text string) {
		agree(t, text, strings.NewReader(text))
	})
}

// TestLower8 puts every byte at every place among eight digits, and reads random ones.
func TestLower8(t *testing.T) {
	check := func(text string) {
		t.Helper()
		got, ok := lower8(binary.LittleEndian.Uint64([]byte(text)))
		want, err := strconv.ParseUint(text, 16, 64)
		if good := err == nil && strings.ToLower(text) == text; ok != good || ok && got != want {
			t.Errorf("%q is %x (%v), want %x (%v)", text, got, ok, want, good)
		}
	}
	rnd := rand.New(rand.NewPCG(8, 8))
	for place := range 8 {
		for c := range 256 {
			text := []byte(fmt.Sprintf("%08x", rnd.Uint32()))
			text[place] = byte(c)
			check(string(text))
		}
	}
	for range 10000 {
		check(fmt.Sprintf("%08x", rnd.Uint32()))
	}
}
