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

// maxObject bounds a file in memory, and what it holds compressed.
const maxObject = 2 << 30

// Sections that debug/dwarf makes use of. Others, like location lists and tables of frames, can be as long as all of
// these.
var dwarfSections = map[string]bool{"abbrev": true, "info": true, "str": true, "line": true, "ranges": true,
	"line_str": true, "addr": true,
	"rnglists": true, "str_offsets": true, "types": true}

// readDWARF reads the debug information of a file that is in memory as data, and its section of lines. It gives what
// elf.File.DWARF does, in half the time where sections are compressed, as Debian's are, and refuses what claims more
// than it can hold.
func readDWARF(f *elf.File, data []byte) (d *dwarf.Data, line []byte, err error) {
	dat := map[string][]byte{}
	var types [][]byte
	for _, s := range f.Sections {
		name, ok := strings.CutPrefix(strings.Replace(s.Name, ".zdebug_", ".debug_", 1), ".debug_")
		if !ok || !dwarfSections[name] {
			continue
		}
		b, err := sectionOf(data, s)
		if err != nil {
			return nil, nil, err
		}
		if name == "types" {
			types = append(types, b)
		} else {
			dat[name] = b
		}
	}
	if err := checkDWARF(f, dat["info"], dat["abbrev"], dat["str"], types); err != nil {
		return nil, nil, err
	}
	if f.Type == elf.ET_REL { // there is something to relocate
		d, err = f.DWARF()
		return d, dat["line"], err
	}
	d, err = dwarf.New(dat["abbrev"], nil, nil, dat["info"], dat["line"], nil, dat["ranges"], dat["str"])
	if err != nil {
		return nil, nil, err
	}
	for i, b := range types {
		if err := d.AddTypes(fmt.Sprintf("types-%d", i), b); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range []string{"line_str", "addr", "rnglists", "str_offsets"} {
		if b, ok := dat[name]; ok {
			if err := d.AddSection(".debug_"+name, b); err != nil {
				return nil, nil, err
			}
		}
	}
	return d, dat["line"], nil
}

// sectionOf is the contents of a section of the file that is in memory as data. It may be a part of data.
func sectionOf(data []byte, s *elf.Section) ([]byte, error) {
	const head = 24 // of a compressed section: its kind, 4 bytes of nothing, its size, its alignment
	if s.Type == elf.SHT_NOBITS || s.Offset > uint64(len(data)) || s.FileSize > uint64(len(data))-s.Offset ||
		strings.HasPrefix(s.Name, ".zdebug_") {
		return contents(s) // which tells what is wrong
	}
	raw := data[s.Offset:][:s.FileSize:s.FileSize]
	if s.Flags&elf.SHF_COMPRESSED == 0 {
		return raw, nil
	}
	if len(raw) < head || elf.CompressionType(binary.LittleEndian.Uint32(raw)) != elf.COMPRESS_ZLIB {
		return contents(s)
	}
	return inflated(s.Name, raw[head:], binary.LittleEndian.Uint64(raw[8:]))
}

// contents is a section's Data for one that may claim anything, and unpacks the old way to compress, too.
func contents(s *elf.Section) ([]byte, error) {
	if s.Flags&elf.SHF_COMPRESSED != 0 {
		if err := checkClaim(s.Name, s.Size, s.FileSize); err != nil {
			return nil, err
		}
	}
	data, err := s.Data()
	if err != nil || !strings.HasPrefix(s.Name, ".zdebug_") || len(data) < 12 || string(data[:4]) != "ZLIB" {
		return data, err
	}
	return inflated(s.Name, data[12:], binary.BigEndian.Uint64(data[4:]))
}

// checkClaim refuses a section that claims more bytes than compressed ones are worth: real debug information becomes
// five times as long.
func checkClaim(name string, size, packed uint64) error {
	const (
		densest = 64
		spare   = 1 << 20
	)
	if size > maxObject || size > spare+densest*packed {
		return fmt.Errorf("section %s claims %d bytes, more than its %d compressed ones can hold", name, size, packed)
	}
	return nil
}

func inflated(name string, packed []byte, size uint64) ([]byte, error) {
	if err := checkClaim(name, size, uint64(len(packed))); err != nil {
		return nil, err
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	out := make([]byte, size)
	_, err = io.ReadFull(z, out)
	return out, err
}
