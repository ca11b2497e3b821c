package record

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"math"
)

// mainOf finds where main begins in a program without symbols: the C library's start code, at the program's entry,
// loads the address into the register of the first argument right before it calls __libc_start_main.
//
//	31 ed                xor  %ebp,%ebp          after endbr64, where the compiler puts that
//	...
//	48 8d 3d rel32       lea  main(%rip),%rdi    or 48 c7 c7 imm32, mov $main,%rdi
//	ff 15 rel32          call *...(%rip)         or e8 rel32 or 67 e8 rel32
func mainOf(f *elf.File) (uint64, bool) {
	code := make([]byte, 64)
	n := 0
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && f.Entry >= p.Vaddr && f.Entry-p.Vaddr < p.Filesz &&
			p.Filesz < math.MaxInt64 {
			n, _ = io.NewSectionReader(p, 0, int64(p.Filesz)).ReadAt(code, int64(f.Entry-p.Vaddr))
		}
	}
	code = code[:n]
	begin := bytes.TrimPrefix(code, []byte{0xf3, 0x0f, 0x1e, 0xfa})
	if !bytes.HasPrefix(begin, []byte{0x31, 0xed}) {
		return 0, false
	}
	for i := 0; i+9 <= len(code); i++ {
		value := uint64(int64(int32(binary.LittleEndian.Uint32(code[i+3:]))))
		at, call := value, code[i+7:]
		switch [3]byte(code[i:]) {
		case [3]byte{0x48, 0x8d, 0x3d}:
			at += f.Entry + uint64(i) + 7
		case [3]byte{0x48, 0xc7, 0xc7}:
		default:
			continue
		}
		if call[0] == 0xe8 || [2]byte(call) == [2]byte{0x67, 0xe8} || [2]byte(call) == [2]byte{0xff, 0x15} {
			return at, true
		}
	}
	return 0, false
}
