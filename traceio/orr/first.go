package orr

import "orrery/traceio"

// The addresses of sites' first rows stand by site, so that these rows are predicted: code that hardly runs twice touches one place
// after the other, a few of them in turn, the stack, the heap and tables. Each address is told by how far it is from the one told
// before by the same of trails, the nearest.
//
//	two bits for each address: its trail, the first in the low bits
//	varints: how far it is, zig-zag

// trails is how many there are.
const trails = 4

// trailFar is how far an address is at least that begins a trail in place of the one that was not used for the longest time.
const trailFar = 1 << 20

// appendFirst appends the addresses of those sites whose rows store one.
func appendFirst(dst []byte, sites []site, first []uint64) []byte {
	head, n := len(dst), 0
	for i := range sites {
		n += int(alike(uint64(sites[i].code&3), selfFetch)&1 ^ 1)
	}
	dst = append(dst, make([]byte, (n+trails-1)/trails)...)
	var ends, used [trails]uint64
	n = 0
	for i, a := range first {
		if sites[i].code&3 == selfFetch {
			continue
		}
		best, oldest := 0, 0
		for k := range trails {
			if zigzag(a-ends[k]) < zigzag(a-ends[best]) {
				best = k
			}
			if used[k] < used[oldest] {
				oldest = k
			}
		}
		if zigzag(a-ends[best]) >= trailFar {
			best = oldest
		}
		dst[head+n/trails] |= byte(best) << (2 * (n % trails))
		dst = appendNumber(dst, zigzag(a-ends[best]))
		n++
		ends[best], used[best] = a, uint64(n)
	}
	return dst
}

// readFirst undoes appendFirst for the sites of the table.
func (s *siteTable) readFirst(col []byte) error {
	own, n := s.own[1:s.known], 0
	for _, one := range own {
		n += int(one)
	}
	head := (n + trails - 1) / trails
	if len(col) < head {
		return errRows
	}
	far, fine := readNumbers(s.columns[0], col[head:])
	s.columns[0] = far
	if !fine || len(far) != n {
		return errRows
	}
	var ends [trails]uint64
	for i, z := range far {
		end := &ends[col[i/trails]>>(2*(i%trails))&(trails-1)]
		*end += unzigzag(z)
		far[i] = *end
	}
	far = far[:cap(far)] // one more may be looked at
	at := 0
	s.first[0] = 0
	first := s.first[1:][:len(own)]
	for i, one := range own {
		first[i] = traceio.Addr(far[at] & -uint64(one))
		at += int(one)
	}
	return nil
}
