package layout

// spanTight finds a spanning tree of ties without slack: the smallest bunch of vertices found so far that such ties join is moved
// towards its nearest neighbour until only one is left, so that each vertex is looked at some log n times.
func (s *simplex) spanTight() {
	s.tree, s.degree = s.ints.take(len(s.at)), s.ints.take(s.n)
	b := s.tight()
	for n := len(b.heap); n > 1; n-- {
		i := b.heap[0]
		near, least := int32(-1), int32(0)
		for u := b.first[i]; u >= 0; u = b.next[u] {
			for _, e := range s.at[s.start[u]:s.start[u+1]] {
				t := &s.tie[e]
				if b.of[t.lo] != b.of[t.hi] {
					if slack := s.slack(e); near < 0 || slack < least {
						near, least = e, slack
					}
				}
			}
		}
		into := b.of[s.tie[near].lo]
		if into == i {
			into = b.of[s.tie[near].hi]
		} else {
			least = -least
		}
		for u := b.first[i]; u >= 0; u = b.next[u] {
			s.rank[u] += least
			b.of[u] = into
		}
		s.join(near)
		b.next[b.last[into]], b.last[into] = b.first[i], b.last[i]
		b.size[into] += b.size[i]
		b.take()
		b.down(b.at[into])
	}
}

// bunches are trees of tight ties while the spanning tree is put together, in a heap with the smallest first.
type bunches struct {
	of, next          []int32 // vertex -> its bunch; the next vertex of that, or -1
	first, last, size []int32
	heap, at          []int32 // places -> bunches, and back
}

// take removes the first of the heap.
func (b *bunches) take() {
	n := len(b.heap) - 1
	b.heap[0] = b.heap[n]
	b.at[b.heap[0]] = 0
	b.heap = b.heap[:n]
	b.down(0)
}

// down takes what is too large for its place in the heap to where it belongs.
func (b *bunches) down(k int32) {
	i, n := b.heap[k], int32(len(b.heap))
	for {
		c := 2*k + 1
		if c >= n {
			break
		}
		if c+1 < n && b.size[b.heap[c+1]] < b.size[b.heap[c]] {
			c++
		}
		if b.size[b.heap[c]] >= b.size[i] {
			break
		}
		b.heap[k] = b.heap[c]
		b.at[b.heap[k]] = k
		k = c
	}
	b.heap[k], b.at[i] = i, k
}

// tight finds the bunches of vertices that ties without slack join.
func (s *simplex) tight() *bunches {
	n := s.n
	b := &bunches{
		of: s.ints.take(n), next: s.ints.raw(n), first: s.ints.spare(n), last: s.ints.spare(n), size: s.ints.spare(n),
	}
	for v := range b.of {
		b.of[v] = -1
	}
	for v := range int32(n) {
		if b.of[v] >= 0 {
			continue
		}
		i, last, size := int32(len(b.first)), v, int32(1)
		b.of[v], b.next[v] = i, -1
		for u := v; u >= 0; u = b.next[u] {
			for _, e := range s.at[s.start[u]:s.start[u+1]] {
				t := &s.tie[e]
				w := t.lo + t.hi - u
				if b.of[w] < 0 && s.slack(e) == 0 {
					b.of[w], b.next[w] = i, -1
					b.next[last], last = w, w
					size++
					s.join(e)
				}
			}
		}
		b.first, b.last, b.size = append(b.first, v), append(b.last, last), append(b.size, size)
	}
	b.heap, b.at = s.ints.raw(len(b.first)), s.ints.raw(len(b.first))
	for i := range b.heap {
		b.heap[i], b.at[i] = int32(i), int32(i)
	}
	for k := len(b.heap)/2 - 1; k >= 0; k-- {
		b.down(int32(k))
	}
	return b
}
