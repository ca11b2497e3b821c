package symbols

import "encoding/binary"

// Entries of a location list, DWARF 5 section 7.7.3. 9 is GNU's view pair, which says nothing about places.
const (
	lleEnd          = 0
	lleBaseAddressx = 1
	lleStartxEndx   = 2
	lleStartxLength = 3
	lleOffsetPair   = 4
	lleDefault      = 5
	lleBaseAddress  = 6
	lleStartEnd     = 7
	lleStartLength  = 8
	lleViewPair     = 9
)

// maxList bounds the entries of one list in damaged files.
const maxList = 1 << 16

// each calls f with the code ranges and expressions of the location list at an offset of .debug_loclists, or of
// .debug_loc before DWARF 5. Damage ends the list. A default location, which has no range, is left out: the ranges
// before it are not.
func (w *framer) each(at int64, f func(low, high uint64, expr []byte)) {
	switch {
	case at < 0:
	case at < int64(len(w.o.loclists)) && w.version5():
		w.eachNew(w.o.loclists[at:], f)
	case at < int64(len(w.o.loc)) && !w.version5():
		w.eachOld(w.o.loc[at:], f)
	}
}

// version5 tells by which of the sections exists; a program linked of units of both versions has both, and then lists
// are left out rather than misread.
func (w *framer) version5() bool { return len(w.o.loclists) > 0 && len(w.o.loc) == 0 }

// list is the rest of a location list.
type list struct {
	b   []byte
	bad bool
}

func (l *list) uleb() uint64 {
	v, n := binary.Uvarint(l.b)
	if n <= 0 {
		l.bad = true
		return 0
	}
	l.b = l.b[n:]
	return v
}

func (l *list) word() uint64 {
	if len(l.b) < 8 {
		l.bad = true
		return 0
	}
	v := binary.LittleEndian.Uint64(l.b)
	l.b = l.b[8:]
	return v
}

func (l *list) take(n uint64) []byte {
	if n > uint64(len(l.b)) {
		l.bad = true
		return nil
	}
	head := l.b[:n]
	l.b = l.b[n:]
	return head
}

func (w *framer) eachNew(b []byte, f func(low, high uint64, expr []byte)) {
	l := &list{b: b}
	base := w.low
	for range maxList {
		kind := l.take(1)
		if l.bad || kind[0] == lleEnd {
			return
		}
		var low, high uint64
		switch kind[0] {
		case lleBaseAddressx:
			base = w.indexed(l)
			continue
		case lleBaseAddress:
			base = l.word()
			continue
		case lleViewPair:
			l.uleb()
			l.uleb()
			continue
		case lleStartxEndx:
			low, high = w.indexed(l), w.indexed(l)
		case lleStartxLength:
			low = w.indexed(l)
			high = low + l.uleb()
		case lleOffsetPair:
			low, high = base+l.uleb(), base+l.uleb()
		case lleDefault:
		case lleStartEnd:
			low, high = l.word(), l.word()
		case lleStartLength:
			low = l.word()
			high = low + l.uleb()
		default:
			return
		}
		expr := l.take(l.uleb())
		if l.bad {
			return
		}
		if kind[0] != lleDefault {
			f(low, high, expr)
		}
	}
}

// indexed reads an index into .debug_addr and gives the address.
func (w *framer) indexed(l *list) uint64 {
	index := l.uleb()
	at := uint64(w.base) + index*8
	if w.base < 0 || index > 1<<32 || at > uint64(len(w.o.addrs)) || uint64(len(w.o.addrs))-at < 8 {
		l.bad = true
		return 0
	}
	return binary.LittleEndian.Uint64(w.o.addrs[at:])
}

func (w *framer) eachOld(b []byte, f func(low, high uint64, expr []byte)) {
	l := &list{b: b}
	base := w.low
	for range maxList {
		low, high := l.word(), l.word()
		if l.bad || low == 0 && high == 0 {
			return
		}
		if low == ^uint64(0) {
			base = high
			continue
		}
		size := l.take(2)
		if l.bad {
			return
		}
		expr := l.take(uint64(binary.LittleEndian.Uint16(size)))
		if l.bad {
			return
		}
		f(base+low, base+high, expr)
	}
}
