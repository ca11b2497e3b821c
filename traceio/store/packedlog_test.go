package store

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"orrery/traceio"
)

// TestPackedFields: every field of an event comes back, also one that is added to traceio.Alloc some day.
func TestPackedFields(t *testing.T) {
	var want traceio.Alloc
	for v, i := reflect.ValueOf(&want).Elem(), 0; i < v.NumField(); i++ {
		v.Field(i).SetUint(uint64(100 + i))
	}
	columns := spread(&want)
	if got := join(&columns); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	pack := packEvents(slices.Concat(make([]traceio.Alloc, perPack-1), []traceio.Alloc{want}))
	if got := pack.read(nil, perPack-1, perPack); got[0] != want {
		t.Errorf("from a pack got %+v, want %+v", got[0], want)
	}
}

// TestPackedLog compares a log with a slice of all its events: at each length of some, whole, in parts and event by
// event, while it grows behind prefixes that were taken before.
func TestPackedLog(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	wide := func(bits int) uint64 { return r.Uint64() >> (64 - bits) }
	for _, bits := range []int{1, 8, 17, 33, 64} {
		var all []traceio.Alloc
		var l packedLog
		var prefixes []packedLog
		for len(all) < 3*perPack {
			piece := make([]traceio.Alloc, r.IntN(perPack+perPack/2))
			for i := range piece {
				piece[i] = traceio.Alloc{Seq: traceio.Seq(wide(bits)), Ticks: traceio.Ticks(wide(bits)),
					Addr: traceio.Addr(wide(bits)), Size: wide(bits), Usable: 7,
					Stack: traceio.StackID(wide(min(bits, 32))), Thread: traceio.Thread(wide(min(bits, 12))),
					Op: traceio.AllocOp(wide(1)), Latency: traceio.Ticks(wide(bits))}
			}
			l.append(piece)
			all = append(all, piece...)
			clear(piece) // the log has its own
			for _, n := range []int{len(all), r.IntN(len(all) + 1)} {
				prefixes = append(prefixes, l.prefix(n))
			}
		}
		for _, p := range prefixes {
			what := fmt.Sprintf("%d of %d events of %d bits", p.n, len(all), bits)
			checkPacked(t, what, &p, all[:p.n], r)
		}
		numbered := slices.Clone(all)
		for i := range numbered {
			numbered[i].Seq = traceio.Seq(i)
		}
		l.numbered = true
		checkPacked(t, fmt.Sprintf("%d events of %d bits, numbered", l.n, bits), &l, numbered, r)
	}
}

func checkPacked(t *testing.T, what string, l *packedLog, want []traceio.Alloc, r *rand.Rand) {
	t.Helper()
	frees, threads := 0, 0
	for i := range want {
		threads = max(threads, int(want[i].Thread)+1)
		if want[i].Op == traceio.Free {
			frees++
		}
	}
	if l.n != len(want) || l.frees != frees || l.threads() != threads {
		t.Errorf("%s: %d events, %d frees, %d threads; want %d, %d, %d", what, l.n, l.frees, l.threads(),
			len(want), frees, threads)
	}
	var got []traceio.Alloc
	if err := l.each(func(piece []traceio.Alloc) error { got = append(got, piece...); return nil }); err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("%s: read one after the other they differ, error %v", what, err)
	}
	for range 4 {
		from := r.IntN(len(want) + 1)
		to := from + r.IntN(len(want)-from+1)
		if got := l.read(nil, from, to); !slices.Equal(got, want[from:to]) {
			t.Errorf("%s: events %d to %d differ", what, from, to)
		}
		if from < len(want) && l.at(from) != want[from] {
			t.Errorf("%s: event %d is %v, want %v", what, from, l.at(from), want[from])
		}
	}
}
