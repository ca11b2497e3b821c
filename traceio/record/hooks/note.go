package hooks

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

// RingVariable is the environment variable with which the recorder says to a program with hooks where its ring is.
const RingVariable = "ORRERY_RING"

// note is the ELF note, of owner Orrery and type 1, of every program that the runtime is linked into.
var note = append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(
	nil, 7), 4), 1), "Orrery\x00"...)

// BuiltWithHooks tells whether the program at path was built with hooks, even if it was stripped.
func BuiltWithHooks(path string) bool {
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
