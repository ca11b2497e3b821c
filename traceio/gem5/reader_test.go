package gem5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orrery/traceio"
	"orrery/traceio/readtest"
)

// A writer of the messages of packet.proto with encoding/binary's varints, whose fields may stand in any order.

type field struct {
	number int
	value  uint64
	text   []byte // instead of value
}

func message(fs ...field) []byte {
	var p []byte
	for _, f := range fs {
		if f.text != nil {
			p = binary.AppendUvarint(p, uint64(f.number)<<3|2)
			p = binary.AppendUvarint(p, uint64(len(f.text)))
			p = append(p, f.text...)
			continue
		}
		p = binary.AppendUvarint(p, uint64(f.number)<<3)
		p = binary.AppendUvarint(p, f.value)
	}
	return p
}

func file(messages ...[]byte) []byte {
	p := []byte{0x67, 0x65, 0x6d, 0x35} // 0x356d6567, little endian
	for _, m := range messages {
		p = append(binary.AppendUvarint(p, uint64(len(m))), m...)
	}
	return p
}

func text(n int, s string) field { return field{number: n, text: []byte(s)} }

// front is the header of a trace with picosecond ticks and two CPUs.
func front() []byte {
	id := func(n uint64, name string) field {
		return field{number: 4, text: message(field{1, n, nil}, text(2, name))}
	}
	return message(text(1, "system.monitor"), field{2, 0, nil}, field{3, 1e12, nil},
		id(5, "system.cpu0.inst"), id(6, "system.cpu0.data"), id(9, "system.cpu1.data"))
}

type pkt struct{ tick, cmd, addr, size, flags, id, pc uint64 }

func (p pkt) message() []byte {
	fs := []field{{1, p.tick, nil}, {2, p.cmd, nil}, {3, p.addr, nil}, {4, p.size, nil}}
	for n, v := range map[int]uint64{5: p.flags, 6: p.id, 7: p.pc} {
		if v != 0 {
			fs = append(fs, field{n, v, nil})
		}
	}
	return message(fs...)
}

// names are gem5's, in the order of the enumeration.
var names = strings.Fields(
	`InvalidCmd ReadReq ReadResp ReadRespWithInvalidate WriteReq WriteResp WriteCompleteResp WritebackDirty WritebackClean
	WriteClean CleanEvict SoftPFReq SoftPFExReq HardPFReq SoftPFResp HardPFResp WriteLineReq UpgradeReq SCUpgradeReq UpgradeResp SCUpgradeFailReq
	UpgradeFailResp ReadExReq ReadExResp ReadCleanReq ReadSharedReq LoadLockedReq StoreCondReq StoreCondFailReq StoreCondResp LockedRMWReadReq
	LockedRMWReadResp LockedRMWWriteReq LockedRMWWriteResp SwapReq SwapResp`)

// TestCommands holds the table of commands against what their names say.
func TestCommands(t *testing.T) {
	for cmd, name := range names {
		want := useOther
		switch {
		case name == "SwapReq":
			want = useSwap
		case strings.Contains(name, "Resp"):
			want = useResponse
		case strings.Contains(name, "PF"):
			want = usePrefetch
		case strings.Contains(name, "Fail"), strings.Contains(name, "Upgrade"):
		case strings.HasPrefix(name, "Write"), strings.HasPrefix(name, "Store"), strings.Contains(name, "RMWWrite"):
			want = useStore
		case strings.HasPrefix(name, "Read"), strings.HasPrefix(name, "Load"), strings.Contains(name, "RMWRead"):
			want = useLoad
		}
		got := useOther
		if cmd < len(commands) {
			got = commands[cmd]
		}
		if got != want {
			t.Errorf("%d %s: use %d, want %d", cmd, name, got, want)
		}
	}
}

