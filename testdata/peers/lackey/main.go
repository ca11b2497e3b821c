// Compare tells whether two recordings of one program, ours and valgrind's lackey, count the same loads and stores in every
// source line, and explains where they do not. The program must be static and not position-independent, so that both see it
// at the same addresses.
//
//	compare OURS.orr LACKEY.txt PROGRAM SOURCE.c
package main

import (
	"cmp"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"orrery/traceio"
	"orrery/traceio/store"
)

// place is a source line with what it does.
type place struct {
	line int
	kind traceio.Kind
}

// counts are references and bytes.
type counts struct{ refs, bytes int }

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: compare OURS.orr LACKEY.txt PROGRAM SOURCE.c")
		os.Exit(2)
	}
	if err := compare(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func compare(ours, theirs, program, source string) error {
	locked, err := lockedIn(program)
	if err != nil {
		return err
	}
	lines := map[traceio.Addr]int{}
	ourCounts, err := count(ours, func(p *traceio.Program) func(traceio.Addr) int {
		for _, s := range p.Sites {
			for _, f := range s.Frames {
				if filepath.Base(f.File) == source {
					lines[s.PC] = f.Line
					break
				}
			}
		}
		return func(pc traceio.Addr) int { return lines[pc] }
	}, nil)
	if err != nil {
		return err
	}
	theirCounts, err := count(theirs, func(*traceio.Program) func(traceio.Addr) int {
		return func(pc traceio.Addr) int { return lines[pc] }
	}, locked)
	if err != nil {
		return err
	}
	places := map[place]bool{}
	for p := range ourCounts {
		places[p] = true
	}
	for p := range theirCounts {
		places[p] = true
	}
	total, split, bad := 0, 0, 0
	order := slices.SortedFunc(keys(places), func(a, b place) int { return cmp.Or(a.line-b.line, int(a.kind)-int(b.kind)) })
	for _, p := range order {
		o, t := ourCounts[p], theirCounts[p]
		total += o.refs
		switch {
		case o == t:
		case o.bytes == t.bytes: // a wide register in another number of pieces
			split++
		default:
			bad++
			fmt.Printf("%s:%d %v: ours %d references of %d bytes, lackey %d of %d\n", source, p.line, p.kind, o.refs, o.bytes, t.refs, t.bytes)
		}
	}
	if len(order) == 0 {
		return fmt.Errorf("no reference belongs to %s", source)
	}
	fmt.Printf("%d references in %d lines and kinds of %s: %d equal, %d with the same bytes in other pieces, %d different\n",
		total, len(order), source, len(order)-split-bad, split, bad)
	if bad > 0 {
		return fmt.Errorf("the counts of %d lines differ", bad)
	}
	return nil
}

func keys(m map[place]bool) func(func(place) bool) {
	return func(yield func(place) bool) {
		for p := range m {
			if !yield(p) {
				return
			}
		}
	}
}

// count adds up the references of a recording by line. Of a locked instruction, which valgrind makes a load and a
// compare-exchange of, lackey counts a load for each: half of them count.
func count(path string, lineOf func(*traceio.Program) func(traceio.Addr) int, locked map[traceio.Addr]bool) (map[place]counts, error) {
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	line := lineOf(rec.Program())
	out := map[place]counts{}
	twice := map[place]counts{}
	for i := range rec.Blocks() {
		b, err := rec.Block(i)
		if err != nil {
			return nil, err
		}
		for row, pc := range b.PC {
			n := line(pc)
			if n == 0 || b.Kind[row] == traceio.Fetch {
				continue
			}
			p := place{n, b.Kind[row]}
			into := out
			if locked[pc] && p.kind == traceio.Load {
				into = twice
			}
			c := into[p]
			into[p] = counts{c.refs + 1, c.bytes + int(b.Size[row])}
		}
	}
	for p, c := range twice {
		o := out[p]
		out[p] = counts{o.refs + c.refs/2, o.bytes + c.bytes/2}
	}
	return out, nil
}

// lockedIn finds the bytes of the program's code that may be LOCK prefixes.
func lockedIn(program string) (map[traceio.Addr]bool, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := f.Section(".text")
	if text == nil {
		return nil, fmt.Errorf("%s has no code", program)
	}
	code, err := text.Data()
	if err != nil {
		return nil, err
	}
	out := map[traceio.Addr]bool{}
	for i, c := range code {
		if c == 0xf0 {
			out[traceio.Addr(text.Addr)+traceio.Addr(i)] = true
		}
	}
	return out, nil
}
