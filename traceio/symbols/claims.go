package symbols

import (
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"orrery/traceio/named"
)

// debug/dwarf makes room for as much as debug information claims to have, and reads a table of abbreviations and a text
// again for everybody who names it. What is checked here keeps that in proportion to the file.

// maxString bounds a text of debug information.
const maxString = 1 << 20

// checkDWARF refuses debug information that would take more than its sections are worth.
func checkDWARF(f *elf.File, info, abbrev, strs []byte, types [][]byte) error {
	if f.Type == elf.ET_REL { // debug/elf reads all of its sections
		for _, s := range f.Sections {
			if strings.HasPrefix(s.Name, ".debug_") || strings.HasPrefix(s.Name, ".zdebug_") {
				if _, err := contents(s); err != nil {
					return err
				}
			}
		}
	}
	if n := named.Longest(strs); n > maxString {
		return fmt.Errorf("section .debug_str has a text of %d bytes", n)
	}
	room, seen := 1<<20+2*len(abbrev), map[uint64]bool{}
	for _, section := range append([][]byte{info}, types...) {
		for at := range tablesOf(section, f.ByteOrder) {
			if seen[at] || at > uint64(len(abbrev)) {
				continue
			}
			seen[at] = true
			if room -= abbrevLength(abbrev[at:], room); room <= 0 {
				return errors.New("the tables of section .debug_abbrev overlap")
			}
		}
	}
	return nil
}

// tablesOf yields for each unit where its abbreviations begin.
func tablesOf(info []byte, order binary.ByteOrder) func(yield func(at uint64) bool) {
	return func(yield func(at uint64) bool) {
		for len(info) > 4 {
			size, head, wide := uint64(order.Uint32(info)), 4, false
			if size == 1<<32-1 && len(info) > 12 {
				size, head, wide = order.Uint64(info[4:]), 12, true
			}
			unit := info[head:]
			if size > uint64(len(unit)) {
				return
			}
			info = unit[size:]
			if unit = unit[:size]; len(unit) < 4 {
				continue
			}
			from := unit[2:]
			if order.Uint16(unit) >= 5 {
				from = unit[4:] // behind the kind of the unit and the size of an address
			}
			switch {
			case wide && len(from) >= 8:
				if !yield(order.Uint64(from)) {
					return
				}
			case !wide && len(from) >= 4:
				if !yield(uint64(order.Uint32(from))) {
					return
				}
			}
		}
	}
}

// abbrevLength is the length of a table of abbreviations, or more than most.
func abbrevLength(table []byte, most int) int {
	l := &list{b: table}
	for !l.bad && len(table)-len(l.b) <= most {
		if l.uleb() == 0 {
			break
		}
		l.uleb()
		l.take(1)
		for !l.bad && len(table)-len(l.b) <= most {
			attr, form := l.uleb(), l.uleb()
			if form == formImplicit {
				for more := true; more && !l.bad; {
					b := l.take(1)
					more = !l.bad && b[0]&0x80 != 0
				}
			}
			if attr == 0 && form == 0 {
				break
			}
		}
	}
	return len(table) - len(l.b) + 1
}

// lineReader is debug/dwarf's, for a unit whose line table claims no more directories and files than there is room for.
func (o *object) lineReader(unit *dwarf.Entry) (*dwarf.LineReader, error) {
	if at, ok := unit.Val(dwarf.AttrStmtList).(int64); ok && at >= 0 && at < int64(len(o.line)) {
		if err := checkLines(o.line[at:], o.file.ByteOrder); err != nil {
			return nil, err
		}
	}
	return o.debug.LineReader(unit)
}

// errLines is the error of a table of lines that claims too much.
var errLines = errors.New("a table of lines claims or has more than there is room for")

// checkLines looks at the header of a table of lines, DWARF 5 section 6.2.4. Those of older versions claim nothing:
// their lists end by themselves.
func checkLines(b []byte, order binary.ByteOrder) error {
	l := &list{b: b}
	wide, width := false, 4
	if len(b) > 12 && order.Uint32(b) == 1<<32-1 {
		wide, width = true, 8
		l.take(12)
	} else {
		l.take(4)
	}
	version := l.take(2)
	if l.bad || order.Uint16(version) != 5 {
		return nil
	}
	l.take(uint64(2 + width + 5)) // sizes of addresses and segments, length of the header, five numbers
	opcodes := l.take(1)
	if l.bad || opcodes[0] == 0 {
		return nil
	}
	l.take(uint64(opcodes[0] - 1))
	for range 2 { // directories, then files
		formats := l.take(1)
		if l.bad {
			return nil
		}
		var forms []uint64
		for range formats[0] {
			l.uleb()
			forms = append(forms, l.uleb())
		}
		count := l.uleb()
		if l.bad {
			return nil
		}
		if count > uint64(len(l.b)) || len(forms) == 0 && count > 0 {
			return errLines
		}
		for range count {
			for _, form := range forms {
				if l.skipFile(form, wide); l.bad {
					return nil
				}
			}
		}
	}
	return nil
}

// skipFile goes over a value of one of the forms that lists of files have.
func (l *list) skipFile(form uint64, wide bool) {
	const formData16, formLineStrp = 0x1e, 0x1f
	switch {
	case form == formData16, wide && (form == formStrp || form == formLineStrp):
		if l.take(8); form == formData16 {
			l.take(8)
		}
	case form == formLineStrp:
		l.take(4)
	case !l.skip(form):
		l.bad = true
	}
}

// skip goes over a value of a form of DWARF 4.
func (l *list) skip(form uint64) bool {
	switch form {
	case 0x19: // flag_present
	case 0x0b, 0x0c, 0x11: // data1, flag, ref1
		l.take(1)
	case 0x05, 0x12: // data2, ref2
		l.take(2)
	case 0x06, formStrp, 0x10, 0x13, formSecOffset: // data4, ref_addr, ref4
		l.take(4)
	case 0x01, 0x07, 0x14, 0x20: // addr, data8, ref8, ref_sig8
		l.take(8)
	case 0x0d, 0x0f, 0x15: // sdata, udata, ref_udata
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
