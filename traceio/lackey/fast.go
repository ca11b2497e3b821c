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

// fastLine is how many bytes fast may look at: prefix 3, address up to 15 digits, comma, size up to two digits, line end
// up to 2.
const fastLine = 32

// fast parses lines exactly as lackey prints them, addresses of up to 15 digits and sizes of up to two, until the block
// is full, the buffer runs out or a line is anything else. Everything it leaves alone is slow's. It reads eight
// hexadecimal digits at a time.
func (r *Reader) fast(c *columns) {
	var (
		buf         = r.buf[:r.end]
		p           = r.start
		n, fetches  = c.n, c.fetches
		pc, thread  = r.pc, r.thread
		addrs, pcs  = c.addr[:traceio.MaxBlock], c.pc[:traceio.MaxBlock]
		sizes       = c.size[:traceio.MaxBlock]
		kinds, thrs = c.kind[:traceio.MaxBlock], c.thread[:traceio.MaxBlock]
		lines       uint64
	)
	for uint(n) < traceio.MaxBlock-1 && len(buf)-p >= fastLine {
		t := (*[fastLine]byte)(buf[p:])
		prefix := binary.LittleEndian.Uint32(t[:]) & 0xffffff
		a, digits := hex8(binary.LittleEndian.Uint64(t[3:]))
		q := 3 + digits
		if digits == 8 {
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
		if digits == 0 || q > 3+15 || t[q&31] != ',' {
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

// hex8 reads up to eight hexadecimal digits, the first in the lowest byte of x, and tells how many there were. All
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
