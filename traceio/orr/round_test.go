package orr

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"orrery/traceio"
)

// loops are rows of nested loops: rounds of a few sites that go on by strides, now and then with a row that does not, a
// site that comes twice or one that nobody expects, and addresses up to the end of what addresses can be.
func loops(rnd *rand.Rand, n int, shift uint) (rows []Row) {
	for len(rows) < n {
		if rnd.IntN(10) == 0 {
			rows = append(rows, chain(rnd, shift)...)
		}
		round := 1 + rnd.IntN(6)
		if rnd.IntN(8) == 0 {
			round = 1 + rnd.IntN(2*mostRound)
		}
		body, strides := make([]Row, round), make([]uint64, round)
		for i := range body {
			site := rnd.IntN(20)
			body[i].Key = dataKey(traceio.Addr(0x401000+site), 8, traceio.Kind(site%2)) | 1
			body[i].Where = rnd.Uint64N(1<<20) << shift
			switch rnd.IntN(12) {
			case 0:
				body[i].Where = (1<<47 - rnd.Uint64N(1<<12)) << shift
			case 1:
				body[i].Where = -(rnd.Uint64N(1<<12) << shift)
			}
			strides[i] = uint64(int64(rnd.IntN(9)-4)*8<<rnd.IntN(5)) << shift
			if i > 0 {
				switch rnd.IntN(4) {
				case 0:
					strides[i] = strides[i-1]
				case 1:
					strides[i] = 2 * strides[i-1]
				}
			}
			if rnd.IntN(40) == 0 {
				strides[i] = 1 << (40 + rnd.IntN(24)) << shift
			}
		}
		for range rnd.IntN(80) {
			for i := range body {
				row := body[i]
				if rnd.IntN(300) == 0 {
					row.Where += 64 << shift
				}
				if rnd.IntN(600) == 0 {
					row.Key ^= 8 << 16
				}
				rows = append(rows, row)
				body[i].Where += strides[i]
			}
		}
	}
	return rows[:n]
}

// chain are rows of a loop that goes through a list time and again, whose first part is scattered and whose second is
// in order.
func chain(rnd *rand.Rand, shift uint) (rows []Row) {
	for i := range 60 {
		at := uint64(1<<20 + 64*i)
		if i < 20 {
			at = rnd.Uint64N(1 << 20)
		}
		for field := range uint64(2) {
			rows = append(rows, Row{(at + 8*field) << shift, dataKey(traceio.Addr(0x402000+field), 8, traceio.Load) | 1})
		}
	}
	return slices.Repeat(rows, 8)
}

// TestRoundsAreCodedLikeRows compares with what comes of rows that are given one by one, where nothing comes again.
func TestRoundsAreCodedLikeRows(t *testing.T) {
	slow, _ := coders(t)
	fast, _ := coders(t)
	gone := 0
	for k := range uint64(60) {
		rnd := rand.New(rand.NewPCG(4, k))
		in := fresh{shift: uint(k%2) * rowShift, tag: 1}
		rows := loops(rnd, 1+rnd.IntN(20000), in.shift)
		slow.reset()
		fast.reset()
		for i := 0; i < len(rows); {
			thread, n := traceio.Thread(rnd.IntN(2)), 1+rnd.IntN(3000)
			in.rows = rows[i:min(i+n, len(rows))]
			fast.add(thread, in)
			for j := range in.rows {
				slow.add(thread, fresh{rows: in.rows[j : j+1], shift: in.shift, tag: in.tag})
			}
			i += len(in.rows)
		}
		for i := range slow.places {
			if fast.addrs[margin+i] != slow.addrs[margin+i] {
				gone++ // it was not even written
			}
		}
		want, wantSum := slow.finish(nil)
		got, gotSum := fast.finish(nil)
		if !bytes.Equal(got, want) || gotSum != wantSum {
			t.Fatalf("%d: rounds of %d rows give %d bytes, %+v, want %d, %+v", k, len(rows), len(got), gotSum,
				len(want), wantSum)
		}
	}
	if gone < 1000 {
		t.Errorf("only %d rows came in rounds that were coded at once", gone)
	}
}

func TestRealRoundsAreCodedLikeRows(t *testing.T) {
	slow, _ := coders(t)
	fast, _ := coders(t)
	for _, b := range oracle(t, false) {
		rows, _ := fast.wide.append(nil, b, 0, b.Len())
		slow.reset()
		fast.reset()
		fast.add(0, fresh{rows: rows})
		for i := range rows {
			slow.add(0, fresh{rows: rows[i : i+1]})
		}
		want, _ := slow.finish(nil)
		if got, _ := fast.finish(nil); !bytes.Equal(got, want) {
			t.Fatalf("block at %d: %d bytes, want %d", b.First, len(got), len(want))
		}
	}
}

func TestRowsGoOnAsTheSlowWayFinds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 1))
	for k := range 2000 {
		round := 1 + rnd.IntN(mostRound)
		rows := make([]Row, 2*round+rnd.IntN(40))
		for i := range rows {
			rows[i] = Row{rnd.Uint64(), Key(rnd.Uint64())}
			if i >= 2*round {
				a, b := rows[i-2*round], rows[i-round]
				rows[i] = Row{2*b.Where - a.Where, 2*b.Key - a.Key}
			}
		}
		if more := len(rows) - 2*round; more > 0 && k%4 != 0 {
			rows[2*round+rnd.IntN(more)].Where ^= 1 << rnd.IntN(64)
			rows[2*round+rnd.IntN(more)].Key ^= Key(k%2) << rnd.IntN(64)
		}
		if got, want := goOn(rows, round), goOnAny(rows, round); got != want {
			t.Fatalf("%d: of %d rows in rounds of %d %d go on, want %d", k, len(rows), round, got, want)
		}
	}
}

func TestBackFindsTheSameSite(t *testing.T) {
	far := make([]uint32, mostRound+2) // the first and the last are the same
	for i := range far {
		far[i] = uint32(i)
	}
	far[len(far)-1] = 0
	for _, row := range []struct {
		name string
		refs []uint32
		want int
	}{
		{"the only row", []uint32{7}, 0},
		{"nowhere", []uint32{1, 2, 3, 7}, 0},
		{"the row before", []uint32{7, 7}, leastRound},
		{"the latest of two", []uint32{7, 1, 7, 2, 3, 7}, 3},
		{"too far", far, 0},
		{"the longest round", append([]uint32{0}, far[2:]...), mostRound},
	} {
		if got := back(row.refs); got != row.want {
			t.Errorf("%s: %d rows back in %v, want %d", row.name, got, row.refs, row.want)
		}
	}
}
