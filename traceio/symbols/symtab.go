package symbols

import (
	"bytes"
	"debug/elf"
)

// maxName bounds a symbol's name; the longest of C++ have some ten thousand bytes.
const maxName = 1 << 16

// symbolsOf is a symbol table of a file without the entry in front, which is nobody's; nil where there is none. It is
// debug/elf's Symbols and DynamicSymbols for files in which every name may claim to be as long as all of them.
func symbolsOf(f *elf.File, kind elf.SectionType) []elf.Symbol {
	sec := f.SectionByType(kind)
	if sec == nil || int(sec.Link) >= len(f.Sections) {
		return nil
	}
	table, err := contents(sec)
	if err != nil {
		return nil
	}
	names, err := contents(f.Sections[sec.Link])
	if err != nil {
		return nil
	}
	size := elf.Sym64Size
	if f.Class == elf.ELFCLASS32 {
		size = elf.Sym32Size
	}
	if len(table) < 2*size {
		return nil
	}
	out := make([]elf.Symbol, 0, len(table)/size-1)
	room := 1<<20 + 4*len(names) // names may end alike, and share their ends
	for at := size; at+size <= len(table); at += size {
		s, name := symbolAt(f, table[at:at+size])
		if s.Name = textAt(names, name); len(s.Name) > room {
			break
		}
		room -= len(s.Name)
		out = append(out, s)
	}
	return out
}

// symbolAt is an entry of a symbol table, and where its name begins.
func symbolAt(f *elf.File, b []byte) (s elf.Symbol, name uint32) {
	order := f.ByteOrder
	name = order.Uint32(b)
	if f.Class == elf.ELFCLASS32 {
		s.Value, s.Size = uint64(order.Uint32(b[4:])), uint64(order.Uint32(b[8:]))
		s.Info, s.Other, s.Section = b[12], b[13], elf.SectionIndex(order.Uint16(b[14:]))
		return s, name
	}
	s.Info, s.Other, s.Section = b[4], b[5], elf.SectionIndex(order.Uint16(b[6:]))
	s.Value, s.Size = order.Uint64(b[8:]), order.Uint64(b[16:])
	return s, name
}

// textAt is the text at an offset of a table of texts; "" where there is none, or one longer than names are.
func textAt(texts []byte, at uint32) string {
	if uint64(at) >= uint64(len(texts)) {
		return ""
	}
	rest := texts[at:min(len(texts), int(at)+maxName)]
	n := bytes.IndexByte(rest, 0)
	if n < 0 {
		return ""
	}
	return string(rest[:n])
}
