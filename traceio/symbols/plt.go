package symbols

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

// link reads the linkage table, once. A damaged one is as good as none.
func (o *object) link() {
	if !o.linked {
		o.linked = true
		_ = guard(o.path, func() error { o.readLinkage(); return nil })
	}
}

// readLinkage names the entries of the procedure linkage table, through which code calls functions of other modules:
// "malloc@plt". No symbol table has them. An entry of x86-64 jumps through a slot of the global offset table,
//
//	ff 25 disp32    jmp *disp32(%rip)
//
// and the relocation of that slot names the function.
func (o *object) readLinkage() {
	if o.file.Machine != elf.EM_X86_64 {
		return
	}
	slots := o.slots()
	for _, name := range []string{".plt.sec", ".plt.got", ".plt"} {
		sec := o.file.Section(name)
		if sec == nil || sec.Size > 1<<24 {
			continue
		}
		code, err := contents(sec)
		if err != nil {
			continue
		}
		size := int(sec.Entsize)
		if size < 8 || size > 64 {
			size = 16
		}
		for at := 0; at+size <= len(code); at += size {
			entry := code[at : at+size]
			jmp := bytes.Index(entry, []byte{0xff, 0x25})
			if jmp < 0 || jmp+6 > size {
				continue
			}
			low := sec.Addr + uint64(at)
			slot := low + uint64(jmp) + 6 + uint64(int64(int32(binary.LittleEndian.Uint32(entry[jmp+2:]))))
			if f := slots[slot]; f != "" {
				o.funcs = append(o.funcs, symbol{low: low, high: low + uint64(size), name: f + "@plt"})
			}
		}
	}
	tidy(o.funcs)
}

// slots is the names of the functions whose addresses the loader puts into the global offset table, by slot.
func (o *object) slots() map[uint64]string {
	out := map[uint64]string{}
	syms := symbolsOf(o.file, elf.SHT_DYNSYM)
	for _, name := range []string{".rela.plt", ".rela.dyn"} {
		sec := o.file.Section(name)
		if sec == nil || sec.Size > 1<<28 {
			continue
		}
		rel, err := contents(sec)
		if err != nil {
			continue
		}
		for ; len(rel) >= 24; rel = rel[24:] {
			info := binary.LittleEndian.Uint64(rel[8:])
			kind, sym := elf.R_X86_64(info&0xffffffff), info>>32
			if (kind == elf.R_X86_64_JMP_SLOT || kind == elf.R_X86_64_GLOB_DAT) && sym > 0 && sym <= uint64(len(syms)) {
				out[binary.LittleEndian.Uint64(rel)] = syms[sym-1].Name
			}
		}
	}
	return out
}
