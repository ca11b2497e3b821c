package topology

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"orrery/traceio"
)

// Recording is the part of an open recording that the analysis reads.
type Recording interface {
	Len() traceio.Seq
	Blocks() int
	Find(s traceio.Seq) int
	Block(i int) (*traceio.Block, error)
}

// AlphabetKind is which records count as equal.
type AlphabetKind uint8

// The alphabets: two records are equal if they have the same ...
const (
	ByAddress AlphabetKind = iota // address (the paper's choice)
	ByAccess                      // address and kind
	ByBlock                       // cache block
	ByLine                        // source line
	ByPC                          // instruction
)

// Alphabet is a kind with its block size in bytes (a power of two; ByBlock only).
type Alphabet struct {
	Kind  AlphabetKind
	Block uint64
}

// ParseAlphabet reads "address", "access", "block:64", "line" or "pc"; "block" alone means 64 bytes.
func ParseAlphabet(s string) (Alphabet, error) {
	name, size, sized := strings.Cut(s, ":")
	kinds := map[string]AlphabetKind{"address": ByAddress, "access": ByAccess, "block": ByBlock,
		"line": ByLine, "pc": ByPC}
	kind, ok := kinds[name]
	if !ok || sized && kind != ByBlock {
		return Alphabet{}, &Error{BadOption, fmt.Sprintf("there is no alphabet %q", s),
			"use address, access, block:N (for example block:64), line or pc"}
	}
	a := Alphabet{Kind: kind}
	if kind == ByBlock {
		a.Block = 64
		if sized {
			n, err := strconv.ParseUint(size, 10, 40)
			if err != nil || n == 0 || n&(n-1) != 0 {
				return Alphabet{}, &Error{BadOption, fmt.Sprintf("block size %q is not a power of two", size), "write block:64"}
			}
			a.Block = n
		}
	}
	return a, nil
}

// Coarser reports whether b distinguishes less than a does.
func (a Alphabet) Coarser(b Alphabet) bool {
	switch a.Kind {
	case ByLine, ByPC:
		return false
	case ByBlock:
		return b.Kind == ByPC || b.Kind == ByBlock && b.Block > a.Block
	}
	return b.Kind == ByPC || b.Kind == ByBlock
}

// String gives what ParseAlphabet reads.
func (a Alphabet) String() string {
	switch a.Kind {
	case ByAccess:
		return "access"
	case ByBlock:
		return "block:" + strconv.FormatUint(a.Block, 10)
	case ByLine:
		return "line"
	case ByPC:
		return "pc"
	}
	return "address"
}

// Selection is which data references of a recording are analysed, and by which alphabet.
type Selection struct {
	From     traceio.Seq // the first
	Count    int         // length of the range in references; 0 = to the end
	Every    int         // use every k-th of them; 0 and 1 = all
	Alphabet Alphabet
	Keep     func(addr, pc traceio.Addr) bool // use only these, for example one region; nil = all
}

// Symbols interns the alphabet's symbol of each selected reference, densely from 0 in order of first use, and tells
// which references they are. lineOf maps an instruction to a number for its source line; only ByLine needs it.
func Symbols(ctx context.Context, rec Recording, sel Selection,
	lineOf func(pc traceio.Addr) uint32) ([]uint32, []traceio.Seq, error) {
	if sel.Alphabet.Kind == ByLine && lineOf == nil {
		return nil, nil, &Error{BadOption, "the alphabet is source lines, but this recording has none", "use address or pc"}
	}
	end, err := sel.end(rec)
	if err != nil {
		return nil, nil, err
	}
	if err := sel.fits(end); err != nil {
		return nil, nil, err
	}
	s := selector{sel: sel, lineOf: lineOf, every: traceio.Seq(max(sel.Every, 1)), ids: map[uint64]uint32{}}
	for i := rec.Find(sel.From); i < rec.Blocks(); i++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		b, err := rec.Block(i)
		if err != nil {
			return nil, nil, fmt.Errorf("reading references %d to %d: %w", sel.From, end, err)
		}
		if b.First >= end {
			break
		}
		s.block(b, end)
	}
	return s.symbols, s.seqs, nil
}

// end checks the range and gives its end.
func (sel Selection) end(rec Recording) (traceio.Seq, error) {
	if sel.Count < 0 || sel.Every < 0 {
		return 0, &Error{BadOption, "a count and a sampling interval cannot be negative", "use --count 1000 --every 1"}
	}
	end := rec.Len()
	if end == 0 {
		return 0, &Error{TooShort, "the recording has no references", "record again, with fewer restrictions"}
	}
	if sel.From >= end {
		return 0, &Error{TooShort, fmt.Sprintf("the range begins at reference %d, but the recording has %d", sel.From, end),
			"choose a smaller --from"}
	}
	if n := traceio.Seq(sel.Count); n > 0 && n < end-sel.From {
		end = sel.From + n
	}
	return end, nil
}

// fits refuses a range that ends at a reference and has more symbols than are held at once.
func (sel Selection) fits(end traceio.Seq) error {
	if used := (end - sel.From) / traceio.Seq(max(sel.Every, 1)); sel.Keep == nil && used > MaxUsed {
		return &Error{TooLarge, fmt.Sprintf("%d references are too many to look at one by one, %d are the limit", used,
			MaxUsed),
			fmt.Sprintf("look at the phases of the whole run with --overview, choose a --count, or sample with --every %d",
				(end-sel.From+MaxUsed-1)/MaxUsed)}
	}
	return nil
}

// MaxUsed is the most references whose symbols are held at once. With as many distinct windows they take a gigabyte.
const MaxUsed = 1 << 23

// selector collects symbols block by block.
type selector struct {
	sel     Selection
	lineOf  func(traceio.Addr) uint32
	every   traceio.Seq
	ids     map[uint64]uint32
	symbols []uint32
	seqs    []traceio.Seq
	kept    traceio.Seq // references that passed Keep so far
}

func (s *selector) block(b *traceio.Block, end traceio.Seq) {
	at := b.First
	for row, kind := range b.Kind {
		if kind == traceio.Fetch {
			continue
		}
		seq := at
		at++
		if seq < s.sel.From || s.sel.Keep != nil && !s.sel.Keep(b.Addr[row], b.PC[row]) {
			continue
		}
		if seq >= end {
			return
		}
		if s.kept++; (s.kept-1)%s.every != 0 {
			continue
		}
		key := s.key(b, row)
		id, ok := s.ids[key]
		if !ok {
			id = uint32(len(s.ids))
			s.ids[key] = id
		}
		s.symbols = append(s.symbols, id)
		s.seqs = append(s.seqs, seq)
	}
}

// key is what makes two references equal. Stores get the top bit in ByAccess: user addresses do not reach it.
func (s *selector) key(b *traceio.Block, row int) uint64 {
	addr := uint64(b.Addr[row])
	switch s.sel.Alphabet.Kind {
	case ByAccess:
		if b.Kind[row] == traceio.Store {
			return addr ^ 1<<63
		}
	case ByBlock:
		return addr &^ (max(s.sel.Alphabet.Block, 1) - 1)
	case ByLine:
		return uint64(s.lineOf(b.PC[row]))
	case ByPC:
		return uint64(b.PC[row])
	}
	return addr
}
