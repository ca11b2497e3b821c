package heaplog

import (
	"slices"

	"orrery/traceio"
)

// digits is the value of each byte as a hexadecimal digit, notDigit for all others.
var digits = func() (t [256]uint64) {
	for i := range t {
		t[i] = notDigit
	}
	for i, c := range "0123456789abcdef" {
		t[c] = uint64(i)
	}
	return t
}()

const notDigit = 1 << 40 // shifted by some digits it is still no number of six of them

// longestEvent bounds a line of an event: a sign, three numbers of 16 digits, blanks and the end.
const longestEvent = 64

// bulk takes in the lines of events at the front of what has been read, which are nearly all of a log, without cutting
// them into words first. It stops at whatever is not exactly as heaptrack writes it, and leaves that to line.
func (h *heaptrackLog) bulk() {
	l := &h.log
	for len(l.out) < perBlock-1 {
		buf, _ := l.lines.r.Peek(l.lines.r.Buffered())
		n := h.events(buf)
		if n == 0 {
			return
		}
		_, _ = l.lines.r.Discard(n)
		l.lines.bytes += int64(n)
	}
}

// events is bulk for one buffer; it tells how many of its bytes were taken in.
func (h *heaptrackLog) events(buf []byte) (used int) {
	l := &h.log
	l.out = slices.Grow(l.out, max(perBlock-len(l.out), 0))
	for len(l.out) < perBlock-1 && used+longestEvent <= len(buf) {
		if h.vectors {
			used += h.scan(buf[used:])
		}
		if len(l.out) >= perBlock-1 || used+longestEvent > len(buf) {
			break
		}
		n := h.one((*[longestEvent]byte)(buf[used:]))
		if n == 0 {
			break
		}
		used += n
	}
	return used
}

// one takes in the line of an event; it tells how many bytes that was, 0 where it is something else.
func (h *heaptrackLog) one(line *[longestEvent]byte) (used int) {
	l := &h.log
	if line[1] != ' ' {
		return 0
	}
	a, at, trace := traceio.Alloc{Ticks: l.ticks, Op: traceio.Free}, 2, uint64(0)
	if line[0] == '+' {
		a.Op = traceio.Malloc
		if a.Size, at = hexUntil(line, at, ' '); at == 0 {
			return 0
		}
		if trace, at = hexUntil(line, at, ' '); at == 0 || trace >= uint64(len(h.nodes)) {
			return 0
		}
	} else if line[0] != '-' {
		return 0
	}
	addr, end := address(line, at)
	if end == 0 {
		if addr, end = hexUntil(line, at, '\n'); end == 0 {
			return 0
		}
	}
	if a.Stack = h.nodes[trace].stack; a.Stack == 0 && trace > 0 {
		a.Stack = h.stack(trace)
	}
	if a.Addr = traceio.Addr(addr); addr != 0 {
		l.out = append(l.out, a)
	}
	l.used++
	l.lines.count++
	return end
}

// address is hexUntil for a number of twelve digits at the end of a line, which nearly all addresses are: without a
// loop, no digit waits for the one before. next is 0 when there is no such number.
func address(line *[longestEvent]byte, at int) (x uint64, next int) {
	d := (*[13]byte)(line[at:])
	if d[12] != '\n' {
		return 0, 0
	}
	a, b, c := uint32(pairs[uint16(d[0])|uint16(d[1])<<8]), uint32(pairs[uint16(d[2])|uint16(d[3])<<8]),
		uint32(pairs[uint16(d[4])|uint16(d[5])<<8])
	e, f, g := uint32(pairs[uint16(d[6])|uint16(d[7])<<8]), uint32(pairs[uint16(d[8])|uint16(d[9])<<8]),
		uint32(pairs[uint16(d[10])|uint16(d[11])<<8])
	if (a|b|c|e|f|g)>>8 != 0 {
		return 0, 0
	}
	return uint64(a<<16|b<<8|c)<<24 | uint64(e<<16|f<<8|g), at + 13
}

// hexUntil reads a number of one to sixteen digits that ends with a given byte, and gives the place behind that; 0 when
// there is none.
func hexUntil(line *[longestEvent]byte, at int, end byte) (x uint64, next int) {
	i := at
	for ; i < len(line); i++ {
		d := digits[line[i]]
		if d == notDigit {
			break
		}
		x = x<<4 | d
	}
	if n := i - at; n == 0 || n > 16 || i == len(line) || line[i] != end {
		return 0, 0
	}
	return x, i + 1
}

// pairs is the value of each two bytes, the first one lower, as two hexadecimal digits; over 255 for all others.
var pairs = func() (t [1 << 16]uint16) {
	for i := range t {
		t[i] = uint16(min(digits[i&0xff]<<4|digits[i>>8], 1<<15))
	}
	return t
}()
