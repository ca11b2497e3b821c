package symbols

import "encoding/binary"

// Attributes and forms that a unit gets in addition.
const (
	attrStrOffsetsBase = 0x72
	attrAddrBase       = 0x73
	attrRnglistsBase   = 0x74
	attrLoclistsBase   = 0x8c
	formStrp           = 0x0e
	formSecOffset      = 0x17
	formAddrx4         = 0x2c
	formImplicit       = 0x21
)

// extra is an attribute with its value.
type extra struct {
	attr  uint64
	value int64
}

// rewrite is what becomes of a table of abbreviations: the one with a code gets attributes in addition, and two with
// their forms in front.
type rewrite struct {
	code  uint64
	extra []extra
	two   [2][2]uint64
}

// table is the table at an offset, rewritten.
func (r rewrite) table(section []byte, at uint64) (out []byte, ok bool) {
	if at > uint64(len(section)) {
		return nil, false
	}
	l := &list{b: section[at:]}
	add := func(attr, form uint64) { out = binary.AppendUvarint(binary.AppendUvarint(out, attr), form) }
	found := false
	for !l.bad {
		c := l.uleb()
		if c == 0 {
			return append(out, 0), found && !l.bad
		}
		out = binary.AppendUvarint(out, c)
		out = binary.AppendUvarint(out, l.uleb()) // tag
		children := l.take(1)
		if l.bad {
			break
		}
		out = append(out, children...)
		if c == r.code {
			found = true
			add(r.two[0][0], r.two[0][1])
			add(r.two[1][0], r.two[1][1])
			for _, e := range r.extra {
				add(e.attr, formImplicit)
				out = appendSleb(out, e.value)
			}
		}
		for !l.bad {
			attr, form := l.uleb(), l.uleb()
			add(attr, form)
			if form == formImplicit {
				for more := true; more && !l.bad; {
					b := l.take(1)
					out = append(out, b...)
					more = !l.bad && b[0]&0x80 != 0
				}
			}
			if attr == 0 && form == 0 {
				break
			}
		}
	}
	return nil, false
}

// appendSleb appends a signed LEB128 number.
func appendSleb(dst []byte, v int64) []byte {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(dst, b)
		}
		dst = append(dst, b|0x80)
	}
}
