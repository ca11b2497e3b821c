package topology

import "sort"

// Share is the part that one key has in the members of a parameterization.
type Share[K comparable] struct {
	Key   K
	Count int
	Share float64 // Count / all members, 0..1
	First int     // time index of its first member
}

// Shares counts the members of p by key, for example by the source line of the record at each time index: largest share
// first, then in order of first appearance.
func Shares[K comparable](p *Parameterization, key func(time int) K) []Share[K] {
	index := map[K]int{}
	var out []Share[K]
	for t, in := range p.Members {
		if !in {
			continue
		}
		k := key(t)
		i, ok := index[k]
		if !ok {
			i = len(out)
			index[k] = i
			out = append(out, Share[K]{Key: k, First: t})
		}
		out[i].Count++
	}
	for i := range out {
		out[i].Share = float64(out[i].Count) / float64(p.Count)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Count > out[j].Count })
	return out
}
