package topology

import "slices"

// Digits of the sort by radix: of a term's 64 bits the lower 16, the coefficient, do not count.
const (
	digitBits  = 11
	firstDigit = 16
	fewTerms   = 1 << 10 // of which a sort by comparison is as fast
)

// sortTerms sorts terms by simplex; those of the same simplex come in any order. scratch is used where it is long
// enough; what is returned of it is at least as long as list. A comparison costs more than a digit: of many terms this
// takes a quarter of the time.
func sortTerms(list, scratch []term) []term {
	if len(list) < fewTerms {
		slices.Sort(list)
		return scratch
	}
	if len(scratch) < len(list) {
		scratch = make([]term, len(list))
	}
	from, to := list, scratch[:len(list)]
	for shift := firstDigit; shift < 64; shift += digitBits {
		var start [1 << digitBits]int
		for _, t := range from {
			start[t>>shift&(1<<digitBits-1)]++
		}
		if start[from[0]>>shift&(1<<digitBits-1)] == len(from) { // all the same
			continue
		}
		sum := 0
		for d, n := range start {
			start[d] = sum
			sum += n
		}
		for _, t := range from {
			d := t >> shift & (1<<digitBits - 1)
			to[start[d]] = t
			start[d]++
		}
		from, to = to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
	return scratch
}
