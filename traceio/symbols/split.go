package symbols

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"path/filepath"

	"orrery/traceio/named"
)

// With -gsplit-dwarf the program has only a skeleton of each unit: where its code is, its lines, and the name of a file
// beside the object file, .dwo, that has all the rest and need not be linked. debug/dwarf reads no pair of files, so
// the two are joined here to what the compiler would have written without the option (DWARF 5, section 7.3.2): the unit
// of the .dwo file gets the skeleton's attributes. The attributes take no room in the unit, because their values stand
// in its abbreviations (DW_FORM_implicit_const), but for two of four bytes each; and those take the room of the
// identification of 8 bytes in the unit's header. So all that refers to a place in the unit stays right.
//
// Where dwp has put the .dwo files of a program into one, PROGRAM.dwp, an index says which parts of its sections are
// whose (section 7.3.5); strings are everybody's.
//
// The extension of DWARF 4 that GNU had for the same before ("DebugFission" in gcc's wiki) is not read: object.lacks
// names a program that has it, and the remedy.

// joiner makes one set of debug sections of a program and its .dwo files.
type joiner struct {
	path    string
	info    []byte
	abbrev  []byte
	strs    []byte
	offsets []byte
	ranges  []byte // .debug_rnglists
	lists   []byte // .debug_loclists
	addrs   []byte

	open   func(path string) *dwo
	joined int
	placed map[*byte]int // where in strs the strings of a file begin, by their first byte
}

// dwo is a file with units, by identification.
type dwo struct {
	units map[uint64]splitUnit
}

func newDwo() *dwo { return &dwo{units: map[uint64]splitUnit{}} }

// splitUnit is a unit of a .dwo file and the sections that it refers to.
type splitUnit struct {
	unit    []byte
	section map[string][]byte
}

var le = binary.LittleEndian

// section is the contents of a debug section, nil when there is none.
func section(f *elf.File, name string) (data []byte) {
	if s := f.Section(name); s != nil && s.Type != elf.SHT_NOBITS {
		_ = guard(name, func() (err error) { data, err = contents(s); return err })
	}
	return data
}

// joinSplit puts the debug information of .dwo files into o, where it has skeletons and the files are there.
func (o *object) joinSplit(f *elf.File) {
	files := map[string]*dwo{}
	o.joinWith(f, func(path string) *dwo {
		if files[path] == nil {
			files[path] = openSplit(path)
		}
		return files[path]
	})
}

