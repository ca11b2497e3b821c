package symbols

import (
	"debug/dwarf"
	"encoding/binary"
)

// GNU's extension of DWARF 4 for the same ("DebugFission" in gcc's wiki): the skeleton is a unit like any other but for
// attributes of its own, indices of strings and addresses have forms of their own, a unit has its identification among
// its attributes, and what it tells of ranges counts from the skeleton's ranges base. Such a unit is made one of DWARF
// 5. That has a byte more in its header, which is taken from the 8 bytes of the identification; in the other 7 stand
// the directory, as the number of a string, and where the code is. So references stay right here, too. Lists of ranges
// and locations are written again in the new way, and the unit's words that tell where they are.
const (
	unitOld = 0xff // DWARF 4, in place of a kind

	oldHead = 11

	attrGNUName       = 0x2130
	attrGNUID         = 0x2131
	attrGNURangesBase = 0x2132
	attrGNUAddrBase   = 0x2133

	formGNUAddr = 0x1f01
	formGNUStr  = 0x1f02
	formAddrx   = 0x1b
	formStrx    = 0x1a
	formStrx3   = 0x27
)

// shape is the attributes and forms of an abbreviation.
type shape [][2]uint64

// shapes reads the table of abbreviations at an offset, and takes its bytes off room; there are none when that is used
// up, by damaged files where tables have everything behind them for theirs.
func shapes(section []byte, at uint64, room *int) map[uint64]shape {
	out := map[uint64]shape{}
	if at > uint64(len(section)) {
		return out
	}
	l := &list{b: section[at:]}
	defer func() { *room -= len(section) - int(at) - len(l.b) }()
	for !l.bad && *room > 0 {
		code := l.uleb()
		if code == 0 {
			break
		}
		l.uleb() // tag
		l.take(1)
		s := shape{}
		for !l.bad {
			attr, form := l.uleb(), l.uleb()
			if attr == 0 && form == 0 {
				out[code] = s
				break
			}
			s = append(s, [2]uint64{attr, form})
		}
	}
	return out
}

// eachAttribute calls f with the attributes of the entries of a unit of DWARF 4, and where in the unit their values
// stand, until f wants no more; false where the unit is damaged.
func eachAttribute(unit []byte, shapes map[uint64]shape, f func(attr, form uint64, at int) bool) bool {
	l := &list{b: unit[oldHead:]}
	for len(l.b) > 0 && !l.bad {
		code := l.uleb()
		if code == 0 {
			continue
		}
		s, ok := shapes[code]
		if !ok {
			return false
		}
		for _, a := range s {
			if !f(a[0], a[1], len(unit)-len(l.b)) {
				return true
			}
			if !l.skip(a[1]) {
				return false
			}
		}
	}
	return !l.bad
}

// skip goes over a value of a form of DWARF 4.
func (l *list) skip(form uint64) bool {
	switch form {
	case 0x19: // flag_present
	case 0x0b, 0x0c, 0x11: // data1, flag, ref1
		l.take(1)
	case 0x05, 0x12: // data2, ref2
		l.take(2)
	case 0x06, formStrp, 0x10, 0x13, formSecOffset, 0x1f20, 0x1f21: // data4, ref_addr, ref4, references to a shared file
		l.take(4)
	case 0x01, 0x07, 0x14, 0x20: // addr, data8, ref8, ref_sig8
		l.take(8)
	case 0x0d, 0x0f, 0x15, formGNUAddr, formGNUStr: // sdata, udata, ref_udata
		l.uleb()
	case 0x08: // string
		for c := l.take(1); !l.bad && c[0] != 0; c = l.take(1) {
		}
	case 0x09, 0x18: // block, exprloc
		l.take(l.uleb())
	case 0x0a: // block1
		if n := l.take(1); !l.bad {
			l.take(uint64(n[0]))
		}
	case 0x03: // block2
		if n := l.take(2); !l.bad {
			l.take(uint64(le.Uint16(n)))
		}
	case 0x04: // block4
		if n := l.take(4); !l.bad {
			l.take(uint64(le.Uint32(n)))
		}
	default:
		return false
	}
	return !l.bad
}

