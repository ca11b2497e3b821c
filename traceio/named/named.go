// Package named opens the files that recordings, logs and graphs name: programs, libraries, their debug information,
// sources. Such a name can be of anything, so nothing here blocks, as opening a pipe would, or takes more memory than
// the caller allows.
package named

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// A file longer than mostHoles is refused if less than one part in denseShare of it is on the disk: the holes of a
// sparse file become memory when it is read.
const (
	mostHoles  = 64 << 20
	denseShare = 16
)

// errKind is the error of what is no regular file.
var errKind = errors.New("this is no regular file")

// Open opens a regular file for reading, without waiting for anything.
func Open(path string) (*os.File, fs.FileInfo, error) {
	// Stat first, so that no device is opened, and again on the open file, since the name may have changed hands.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, nil, fault(path, err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, nil, fault(path, err)
	}
	return f, info, nil
}

func fault(path string, err error) error {
	if err == nil {
		err = &fs.PathError{Op: "open", Path: path, Err: errKind}
	}
	return err
}

// Read reads a regular file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := info.Size()
	switch {
	case size > most:
		return nil, &fs.PathError{Op: "read", Path: path,
			Err: fmt.Errorf("it is %d bytes long; at most %d are read", size, most)}
	case size > mostHoles && hollow(info):
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("of its %d bytes most are a hole", size)}
	}
	data := make([]byte, size)
	n, err := io.ReadFull(f, data) // a file that grows is read as long as it was
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil // and one that was cut, as long as it is
	}
	return data[:n], err
}

// hollow tells whether hardly any of a file is on the disk. File systems that do not tell say 0.
func hollow(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Blocks > 0 && s.Blocks < info.Size()/denseShare/512
}

// Bounds of an ELF file's table of sections: no linker comes near them.
const (
	mostSections = 1 << 17
	mostNames    = 16 << 20  // bytes of their names
	mostCopied   = 256 << 20 // the same when each name is copied by itself, however they overlap
)

// ELF opens an ELF file. close closes it.
func ELF(path string) (f *elf.File, close func() error, err error) {
	file, info, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	if f, err = NewELF(file, info.Size()); err != nil {
		file.Close()
		return nil, nil, err
	}
	return f, file.Close, nil
}

// NewELF reads the headers of an ELF file of a size. It is debug/elf's NewFile for hostile files; a panic of that
// becomes an error.
func NewELF(r io.ReaderAt, size int64) (f *elf.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("it is damaged: %v", p)
		}
	}()
	if err := checkSections(r, size); err != nil {
		return nil, err
	}
	return elf.NewFile(r)
}

// header is where the fields of an ELF header and of a section's stand, by class.
type header struct{ shoff, shentsize, shnum, shstrndx, entry, flags, offset, size, link, word int64 }

var headers = map[byte]header{
	byte(elf.ELFCLASS32): {32, 46, 48, 50, 40, 8, 16, 20, 24, 4},
	byte(elf.ELFCLASS64): {40, 58, 60, 62, 64, 8, 24, 32, 40, 8},
}

// checkSections refuses a table of sections that would take too much memory. Other faults NewFile finds.
func checkSections(r io.ReaderAt, size int64) error {
	var b [64]byte
	n, _ := r.ReadAt(b[:], 0)
	h, ok := headers[b[4]]
	if n < 52 || !ok || string(b[:4]) != elf.ELFMAG {
		return nil
	}
	order := elf.Data(b[5])
	number := func(b []byte, at, width int64) uint64 {
		var x uint64
		for i := range width {
			byteAt := at + i
			if order == elf.ELFDATA2LSB {
				byteAt = at + width - 1 - i
			}
			x = x<<8 | uint64(b[byteAt])
		}
		return x
	}
	table, entry := number(b[:], h.shoff, h.word), number(b[:], h.shentsize, 2)
	count, names := number(b[:], h.shnum, 2), number(b[:], h.shstrndx, 2)
	if table == 0 || table > uint64(size) || entry < uint64(h.entry) {
		return nil
	}
	section := func(i uint64) (s [64]byte, err error) {
		_, err = r.ReadAt(s[:h.entry], int64(table+i*entry))
		return s, err
	}
	if count == 0 { // more than fit into the header: the first section has it
		first, err := section(0)
		if err != nil {
			return nil
		}
		count = number(first[:], h.size, h.word)
		if names == uint64(elf.SHN_XINDEX) {
			names = number(first[:], h.link, 4)
		}
	}
	if count > mostSections {
		return fmt.Errorf("it claims %d sections; at most %d are read", count, mostSections)
	}
	s, err := section(names)
	if err != nil || names >= count {
		return nil
	}
	at, length := number(s[:], h.offset, h.word), number(s[:], h.size, h.word)
	if number(s[:], h.flags, h.word)&uint64(elf.SHF_COMPRESSED) != 0 || length > mostNames || at > uint64(size) ||
		length > uint64(size)-at {
		return errors.New("the names of its sections are longer than they may be")
	}
	text := make([]byte, length)
	if _, err := r.ReadAt(text, int64(at)); err != nil && err != io.EOF {
		return err
	}
	if uint64(Longest(text))*count > mostCopied {
		return errors.New("the names of its sections are longer than they may be")
	}
	return nil
}

// Longest is the length of the longest text of a table of texts with a zero byte behind each.
func Longest(table []byte) (most int) {
	for len(table) > 0 {
		n := bytes.IndexByte(table, 0)
		if n < 0 {
			n = len(table)
		}
		most = max(most, n)
		table = table[min(n+1, len(table)):]
	}
	return most
}
