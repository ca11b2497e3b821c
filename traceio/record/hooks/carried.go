package hooks

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

// RingVariable is the environment variable by which the recorder tells a program with hooks where its ring is.
const RingVariable = "ORRERY_RING"

// note is what the runtime leaves in every program that it is linked into: an ELF note of owner Orrery and type 1.
var note = append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(
	nil, 7), 4), 1), "Orrery\x00"...)

// Carried tells whether the program at path was built with hooks; stripping does not hide it.
func Carried(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_NOTE || p.Filesz > 1<<20 {
			continue
		}
		data := make([]byte, p.Filesz)
		if _, err := p.ReadAt(data, 0); err == nil && bytes.Contains(data, note) {
			return true
		}
	}
	return false
}
