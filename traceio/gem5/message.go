package gem5

import "strings"

// header is the first message: field 1 names the object that was watched, 3 is ticks a second, 4 are requestors, each a
// message of number (1) and name (2).
type header struct {
	object     string
	frequency  uint64
	requestors map[uint64]string
	foreign    bool // field 4 is a number: the header of an instruction or dependency trace
}

// maxRequestors bounds what a hostile file can make us keep.
const maxRequestors = 1 << 16

func (h *header) read(p []byte) bool {
	f := fields{p: p}
	for f.next() {
		switch {
		case f.number == 1 && f.bytes != nil:
			h.object = strings.ToValidUTF8(string(f.bytes), "?")
		case f.number == 3:
			h.frequency = f.value
		case f.number == 4 && f.bytes == nil:
			h.foreign = true
		case f.number == 4 && len(h.requestors) < maxRequestors:
			var id uint64
			var name string
			e := fields{p: f.bytes}
			for e.next() {
				if e.number == 1 {
					id = e.value
				} else if e.number == 2 {
					name = string(e.bytes)
				}
			}
			if h.requestors == nil {
				h.requestors = map[uint64]string{}
			}
			h.requestors[id] = name
		}
	}
	return !f.bad
}

// packet is every other message.
type packet struct {
	tick, addr, pc, id uint64
	cmd, size, flags   uint64
}

// required are the fields without which a packet is none, tick, cmd, addr and size, as bits.
const required = 1<<1 | 1<<2 | 1<<3 | 1<<4

// read decodes the seven fields. They are numbers with one-byte keys; whatever else stands between them is skipped.
func (m *packet) read(p []byte) bool {
	var v [8]uint64
	seen := uint8(0)
	for len(p) > 0 {
		key := p[0]
		if key&7 == 0 && key>>3-1 < 7 {
			x, n := uint64(0), 2
			if len(p) > 1 && p[1] < 0x80 {
				x = uint64(p[1])
			} else if x, n = varint(p[1:]); n == 0 {
				return false
			} else {
				n++
			}
			v[key>>3&7], p = x, p[n:]
			seen |= 1 << (key >> 3 & 7)
			continue
		}
		f := fields{p: p}
		if !f.next() {
			return false
		}
		p = f.p
	}
	*m = packet{tick: v[1], cmd: v[2], addr: v[3], size: v[4], flags: v[5], id: v[6], pc: v[7]}
	return seen&required == required
}

// fields walks the fields of a protocol buffer message: a key (number*8 + wire type), then a varint, 4 or 8 bytes, or a
// length and that many bytes.
type fields struct {
	p      []byte
	number uint64
	value  uint64
	bytes  []byte // not nil for a field of bytes
	bad    bool
}

func (f *fields) next() bool {
	if len(f.p) == 0 || f.bad {
		return false
	}
	key, n := varint(f.p)
	f.p = f.p[n:]
	f.number, f.bytes, f.value = key>>3, nil, 0
	f.bad = n == 0 || f.number == 0
	switch key & 7 {
	case 0:
		f.value, n = varint(f.p)
		f.bad = f.bad || n == 0
	case 1:
		f.fixed(8)
		return !f.bad
	case 5:
		f.fixed(4)
		return !f.bad
	case 2:
		var length uint64
		length, n = varint(f.p)
		if n == 0 || length > uint64(len(f.p)-n) {
			f.bad = true
			return false
		}
		f.bytes = f.p[n : n+int(length) : n+int(length)]
		n += int(length)
	default:
		f.bad = true // groups are not used
	}
	if f.bad {
		return false
	}
	f.p = f.p[n:]
	return true
}

// fixed takes a little-endian number of n bytes.
func (f *fields) fixed(n int) {
	if len(f.p) < n {
		f.bad = true
		return
	}
	for i := n - 1; i >= 0; i-- {
		f.value = f.value<<8 | uint64(f.p[i])
	}
	f.p = f.p[n:]
}

// varint reads seven bits a byte, lowest first, of a number below 2^64; n is 0 when p holds none.
func varint(p []byte) (x uint64, n int) {
	for i := 0; i < len(p) && i < 10; i++ {
		c := p[i]
		if i == 9 && c > 1 {
			return 0, 0
		}
		x |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return x, i + 1
		}
	}
	return 0, 0
}