// joinWith is joinSplit with what reads such a file.
func (o *object) joinWith(f *elf.File, open func(path string) *dwo) {
	if f.Section(".debug_addr") == nil || f.ByteOrder != binary.LittleEndian {
		return
	}
	j := &joiner{
		placed: map[*byte]int{},
		path:   o.path, open: open, abbrev: section(f, ".debug_abbrev"), strs: section(f, ".debug_str"),
		offsets: section(f, ".debug_str_offsets"), ranges: section(f, ".debug_rnglists"),
		lists: section(f, ".debug_loclists"), addrs: section(f, ".debug_addr"),
	}
	var d *dwarf.Data
	err := guard(o.path, func() (err error) {
		if j.units(o.debug, section(f, ".debug_info")); j.joined == 0 {
			return nil
		}
		o.line = section(f, ".debug_line")
		if err := checkDWARF(f, j.info, j.abbrev, j.strs, nil); err != nil {
			return err
		}
		if d, err = dwarf.New(j.abbrev, nil, nil, j.info, o.line, nil, section(f, ".debug_ranges"), j.strs); err != nil {
			return err
		}
		for name, data := range map[string][]byte{
			".debug_addr": j.addrs, ".debug_line_str": section(f, ".debug_line_str"), ".debug_str_offsets": j.offsets,
			".debug_rnglists": j.ranges,
		} {
			if err := d.AddSection(name, data); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && d != nil {
		o.debug, o.addrs, o.loclists, o.lists = d, j.addrs, j.lists, nil
	}
}

// The kinds of unit, DWARF 5 section 7.5.1, and the lengths of their headers.
const (
	unitWhole    = 1
	unitSkeleton = 4
	unitSplit    = 5
	wholeHead    = 12
	splitHead    = 20 // of skeletons, too
)

// eachUnit calls f with each unit of 32-bit DWARF 5, header included, and with the others as kind 0.
func eachUnit(info []byte, f func(at int, unit []byte, kind byte)) {
	for at := 0; at+4 <= len(info); {
		n := uint64(le.Uint32(info[at:])) + 4
		if n > uint64(len(info)-at) { // damaged, or of 64 bits
			f(at, info[at:], 0)
			return
		}
		u, kind := info[at:at+int(n)], byte(0)
		if len(u) >= wholeHead && le.Uint16(u[4:]) == 5 && u[7] == 8 {
			kind = u[6]
		}
		f(at, u, kind)
		at += int(n)
	}
}

// units copies the program's units, whole ones for the skeletons whose split unit is found.
func (j *joiner) units(debug *dwarf.Data, info []byte) {
	r := debug.Reader()
	eachUnit(info, func(at int, u []byte, kind byte) {
		if e := firstEntry(r, at, u, kind); e != nil && j.join(e, u) {
			j.joined++
			return
		}
		j.info = append(j.info, u...)
	})
}

// firstEntry is that of a unit that may be a skeleton.
func firstEntry(r *dwarf.Reader, at int, unit []byte, kind byte) *dwarf.Entry {
	if kind != unitSkeleton || len(unit) <= splitHead {
		return nil
	}
	r.Seek(dwarf.Offset(at + splitHead))
	e, err := r.Next()
	if err != nil {
		return nil
	}
	return e
}

// join appends the unit that belongs to a skeleton.
func (j *joiner) join(skeleton *dwarf.Entry, unit []byte) bool {
	const attrDwoName = dwarf.Attr(0x76)
	name, _ := skeleton.Val(attrDwoName).(string)
	comp, _ := skeleton.Val(dwarf.AttrCompDir).(string)
	if name == "" || skeleton.Tag != dwarf.TagSkeletonUnit {
		return false
	}
	id := le.Uint64(unit[wholeHead:])
	dir := filepath.Dir(j.path)
	for _, place := range []string{j.path + ".dwp", name, filepath.Join(comp, name), filepath.Join(dir, name),
		filepath.Join(dir, filepath.Base(name))} {
		if place == name && !filepath.IsAbs(name) {
			continue
		}
		if h, ok := j.open(place).units[id]; ok {
			return j.append(h, skeleton, comp)
		}
	}
	return false
}

// openSplit reads a .dwo or .dwp file; one that cannot be read has no units.
func openSplit(path string) *dwo {
	d := newDwo()
	if data, err := named.Read(path, maxObject); err == nil {
		_ = guard(path, func() error { d.read(data); return nil })
	}
	return d
}

func (d *dwo) read(data []byte) {
	f, err := named.NewELF(bytes.NewReader(data), int64(len(data)))
	if err != nil || f.ByteOrder != binary.LittleEndian {
		return
	}
	all := map[string][]byte{}
	for _, name := range []string{".debug_info", ".debug_abbrev", ".debug_str", ".debug_str_offsets", ".debug_rnglists",
		".debug_loclists"} {
		all[name] = section(f, name+".dwo")
	}
	if index := section(f, ".debug_cu_index"); index != nil {
		d.readIndex(index, all)
		return
	}
	d.add(all)
}

// add takes the units of an info section.
func (d *dwo) add(section map[string][]byte) {
	eachUnit(section[".debug_info"], func(_ int, u []byte, kind byte) {
		if kind == unitSplit && len(u) > splitHead {
			d.units[le.Uint64(u[wholeHead:])] = splitUnit{u, section}
		}
	})
}

// readIndex takes the units of a package. Its index is a hash table of identifications, with the row of each in two
// tables: where in each section the unit's part begins, and its length.
//
//	version 2+2, sections 4, units 4, slots 4 | slots * identification 8 | slots * row 4 | sections * kind 4 |
//	units * sections * offset 4 | ... length 4
func (d *dwo) readIndex(index []byte, all map[string][]byte) {
	const head = 16
	names := map[uint32]string{1: ".debug_info", 3: ".debug_abbrev", 5: ".debug_loclists", 6: ".debug_str_offsets",
		8: ".debug_rnglists"}
	if len(index) < head || le.Uint16(index) != 5 {
		return
	}
	sections, units, slots := uint64(le.Uint32(index[4:])), uint64(le.Uint32(index[8:])), uint64(le.Uint32(index[12:]))
	kinds := head + 12*slots
	offsets := kinds + 4*sections
	if sections > 8 || offsets+8*units*sections > uint64(len(index)) {
		return
	}
	for row := range units {
		own := map[string][]byte{".debug_str": all[".debug_str"]}
		for k := range sections {
			name := names[le.Uint32(index[kinds+4*k:])]
			at := offsets + 4*(row*sections+k)
			from, size := uint64(le.Uint32(index[at:])), uint64(le.Uint32(index[at+4*units*sections:]))
			if part := all[name]; from+size <= uint64(len(part)) {
				own[name] = part[from : from+size]
			}
		}
		d.add(own)
	}
}

// append appends a split unit as a whole one, and the sections that it refers to.
func (j *joiner) append(h splitUnit, skeleton *dwarf.Entry, comp string) bool {
	u := h.unit
	code, n := binary.Uvarint(u[splitHead:])
	if n <= 0 {
		return false
	}
	addrBase, _ := skeleton.Val(dwarf.AttrAddrBase).(int64)
	// The lists follow a header of 12 bytes, the offsets of strings one of 8.
	more := []extra{{attrStrOffsetsBase, int64(len(j.offsets)) + 8}, {attrRnglistsBase, int64(len(j.ranges)) + 12},
		{attrLoclistsBase, int64(len(j.lists)) + 12}, {attrAddrBase, addrBase}}
	for _, attr := range []dwarf.Attr{dwarf.AttrStmtList, dwarf.AttrHighpc} {
		if v, ok := skeleton.Val(attr).(int64); ok {
			more = append(more, extra{uint64(attr), v})
		}
	}
	place, word, ok := j.where(skeleton, addrBase)
	if !ok {
		return false
	}
	changed := rewrite{code, more, [2][2]uint64{{uint64(dwarf.AttrCompDir), formStrp}, place}}
	abbrev, ok := changed.table(h.section[".debug_abbrev"], uint64(le.Uint32(u[8:])))
	if !ok {
		return false
	}
	head := make([]byte, wholeHead, len(u)+8)
	copy(head, u[:8])
	head[6] = unitWhole
	le.PutUint32(head[8:], uint32(len(j.abbrev)))
	head = append(head, u[splitHead:splitHead+n]...)
	head = le.AppendUint32(head, uint32(len(j.strs)))
	head = le.AppendUint32(head, word)
	j.info = append(append(j.info, head...), u[splitHead+n:]...)
	j.abbrev = append(j.abbrev, abbrev...)
	j.strs = append(append(j.strs, comp...), 0)
	j.appendStrings(h, 8)
	j.ranges = append(j.ranges, h.section[".debug_rnglists"]...)
	j.lists = append(j.lists, h.section[".debug_loclists"]...)
	return true
}

// appendStrings appends the strings of a unit, and the offsets of them that stand behind a header of so many bytes.
func (j *joiner) appendStrings(h splitUnit, head int) {
	own := h.section[".debug_str_offsets"]
	j.offsets = append(j.offsets, own...)
	moved, strs := j.offsets[len(j.offsets)-len(own):], uint32(j.place(h.section[".debug_str"]))
	for at := head; at+4 <= len(moved); at += 4 {
		le.PutUint32(moved[at:], le.Uint32(moved[at:])+strs)
	}
}

// place is where in strs the strings of a file are, once for all its units.
func (j *joiner) place(strs []byte) int {
	if len(strs) == 0 {
		return len(j.strs)
	}
	at, ok := j.placed[&strs[0]]
	if !ok {
		at = len(j.strs)
		j.placed[&strs[0]] = at
		j.strs = append(j.strs, strs...)
	}
	return at
}

// where is the attribute, its form and its word that tell where the unit's code is: its ranges, or the index, from
// addrBase on, of the address where it begins, for which there is one more address.
func (j *joiner) where(skeleton *dwarf.Entry, addrBase int64) (place [2]uint64, word uint32, ok bool) {
	low, _ := skeleton.Val(dwarf.AttrLowpc).(uint64)
	if field := skeleton.AttrField(dwarf.AttrRanges); field != nil {
		switch v := field.Val.(type) {
		case int64:
			word = uint32(v)
		case uint64: // a number in a table, which debug/dwarf has looked up
			word = uint32(v)
		}
		return [2]uint64{uint64(dwarf.AttrRanges), formSecOffset}, word, low == 0
	}
	word, ok = j.address(low, addrBase)
	return [2]uint64{uint64(dwarf.AttrLowpc), formAddrx4}, word, ok
}

// address adds an address and gives its index from addrBase on.
func (j *joiner) address(a uint64, addrBase int64) (index uint32, ok bool) {
	if addrBase < 0 || addrBase > int64(len(j.addrs)) {
		return 0, false
	}
	for (int64(len(j.addrs))-addrBase)%8 != 0 {
		j.addrs = append(j.addrs, 0)
	}
	index = uint32((int64(len(j.addrs)) - addrBase) / 8)
	j.addrs = le.AppendUint64(j.addrs, a)
	return index, true
}