// oldID is where the identification of a unit of DWARF 4 stands in it.
func oldID(unit []byte, shapes map[uint64]shape) (at int, ok bool) {
	l := &list{b: unit[oldHead:]}
	first := len(shapes[l.uleb()])
	eachAttribute(unit, shapes, func(attr, form uint64, here int) bool {
		if attr == attrGNUID && form == 0x07 && here+8 <= len(unit) {
			at, ok = here, true
		}
		first--
		return first > 0 && !ok
	})
	return at, ok
}

// renewal makes a unit of DWARF 4 one of DWARF 5.
type renewal struct {
	j          *joiner
	h          half
	ranges     []byte // .debug_ranges of the program
	rangesBase uint64
	low        uint64 // where the unit begins, for ranges that count from there
	moved      map[[2]uint64]uint32
	room       int // bytes that lists may take yet
}

// appendOld appends a split unit of DWARF 4 as a whole one of DWARF 5, and the sections that it refers to.
func (j *joiner) appendOld(h half, skeleton *dwarf.Entry, comp string) bool {
	table := shapes(h.section[".debug_abbrev"], uint64(le.Uint32(h.unit[6:])), &j.room)
	id, ok := oldID(h.unit, table)
	code, n := binary.Uvarint(h.unit[oldHead:])
	if !ok || n <= 0 || len(h.section[".debug_str_offsets"]) >= 1<<26 {
		return false
	}
	base, _ := skeleton.Val(dwarf.Attr(attrGNURangesBase)).(int64)
	addrBase, _ := skeleton.Val(dwarf.Attr(attrGNUAddrBase)).(int64)
	low, _ := skeleton.Val(dwarf.AttrLowpc).(uint64)
	r := &renewal{j: j, h: h, ranges: j.oldRanges, rangesBase: uint64(base), low: low, moved: map[[2]uint64]uint32{}}
	r.room = 1<<16 + 4*(len(r.ranges)+len(h.section[".debug_loc"]))
	more := []extra{{attrStrOffsetsBase, int64(len(j.offsets))}, {attrAddrBase, addrBase}}
	for _, attr := range []dwarf.Attr{dwarf.AttrStmtList, dwarf.AttrHighpc} {
		if v, ok := skeleton.Val(attr).(int64); ok {
			more = append(more, extra{uint64(attr), v})
		}
	}
	place, word, ok := r.where(skeleton, addrBase)
	if !ok {
		return false
	}
	abbrev, ok := rewrite{code, more, [2][2]uint64{{uint64(dwarf.AttrCompDir), formStrx3}, place}, attrGNUID}.table(
		h.section[".debug_abbrev"], uint64(le.Uint32(h.unit[6:])))
	unit, fine := r.unit(table)
	if !ok || !fine {
		return false
	}
	head := append(le.AppendUint16(le.AppendUint32(nil, le.Uint32(unit)), 5), unitWhole, 8)
	head = le.AppendUint32(head, uint32(len(j.abbrev)))
	head = append(head, unit[oldHead:id]...)
	number := len(h.section[".debug_str_offsets"]) / 4
	head = le.AppendUint32(append(head, byte(number), byte(number>>8), byte(number>>16)), word)
	j.info = append(append(j.info, head...), unit[id+8:]...)
	j.abbrev = append(j.abbrev, abbrev...)
	j.appendStrings(h, 0)
	j.offsets = le.AppendUint32(j.offsets[:int(more[0].value)+4*number], uint32(len(j.strs)))
	j.strs = append(append(j.strs, comp...), 0)
	return true
}