// twin tells what packets come to.
func twin(ps []pkt) (rows []traceio.Access, lost map[string]uint64) {
	lost = map[string]uint64{}
	cpu := map[uint64]string{5: "cpu0", 6: "cpu0", 9: "cpu1"}
	threads := map[string]traceio.Thread{}
	seq := traceio.Seq(0)
	for _, p := range ps {
		name := "?"
		if p.cmd < uint64(len(names)) {
			name = names[p.cmd]
		}
		read := strings.HasPrefix(name, "Read") || name == "LoadLockedReq" || name == "LockedRMWReadReq" || name == "SwapReq"
		write := strings.HasPrefix(name, "Write") || name == "StoreCondReq" ||
			name == "LockedRMWWriteReq" || name == "SwapReq"
		switch {
		case strings.Contains(name, "Resp"):
			lost["response"]++
		case strings.Contains(name, "PF"), p.flags>>24&1 == 1 && (read || write) && name != "SwapReq":
			lost["prefetch"]++
		case !read && !write:
			lost["no-data"]++
		case p.size == 0 || p.size >= 65536 || p.addr+p.size-1 < p.addr:
			lost["bad-size"]++
		default:
			th := traceio.Thread(0)
			if c, ok := cpu[p.id]; ok {
				if _, ok := threads[c]; !ok {
					threads[c] = traceio.Thread(len(threads))
				}
				th = threads[c]
			}
			a := traceio.Access{Seq: seq, Addr: traceio.Addr(p.addr), PC: traceio.Addr(p.pc), Size: uint16(p.size), Thread: th}
			if p.flags>>8&1 == 1 && !write {
				a.Kind, a.PC = traceio.Fetch, a.Addr
				rows = append(rows, a)
				continue
			}
			if read {
				rows = append(rows, a)
				seq++
			}
			if write {
				a.Seq, a.Kind = seq, traceio.Store
				rows = append(rows, a)
				seq++
			}
		}
	}
	return rows, lost
}

func randomPackets(rnd *rand.Rand, n int) []pkt {
	var ps []pkt
	tick := uint64(rnd.IntN(3)) * 500
	for range n {
		p := pkt{tick: tick, cmd: []uint64{1, 1, 1, 4, 4, 24, 7}[rnd.IntN(7)], addr: rnd.Uint64() >> rnd.IntN(64),
			size: 1 << rnd.IntN(7), id: []uint64{0, 5, 6, 9}[rnd.IntN(4)]}
		switch rnd.IntN(8) {
		case 0:
			p.cmd = uint64(rnd.IntN(60))
		case 1:
			p.flags = rnd.Uint64() >> 32
		case 2:
			p.flags = 0x100
		case 3:
			p.pc = rnd.Uint64()
		case 4:
			p.size = rnd.Uint64() >> rnd.IntN(64)
		}
		ps = append(ps, p)
		tick += uint64(rnd.IntN(5000))
	}
	return ps
}

func build(ps []pkt) []byte {
	ms := [][]byte{front()}
	for _, p := range ps {
		ms = append(ms, p.message())
	}
	return file(ms...)
}

func agree(t *testing.T, ps []pkt, in io.Reader) {
	t.Helper()
	want, lost := twin(ps)
	r := New(in, "x")
	all := readtest.Drain(t, r)
	got, end := all.Rows, all.End
	if !slices.Equal(got, want) || len(want) > 0 && fmt.Sprint(readtest.Losses(r)) != fmt.Sprint(lost) {
		t.Fatalf("%d rows, want %d; lost %v, want %v", len(got), len(want), readtest.Losses(r), lost)
	}
	if len(want) > 0 && end > traceio.Ticks((ps[len(ps)-1].tick-ps[0].tick)/1000) {
		t.Fatalf("ends at %d ns of %d ps", end, ps[len(ps)-1].tick-ps[0].tick)
	}
}

func TestAgreesWithTwin(t *testing.T) {
	for seed := range uint64(80) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		ps := randomPackets(rnd, 1+rnd.IntN(1000))
		agree(t, ps, bytes.NewReader(build(ps)))
		agree(t, ps, iotest.HalfReader(bytes.NewReader(build(ps))))
	}
	ps := randomPackets(rand.New(rand.NewPCG(99, 5)), 150000)
	agree(t, ps, bytes.NewReader(build(ps)))
}

func TestClock(t *testing.T) {
	r := New(bytes.NewReader(build([]pkt{{tick: 0, cmd: 1, addr: 64, size: 8}, {tick: 500, cmd: 1, addr: 64, size: 8},
		{tick: 7_000_999, cmd: 4, addr: 64, size: 64}})), "x")
	if end := readtest.Drain(t, r).End; end != 7000 || !r.Program().Ticking {
		t.Errorf("ends at %d ns, ticking %v", end, r.Program().Ticking)
	}
}

