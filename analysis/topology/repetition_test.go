package topology

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slowRepeats tries every stretch with every period.
func slowRepeats(symbols []uint32) (best repetition) {
	n := len(symbols)
	for p := 1; 3*p <= n; p++ {
		for from := range n {
			to := min(from+p, n)
			for to < n && symbols[to] == symbols[to-p] {
				to++
			}
			if to-from >= 3*p && to-from > best.to-best.from {
				best = repetition{from, to, p}
			}
		}
	}
	return best
}

func TestRepetitionsAreThoseOfTheSlowSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for round := range 3000 {
		symbols := make([]uint32, r.IntN(60))
		for i := range symbols {
			symbols[i] = r.Uint32N(1 + uint32(round%4))
		}
		if p := 1 + r.IntN(12); round%2 == 0 && len(symbols) > 2*p { // a planted one
			from := r.IntN(len(symbols) - p)
			for i := from + p; i < len(symbols)-r.IntN(4); i++ {
				symbols[i] = symbols[i-p]
			}
		}
		if got, want := repeats(symbols), slowRepeats(symbols); got != want {
			t.Fatalf("%v: %+v, want %+v", symbols, got, want)
		}
	}
}

// loops are the symbols of nested loops, each of which has one of its own besides what is in it.
func loops(rounds ...uint32) (out []uint32) {
	if len(rounds) == 0 {
		return nil
	}
	for i := range rounds[0] {
		out = append(out, uint32(100*len(rounds))+i)
		out = append(out, loops(rounds[1:]...)...)
	}
	return out
}

// TestNothingIsSaidToRecurWhenSomethingDoes: where the method finds no class, it does not say that nothing repeats, but
// what does.
func TestNothingIsSaidToRecurWhenSomethingDoes(t *testing.T) {
	loop := slices.Concat(ring(9, 1), slices.Repeat([]uint32{70, 71, 72}, 240))
	noise := make([]uint32, 400)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range noise {
		noise[i] = r.Uint32()
	}
	for _, row := range []struct {
		name    string
		symbols []uint32
		opt     Options
		want    string
	}{
		{"a loop of three references", loop, Options{}, "a round of 3 references repeats exactly, 240 times"},
		{"a loop of one", slices.Concat(ring(9, 1), make([]uint32, 500)), Options{},
			"a round of 1 reference repeats exactly, 500 times"},
		{"noise", noise, Options{}, "no class of windows of 10 at any scale; choose another range"},
		{"noise, a few scales", noise, Options{Eps: 5}, "no class of windows of 10 at scales up to 5; allow larger scales"},
		{"landmarks", slices.Concat(loops(3, 7, 5), noise), Options{Landmarks: 4}, "cannot tell"},
	} {
		res, err := Analyze(context.Background(), row.symbols, row.opt, nil)
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		said := strings.Join(res.Notes, "\n")
		if res.Problem != nil {
			said += "\n" + res.Problem.Error()
		}
		if !strings.Contains(said, row.want) || strings.Contains(said, "nothing recurs") {
			t.Errorf("%s: %q, want %q", row.name, said, row.want)
		}
	}
}