// where is the attribute, its form and its word that tell where the unit's code is.
func (r *renewal) where(skeleton *dwarf.Entry, addrBase int64) (place [2]uint64, word uint32, ok bool) {
	if at, ranges := skeleton.Val(dwarf.AttrRanges).(int64); ranges {
		word, ok = r.rangeList(uint64(at))
		return [2]uint64{uint64(dwarf.AttrRanges), formSecOffset}, word, ok && r.low == 0
	}
	word, ok = r.j.address(r.low, addrBase)
	return [2]uint64{uint64(dwarf.AttrLowpc), formAddrx4}, word, ok
}

// unit is a copy of the unit that tells where its lists are now.
func (r *renewal) unit(table map[uint64]shape) ([]byte, bool) {
	const attrLocation, attrFrameBase = uint64(dwarf.AttrLocation), uint64(dwarf.AttrFrameBase)
	u := append([]byte(nil), r.h.unit...)
	good := true
	whole := eachAttribute(r.h.unit, table, func(attr, form uint64, at int) bool {
		if form != formSecOffset || at+4 > len(u) {
			return true
		}
		old, place := uint64(le.Uint32(u[at:])), uint32(0)
		switch attr {
		case uint64(dwarf.AttrRanges):
			place, good = r.rangeList(old + r.rangesBase)
		case attrLocation, attrFrameBase:
			place, good = r.locationList(old)
		default:
			return true
		}
		le.PutUint32(u[at:], place)
		return good
	})
	return u, whole && good
}

// rangeList writes the list at an offset of .debug_ranges again as one of .debug_rnglists, and gives where.
func (r *renewal) rangeList(at uint64) (uint32, bool) {
	const rleEnd, rleStartEnd = 0, 6
	if place, ok := r.moved[[2]uint64{0, at}]; ok || at > uint64(len(r.ranges)) {
		return place, ok
	}
	out, begin := &r.j.ranges, uint32(len(r.j.ranges))
	l, base := &list{b: r.ranges[at:]}, r.low
	for r.room > 0 {
		low, high := l.word(), l.word()
		if l.bad || low == 0 && high == 0 {
			break
		}
		if low == ^uint64(0) {
			base = high
			continue
		}
		r.room -= 17
		*out = le.AppendUint64(le.AppendUint64(append(*out, rleStartEnd), base+low), base+high)
	}
	*out = append(*out, rleEnd)
	r.moved[[2]uint64{0, at}] = begin
	return begin, r.room > 0
}

// locationList writes the list at an offset of .debug_loc.dwo again as one of .debug_loclists, and gives where. The
// kinds of its entries are those of DWARF 5; lengths are not.
func (r *renewal) locationList(at uint64) (uint32, bool) {
	from := r.h.section[".debug_loc"]
	if place, ok := r.moved[[2]uint64{1, at}]; ok || at > uint64(len(from)) {
		return place, ok
	}
	out, begin := &r.j.lists, uint32(len(r.j.lists))
	for l := (&list{b: from[at:]}); r.room > 0; {
		kind := l.take(1)
		if l.bad || kind[0] == lleEnd || kind[0] > lleStartxLength {
			break
		}
		entry := binary.AppendUvarint(kind[:1:1], l.uleb())
		switch kind[0] {
		case lleStartxEndx:
			entry = binary.AppendUvarint(entry, l.uleb())
		case lleStartxLength:
			if n := l.take(4); !l.bad {
				entry = binary.AppendUvarint(entry, uint64(le.Uint32(n)))
			}
		}
		if kind[0] != lleBaseAddressx {
			if n := l.take(2); !l.bad {
				expr := l.take(uint64(le.Uint16(n)))
				entry = append(binary.AppendUvarint(entry, uint64(len(expr))), expr...)
			}
		}
		if l.bad {
			break
		}
		r.room -= len(entry)
		*out = append(*out, entry...)
	}
	*out = append(*out, lleEnd)
	r.moved[[2]uint64{1, at}] = begin
	return begin, r.room > 0
}
