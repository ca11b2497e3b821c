package lackey

import (
	"encoding/binary"

	"orrery/traceio"
)

// The three bytes that begin each kind of line, as a little-endian number.
const (
	prefixFetch  = 'I' | ' '<<8 | ' '<<16
	prefixLoad   = ' ' | 'L'<<8 | ' '<<16
	prefixStore  = ' ' | 'S'<<8 | ' '<<16
	prefixModify = ' ' | 'M'<<8 | ' '<<16
)

// fastLine is how many bytes fast may look at: prefix 3, address up to 15 digits, comma, size up to two digits, line
// end up to 2.
const fastLine = 32

// fast parses lines exactly as lackey prints them, addresses of up to 15 digits and sizes of up to two, until the block
// is full, the buffer runs out or a line is anything else. Everything it leaves alone is slow's. It reads eight
// hexadecimal digits at a time: lackey prints at least so many.
func (r *Reader) fast(c *columns) {
	var (
		buf         = r.buf[:r.end]
		p           = r.start
		n, fetches  = c.n, c.fetches
		pc, thread  = r.pc, r.thread
		addrs, pcs  = (*[traceio.MaxBlock]traceio.Addr)(c.addr), (*[traceio.MaxBlock]traceio.Addr)(c.pc)
		sizes       = (*[traceio.MaxBlock]uint16)(c.size)
		kinds, thrs = (*[traceio.MaxBlock]traceio.Kind)(c.kind), (*[traceio.MaxBlock]traceio.Thread)(c.thread)
		lines       uint64
	)
	for uint(n) < traceio.MaxBlock-1 && len(buf)-p >= fastLine {
		t := (*[fastLine]byte)(buf[p:])
		prefix := binary.LittleEndian.Uint32(t[:]) & 0xffffff
		x := binary.LittleEndian.Uint64(t[3:])
		a, ok := lower8(x)
		q := 3 + 8
		if !ok {
			var digits int
			if a, digits = hex8(x); digits == 0 {
				break
			}
			q = 3 + digits
		}
		if q == 3+8 && t[3+8] != ',' {
			for {
				d := hexValue[t[q&31]]
				if d > 15 {
					break
				}
				if q++; q > 3+15 {
					break
				}
				a = a<<4 | uint64(d)
			}
		}
		if q > 3+15 || t[q&31] != ',' {
			break
		}
		size := uint16(t[(q+1)&31]) - '0'
		if size > 9 {
			break
		}
		end := q + 2
		if t[end&31] != '\n' {
			if units := uint16(t[end&31]) - '0'; units <= 9 {
				size = size*10 + units
				end++
			}
			if t[end&31] == '\r' {
				end++
			}
			if t[end&31] != '\n' {
				break
			}
		}
		if size == 0 {
			break
		}
		addr := traceio.Addr(a)
		switch prefix {
		case prefixFetch:
			pc = addr
			kinds[n] = traceio.Fetch
			fetches++
		case prefixLoad:
			kinds[n] = traceio.Load
		case prefixStore:
			kinds[n] = traceio.Store
		case prefixModify:
			addrs[n], pcs[n], sizes[n], kinds[n], thrs[n] = addr, pc, size, traceio.Load, thread
			n++
			kinds[n] = traceio.Store
		default:
			goto out
		}
		addrs[n], pcs[n], sizes[n], thrs[n] = addr, pc, size, thread
		n++
		p += end + 1
		lines++
	}
out:
	r.start, r.pc = p, pc
	r.lines += lines
	c.n, c.fetches = n, fetches
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// lower8 reads eight hexadecimal digits, letters in lower case, the first in the lowest byte of x, and tells whether
// that is what they are. It does for nearly all lines what hex8 does for all, and is small enough to stand in the loop.
func lower8(x uint64) (value uint64, ok bool) {
	letters := x >> 6 & ones // bit 6 distinguishes letters from digits
	v := x&(0x0f*ones) + 9*letters
	// The upper halves must be 3 or 6; the values below 16, and above 9 where there are letters and only there.
	bad := x&(0xf0*ones) ^ (0x30*ones + 0x30*letters)
	bad |= (v+(0x80-10)*ones)>>7&ones ^ letters
	bad |= v & (0x10 * ones)
	// Pairs, then quadruples, then all eight: the more significant one stands lower, and is moved up to the other.
	v = v * (1 + 1<<12) >> 8 & 0x00ff00ff00ff00ff
	v = v * (1 + 1<<24) >> 16 & 0x0000ffff0000ffff
	return v * (1 + 1<<48) >> 32, bad == 0
}

// hex8 reads up to eight hexadecimal digits, the first in the lowest byte of x, and gives how many there were. All
// bytes are tested at once: adding 0x80-limit to a byte below 0x80 sets its high bit exactly when it is >= limit.
func hex8(x uint64) (value uint64, digits int) {
	lower := x | 0x20*ones
	ascii := ^x & highs
	x7 := x &^ highs
	l7 := lower &^ highs
	digit := (x7 + (0x80-'0')*ones) &^ (x7 + (0x80-'9'-1)*ones)
	letter := (l7 + (0x80-'a')*ones) &^ (l7 + (0x80-'f'-1)*ones)
	good := (digit | letter) & ascii
	digits = 8
	if good != highs {
		digits = trailingBytes(^good & highs)
		if digits == 0 {
			return 0, 0
		}
	}
	// Each byte to its value: letters have bit 6 set and lack 9.
	v := (x & (0x0f * ones)) + 9*((x>>6)&ones)
	// Digits that are missing at the end move the present ones up, as if zeros stood in front.
	v <<= uint(8*(8-digits)) & 63
	// Pairs, then quadruples, then all eight, most significant first.
	v = (v<<4 | v>>8) & 0x00ff00ff00ff00ff
	v = (v<<8 | v>>16) & 0x0000ffff0000ffff
	v = (v<<16 | v>>32) & 0xffffffff
	return v, digits
}

// hexValue is the value of a hexadecimal digit, 255 for any other byte.
var hexValue = func() (t [256]uint8) {
	for i := range t {
		switch c := byte(i); {
		case c >= '0' && c <= '9':
			t[i] = c - '0'
		case c >= 'a' && c <= 'f':
			t[i] = c - 'a' + 10
		case c >= 'A' && c <= 'F':
			t[i] = c - 'A' + 10
		default:
			t[i] = 255
		}
	}
	return t
}()
