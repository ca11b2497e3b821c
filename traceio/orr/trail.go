package orr

import (
	"encoding/binary"

	"orrery/traceio"
)

// The addresses of a block's instructions, and those of their first rows, stand by site, so that first rows are
// predicted: code that hardly runs twice touches one place after the other, a few of them in turn, the stack, the heap
// and tables, and calls what is in other files. Each address is told by how far it is from the one told before by the
// same of trails, the nearest.
//
//	four bits for each address, the first in the low ones: its trail, and above that of how many bytes the distance is
//	the distances, zig-zag, little endian

// trails is how many there are.
const trails = 4

// trailFar is how far an address is at least that begins a trail in place of the one that was not used for the longest
// time.
const trailFar = 1 << 20

// trailWidths are the numbers of bytes that a distance has.
var trailWidths = [4]uint8{1, 2, 3, 8}

// appendTrails appends addresses.
func appendTrails(dst []byte, addrs []uint64) []byte {
	head := len(dst)
	dst = append(dst, make([]byte, (len(addrs)+1)/2)...)
	var ends [trails]uint64
	var used [trails]int
	for i, a := range addrs {
		trail, oldest := 0, 0
		z := zigzag(a - ends[0])
		for k := 1; k < trails; k++ {
			if far := zigzag(a - ends[k]); far < z {
				trail, z = k, far
			}
			if used[k] < used[oldest] {
				oldest = k
			}
		}
		if z >= trailFar {
			trail, z = oldest, zigzag(a-ends[oldest])
		}
		ends[trail], used[trail] = a, i+1
		width := 0
		for byteLen(z) > int(trailWidths[width]) {
			width++
		}
		dst[head+i/2] |= byte(trail|width<<2) << (i % 2 * 4)
		at := len(dst) + int(trailWidths[width])
		dst = binary.LittleEndian.AppendUint64(dst, z)[:at]
	}
	return dst
}

// readTrails undoes appendTrails, and tells whether col has as many addresses as dst. It copies col to keep.
func readTrails(dst []traceio.Addr, col []byte, keep *[]byte) bool {
	head := (len(dst) + 1) / 2
	if len(col) < head {
		return false
	}
	*keep = append(append((*keep)[:0], col...), make([]byte, 8)...) // more is looked at
	how, distances := (*keep)[:head], (*keep)[head:]
	var ends [trails]uint64
	at, end := 0, len(distances)-8
	for i := range dst {
		if at > end {
			return false
		}
		c := how[i/2] >> (i % 2 * 4)
		z := binary.LittleEndian.Uint64(distances[at:])
		width := trailWidths[c/trails%4]
		at += int(width)
		last := &ends[c%trails]
		*last += unzigzag(z & (1<<(8*width) - 1))
		dst[i] = traceio.Addr(*last)
	}
	return at == end
}

// readFirst reads the first addresses of those sites whose rows store one.
func (s *siteTable) readFirst(col []byte) error {
	own, n := s.own[1:s.known], 0
	for _, one := range own {
		n += int(one)
	}
	first := s.first[:s.known]
	if !readTrails(first[1:][:n], col, &s.told) {
		return errRows
	}
	first[0] = 0
	if n < len(own) { // they go to their places
		for i := len(own); i > 0; i-- {
			first[i] = first[n] & -traceio.Addr(own[i-1])
			n -= int(own[i-1])
		}
	}
	return nil
}
