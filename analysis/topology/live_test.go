package topology

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestQuickNamesItsStage(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var stream, pages []uint32 // every record is new, in blocks of eight
	for i := range 900 {
		stream = append(stream, uint32(i))
		pages = append(pages, uint32(i/8%5))
	}
	loops := loopy(r, 1200)
	var code []uint32 // a loop of nine instructions
	for i := range stream {
		code = append(code, uint32(i%9))
	}
	coarse := func(blocks, code []uint32) Coarse {
		return func(a Alphabet) ([]uint32, error) {
			if a.Kind == ByPC {
				return code, nil
			}
			return blocks, nil
		}
	}
	for _, row := range []struct {
		name    string
		symbols []uint32
		coarse  Coarse
		opt     Options
		stage   Stage
	}{
		{"few windows", ring(40, 9), coarse(pages, code), Options{}, Full},
		{"streaming, blocks recur", stream, coarse(pages, code), Options{}, FirstBlocks},
		{"streaming, no blocks", stream, nil, Options{}, FirstScales},
		{"streaming, blocks stream too", stream, coarse(stream, nil), Options{}, FirstBoth},
		{"streaming, code recurs", stream, coarse(stream, code), Options{}, FirstCode},
		{"streaming, code is not known", stream, coarse(stream, make([]uint32, len(stream))), Options{}, FirstBoth},
		{"streaming, code goes on and on", stream, coarse(stream, stream), Options{}, FirstCodeScales},
		{"many windows", loops, nil, Options{}, FirstScales},
		{"many windows, small eps", loops, nil, Options{Eps: 3}, Full},
	} {
		res, err := Quick(context.Background(), row.symbols, row.coarse, row.opt, nil)
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		if res.Stage != row.stage || len(res.Parameterizations) > QuickTop {
			t.Errorf("%s: stage %v with %d parameterizations, want %v", row.name, res.Stage,
				len(res.Parameterizations), row.stage)
		}
		if first := row.stage != Full; first != strings.HasPrefix(res.Stage.String(), "first look: ") {
			t.Errorf("%s: the stage reads %q", row.name, res.Stage)
		}
	}
	failed := errors.New("unreadable")
	if _, err := Quick(context.Background(), stream, func(Alphabet) ([]uint32, error) { return nil, failed }, Options{},
		nil); !errors.Is(err, failed) {
		t.Errorf("got error %v", err)
	}
	for name, symbols := range map[string][]uint32{"2 records": stream[:2], "none": nil} {
		var e *Error
		if _, err := Quick(context.Background(), symbols, nil, Options{}, nil); !errors.As(err, &e) || e.Reason != TooShort {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

// TestFirstLookIsTheBeginningOfTheBarcode: bars that die up to QuickEps are those of the full barcode, longer ones are
// open.
func TestFirstLookIsTheBeginningOfTheBarcode(t *testing.T) {
	symbols := loopy(rand.New(rand.NewPCG(6, 6)), 500)
	full, err := Analyze(context.Background(), symbols, Options{Top: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := Quick(context.Background(), symbols, nil, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[Bar]int{}
	for _, b := range full.Barcode {
		switch {
		case b.Death <= QuickEps:
			want[b]++
		case b.Birth <= QuickEps:
			want[Bar{Birth: b.Birth, Infinite: true}]++
		}
	}
	for _, b := range first.Barcode {
		if b.Infinite {
			b.Death = 0
		}
		want[b]--
	}
	for b, n := range want {
		if n != 0 {
			t.Errorf("bar %v: %d too few", b, n)
		}
	}
}
