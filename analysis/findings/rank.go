package findings

import (
	"cmp"
	"slices"
)

// rank orders findings: the greatest share of the cost first; equal ones by nanoseconds, bytes, kind, title and place.
func rank(a, b Finding) int {
	return cmp.Or(cmp.Compare(b.Cost.Share, a.Cost.Share), cmp.Compare(b.Cost.Nanoseconds, a.Cost.Nanoseconds),
		cmp.Compare(b.Cost.Bytes, a.Cost.Bytes),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Title, b.Title), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// Merge puts two lists of findings into one, ranked.
func Merge(a, b []Finding) []Finding {
	list := slices.Concat(a, b)
	slices.SortStableFunc(list, rank)
	return list
}