func TestBadInput(t *testing.T) {
	good := pkt{tick: 1, cmd: 1, addr: 64, size: 8}.message()
	for _, c := range []struct {
		name, data, err, kind string
		rows                  int
	}{
		{"empty", "", "empty: this is no trace of gem5", "", 0},
		{"magic only", "gem5", "magic only: byte 4: the header of this gem5 trace is cut or damaged; copy it again", "", 0},
		{"no header", string(file(message(field{2, 0, nil}), good)), "no header: byte 4: the header", "", 0},
		{"instructions", string(file(message(text(1, "cpu"), field{3, 1e12, nil}, field{4, 1, nil}))),
			"instructions: this is a gem5 trace of instructions", "", 0},
		{"no packet", string(file(front())), "no packet: this gem5 trace holds no packet", "", 0},
		{"cut", string(file(front(), good, good)[:len(file(front(), good, good))-2]), "", "cut-record", 1},
		{"absurd length", string(file(front(), good)) + "\xff\xff\xff\xff\x0f", "", "bad-length", 1},
		{"endless varint", string(file(front(), good)) + strings.Repeat("\xff", 20), "", "bad-length", 1},
		{"missing address", string(file(front(), message(field{1, 1, nil}, field{2, 1, nil}, field{4, 8, nil}), good)),
			"", "bad-packet", 1},
		{"wire type 3", string(file(front(), []byte{0x0b, 0x01}, good)), "", "bad-packet", 1},
		{"field over the end", string(file(front(), append(slices.Clone(good), 0x52, 0x7f), good)), "", "bad-packet", 1},
	} {
		r := New(strings.NewReader(c.data), c.name)
		var b traceio.Block
		rows := 0
		err := r.Next(&b)
		for ; err == nil; err = r.Next(&b) {
			rows += b.Len()
		}
		if c.err != "" && !strings.HasPrefix(err.Error(), c.err) || c.err == "" && err != io.EOF {
			t.Errorf("%s: %v", c.name, err)
		}
		if rows != c.rows || c.kind != "" && readtest.Losses(r)[c.kind] != 1 {
			t.Errorf("%s: %d rows, loss %+v", c.name, rows, r.Loss())
		}
	}
}

// TestOtherFields skips what newer versions may add, of every wire type.
func TestOtherFields(t *testing.T) {
	m := slices.Concat(message(text(12, "new")), []byte{13<<3 | 1, 1, 2, 3, 4, 5, 6, 7, 8}, []byte{14<<3 | 5, 1, 2, 3, 4},
		pkt{tick: 1, cmd: 4, addr: 64, size: 8}.message())
	r := New(bytes.NewReader(file(front(), m)), "x")
	if rows := readtest.Drain(t, r).Rows; len(rows) != 1 || len(r.Loss()) > 0 || rows[0].Addr != 64 {
		t.Errorf("%+v, loss %+v", rows, r.Loss())
	}
}

func FuzzReader(f *testing.F) {
	f.Add(build(randomPackets(rand.New(rand.NewPCG(1, 1)), 10)))
	f.Add(file(front(), message(text(12, "new"), field{4, 8, nil})))
	f.Add(readtest.Seeds(f, "*.gem5")[0])
	f.Fuzz(func(t *testing.T, data []byte) {
		r := New(bytes.NewReader(data), "x")
		rows := readtest.Drain(t, r).Rows
		if len(rows) > 2*len(data) {
			t.Fatalf("%d rows of %d bytes", len(rows), len(data))
		}
	})
}

func BenchmarkReader(b *testing.B) {
	var ps []pkt
	for i := range uint64(1 << 16) {
		ps = append(ps, pkt{tick: i * 500, cmd: 1 + i%2*3, addr: 0x80000000 + i*64%(1<<20), size: 64, id: 5 + i%2,
			pc: 0x401000 + i%999})
	}
	data := build(ps)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	readtest.Measure(b, func() traceio.Source { return New(bytes.NewReader(data), "x") })
}
