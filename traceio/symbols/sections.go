package symbols

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zlib"
)

// Sections that debug/dwarf makes use of. Others, like location lists and tables of frames, can be as long as all of these.
var dwarfSections = map[string]bool{"abbrev": true, "info": true, "str": true, "line": true, "ranges": true, "line_str": true, "addr": true,
	"rnglists": true, "str_offsets": true, "types": true}

// readDWARF reads the debug information of a file that is in memory as data. It gives what elf.File.DWARF does, in half the time
// where sections are compressed, as Debian's are.
func readDWARF(f *elf.File, data []byte) (*dwarf.Data, error) {
	dat := map[string][]byte{}
	var types [][]byte
	for _, s := range f.Sections {
		name, ok := strings.CutPrefix(s.Name, ".debug_")
		if f.Type == elf.ET_REL || strings.HasPrefix(s.Name, ".zdebug_") {
			return f.DWARF() // there is something to relocate, or an old way to compress
		}
		if !ok || !dwarfSections[name] {
			continue
		}
		b, err := sectionOf(data, s)
		if err != nil {
			return nil, err
		}
		if name == "types" {
			types = append(types, b)
		} else {
			dat[name] = b
		}
	}
	d, err := dwarf.New(dat["abbrev"], nil, nil, dat["info"], dat["line"], nil, dat["ranges"], dat["str"])
	if err != nil {
		return nil, err
	}
	for i, b := range types {
		if err := d.AddTypes(fmt.Sprintf("types-%d", i), b); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"line_str", "addr", "rnglists", "str_offsets"} {
		if b, ok := dat[name]; ok {
			if err := d.AddSection(".debug_"+name, b); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// sectionOf is the contents of a section of the file that is in memory as data. It may be a part of data.
func sectionOf(data []byte, s *elf.Section) ([]byte, error) {
	const (
		head    = 24   // of a compressed section: its kind, 4 bytes of nothing, its size, its alignment
		densest = 1100 // no deflated byte stands for more
	)
	if s.Type == elf.SHT_NOBITS || s.Offset > uint64(len(data)) || s.FileSize > uint64(len(data))-s.Offset {
		return s.Data() // which tells what is wrong
	}
	raw := data[s.Offset:][:s.FileSize:s.FileSize]
	if s.Flags&elf.SHF_COMPRESSED == 0 {
		return raw, nil
	}
	if len(raw) < head || elf.CompressionType(binary.LittleEndian.Uint32(raw)) != elf.COMPRESS_ZLIB {
		return s.Data()
	}
	size := binary.LittleEndian.Uint64(raw[8:])
	if raw = raw[head:]; size > densest*uint64(len(raw)) {
		return nil, fmt.Errorf("section %s claims %d bytes, more than its %d compressed ones can hold", s.Name, size, len(raw))
	}
	z, err := zlib.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	out := make([]byte, size)
	_, err = io.ReadFull(z, out)
	return out, err
}
