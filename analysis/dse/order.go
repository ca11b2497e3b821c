package dse

import "slices"

// key is a number and the row or point that it is of: sorting these touches no other memory.
type key struct {
	x float64
	i int32
}

func byKey(a, b key) int {
	switch {
	case a.x < b.x:
		return -1
	case a.x > b.x:
		return 1
	}
	return 0
}

// keyed are the keys of column j of rows, m numbers each.
func keyed(keys []key, rows []float64, m, j int) []key {
	n := len(rows) / m
	keys = slices.Grow(keys[:0], n)[:n]
	for i := range keys {
		keys[i] = key{rows[i*m+j], int32(i)}
	}
	return keys
}

// ordering sorts rows by a column and keeps its memory.
type ordering struct {
	keys []key
	list []int32
}

// of gives the numbers of rows in the order of column j; they are good until the next call.
func (o *ordering) of(rows []float64, m, j int) []int32 {
	o.keys = keyed(o.keys, rows, m, j)
	slices.SortFunc(o.keys, byKey)
	o.list = slices.Grow(o.list[:0], len(o.keys))[:len(o.keys)]
	for k, key := range o.keys {
		o.list[k] = key.i
	}
	return o.list
}
