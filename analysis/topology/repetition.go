package topology

import "fmt"

// repetition is a stretch of symbols [from, to) that repeats its first period symbols without a change.
type repetition struct{ from, to, period int }

// rounds is how many whole periods the stretch has.
func (r repetition) rounds() int { return (r.to - r.from) / max(1, r.period) }

// fewestRounds is how many rounds a stretch must have to count as a repetition: two may be chance.
const fewestRounds = 3

// mostCompared bounds how many symbols are compared while repetitions are sought, some tenths of a second.
const mostCompared = 1 << 27

// repeats finds the longest repetition, of those the one with the shortest period; one of no rounds when there is none.
// Where longer ones have been found, only stretches of matches that would make a longer one are looked at, each from
// its far end (the skip of Boyer and Moore, "A fast string searching algorithm", 1977).
func repeats(symbols []uint32) (best repetition) {
	n, left := len(symbols), mostCompared
	for p := 1; fewestRounds*p <= n && left > 0; p++ {
		need := max((fewestRounds-1)*p, best.to-best.from-p+1) // matches of a symbol with the one p later, in a row
		for i := 0; i+need <= n-p; {
			k := i + need - 1
			for k >= i && symbols[k] == symbols[k+p] {
				k--
			}
			left -= i + need - k
			if k >= i {
				i = k + 1
				continue
			}
			for k = i + need; k < n-p && symbols[k] == symbols[k+p]; k++ {
			}
			best, need = repetition{i, k + p, p}, k-i+1
			left -= need
			i = k + 1
		}
	}
	return best
}

// tells reports whether the stretch is worth mentioning among so many symbols: a quarter of them or more.
func (r repetition) tells(symbols int) bool {
	return r.rounds() >= fewestRounds && 4*(r.to-r.from) >= symbols
}

// fewestWindows is how many different windows a round has at least that shows as a class: the neighbours of fewer are
// all neighbours of each other.
const fewestWindows = 4

// noClass is the note for windows without a class: what repeats in them nevertheless, if anything does.
func noClass(symbols []uint32, window int, scales string) *Error {
	r := repeats(symbols)
	if !r.tells(len(symbols)) {
		return &Error{NoClass, fmt.Sprintf("no class of windows of %d at %s", window, scales),
			"choose another range, another window, or a coarser alphabet such as block:64 or line"}
	}
	e := &Error{NoClass, fmt.Sprintf("%s, but there is no class of windows of %d at %s", r, window, scales),
		fmt.Sprintf("analyse that stretch by itself: it is %d of the references used, after the first %d",
			r.to-r.from, r.from)}
	if r.period < fewestWindows {
		e.Hint = "rounds of fewer than four references make none: a finer alphabet may tell more of them apart"
	}
	return e
}

// String gives "a round of 3 references repeats exactly, 246 times".
func (r repetition) String() string {
	what := "a round of 1 reference"
	if r.period > 1 {
		what = fmt.Sprintf("a round of %d references", r.period)
	}
	return fmt.Sprintf("%s repeats exactly, %d times", what, r.rounds())
}
