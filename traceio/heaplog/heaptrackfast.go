package heaplog

import "orrery/traceio"

// digits is the value of each byte as a hexadecimal digit, notDigit for all others.
var digits = func() (t [256]uint8) {
	for i := range t {
		t[i] = notDigit
	}
	for i, c := range "0123456789abcdef" {
		t[c] = uint8(i)
	}
	return t
}()

const notDigit = 0xff

// longestEvent bounds a line of an event: a sign, three numbers of 16 digits, blanks and the end.
const longestEvent = 64

// bulk takes in the lines of events at the front of what has been read, which are nearly all of a log, without cutting them
// into words first. It stops at whatever is not exactly as heaptrack writes it, and leaves that to line.
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
	room := perBlock - 1 - len(l.out)
	n := uint64(0)
	for ; room > 0 && used+longestEvent <= len(buf); room-- {
		line := buf[used : used+longestEvent : used+longestEvent]
		if line[1] != ' ' {
			break
		}
		a := traceio.Alloc{Ticks: l.ticks}
		at, trace := 2, uint64(0)
		if line[0] == '+' {
			if a.Size, at = hexUntil(line, at, ' '); at == 0 {
				break
			}
			if trace, at = hexUntil(line, at, ' '); at == 0 || trace >= uint64(len(h.nodes)) {
				break
			}
		} else if line[0] == '-' {
			a.Op = traceio.Free
		} else {
			break
		}
		addr, end := hexUntil(line, at, '\n')
		if end == 0 {
			break
		}
		if a.Op == traceio.Malloc {
			if a.Stack = h.nodes[trace].stack; a.Stack == 0 && trace > 0 {
				a.Stack = h.stack(trace)
			}
		}
		if a.Addr = traceio.Addr(addr); addr != 0 {
			l.out = append(l.out, a)
		}
		used += end
		n++
	}
	l.used += n
	l.lines.count += n
	return used
}

// hexUntil reads a number of one to sixteen digits that ends with a given byte, and gives the place behind that; 0 when
// there is none.
func hexUntil(line []byte, at int, end byte) (x uint64, next int) {
	i := at
	for ; i < len(line); i++ {
		d := digits[line[i]]
		if d == notDigit {
			break
		}
		x = x<<4 | uint64(d)
	}
	if n := i - at; n == 0 || n > 16 || i == len(line) || line[i] != end {
		return 0, 0
	}
	return x, i + 1
}
