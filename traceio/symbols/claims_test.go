package symbols

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestUnreadable opens what a recording may name without being a program: each is refused at once.
func TestUnreadable(t *testing.T) {
	pipe, hole := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "hole")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hole, []byte("\x7fELF"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(hole, 40<<30); err != nil {
		t.Fatal(err)
	}
	for path, fault := range map[string]string{"/dev/zero": "no regular file", "/dev/random": "no regular file",
		pipe: "no regular file", hole: "at most 2147483648 are read"} {
		if _, err := openObject(path, ""); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", path, err, fault)
		}
		o := &object{path: path}
		if o.detached(path, 0, ""); o.debug != nil {
			t.Errorf("%s: it has debug information", path)
		}
		if s := openShared(path, "00"); s != nil {
			t.Errorf("%s: it has shared debug information", path)
		}
		if d := openSplit(path); len(d.units) > 0 {
			t.Errorf("%s: it has units", path)
		}
	}
}

// TestSymbols compares with debug/elf's own way to the symbol tables.
func TestSymbols(t *testing.T) {
	data, err := os.ReadFile(build(t, "gcc", "list.c", "-g"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for kind, read := range map[elf.SectionType]func() ([]elf.Symbol, error){elf.SHT_SYMTAB: f.Symbols,
		elf.SHT_DYNSYM: f.DynamicSymbols} {
		want, err := read()
		if err != nil {
			t.Fatal(err)
		}
		for i := range want { // versions are nobody's here
			want[i].Version, want[i].Library, want[i].HasVersion, want[i].VersionIndex = "", "", false, 0
		}
		if got := symbolsOf(f, kind); !reflect.DeepEqual(got, want) || len(got) < 3 {
			t.Errorf("%v: %v\nwant %v", kind, got, want)
		}
	}
}

// TestLongNames gives every symbol the name that all of the table is.
func TestLongNames(t *testing.T) {
	const count = 20000
	names := append(bytes.Repeat([]byte("x"), maxName-2), 0)
	table := make([]byte, (count+1)*elf.Sym64Size)
	f := &elf.File{FileHeader: elf.FileHeader{Class: elf.ELFCLASS64, ByteOrder: binary.LittleEndian},
		Sections: []*elf.Section{
			{SectionHeader: elf.SectionHeader{Type: elf.SHT_SYMTAB, Link: 1, Size: uint64(len(table)),
				FileSize: uint64(len(table))}, ReaderAt: bytes.NewReader(table)},
			{SectionHeader: elf.SectionHeader{Type: elf.SHT_STRTAB, Size: uint64(len(names)), FileSize: uint64(len(names))},
				ReaderAt: bytes.NewReader(names)},
		}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_ = guard("names", func() error { symbolsOf(f, elf.SHT_SYMTAB); return nil })
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("%d symbols of one name took %d bytes", count, took)
	}
}

// lineHeader is the header of a table of lines of DWARF 5 with so many directories and files, of which each has forms.
func lineHeader(forms []byte, directories, files uint64, rest []byte) []byte {
	b := []byte{0, 0, 0, 0, 5, 0, 8, 0, 0, 0, 0, 0, 1, 1, 1, 0xfb, 14, 1}
	for _, n := range []uint64{directories, files} {
		b = append(b, byte(len(forms)/2))
		b = append(b, forms...)
		b = binary.AppendUvarint(b, n)
		for range min(n, 3) {
			b = append(b, "x\x00"...)
		}
	}
	b = append(b, rest...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// TestLineClaims: a table of lines has at most as many directories and files as bytes.
func TestLineClaims(t *testing.T) {
	text := []byte{1, 8} // a path, in place
	for _, row := range []struct {
		name  string
		table []byte
		bad   bool
	}{
		{"one of each", lineHeader(text, 1, 1, nil), false},
		{"older", slices.Replace(lineHeader(text, 1<<40, 1, nil), 4, 5, 4), false},
		{"too many directories", lineHeader(text, 1<<40, 1, nil), true},
		{"too many files", lineHeader(text, 2, 1<<35, nil), true},
		{"files of nothing", lineHeader(nil, 0, 100, make([]byte, 200)), true},
		{"cut", lineHeader(text, 1, 1, nil)[:20], false},
	} {
		if err := checkLines(row.table, binary.LittleEndian); (err != nil) != row.bad {
			t.Errorf("%s: %v, want an error: %v", row.name, err, row.bad)
		}
	}
}

// TestRealClaims: what compilers write claims nothing that is refused.
func TestRealClaims(t *testing.T) {
	for name, flags := range map[string][]string{
		"5": {"-g"}, "4": {"-g", "-gdwarf-4"}, "64 bits": {"-g", "-gdwarf64"}, "zlib": {"-g", "-gz=zlib"},
		"the old way": {"-g", "-gz=zlib-gnu"}, "object": {"-g", "-c", "-gz=zlib"},
	} {
		data, err := os.ReadFile(build(t, "gcc", "list.c", flags...))
		if err != nil {
			t.Fatal(err)
		}
		o, err := parseObject(name, data)
		if err != nil || o.debug == nil || len(o.line) == 0 {
			t.Errorf("%s: %v, no debug information", name, err)
			continue
		}
		lines := 0
		for _, u := range o.unitHeads() {
			table, err := o.readLines(u.entry, "")
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			lines += len(table)
		}
		if lines < 20 && name != "object" { // where every function begins at 0
			t.Errorf("%s: %d lines", name, lines)
		}
	}
}

// TestDebugClaims: sections that would take more than they are worth are refused before that.
func TestDebugClaims(t *testing.T) {
	unit := func(abbrev uint32) []byte {
		u := []byte{11, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0}
		binary.LittleEndian.PutUint32(u[6:], abbrev)
		return u
	}
	table := bytes.Repeat([]byte{1, 17, 0, 0, 0}, 1<<17) // one table after all
	var units []byte
	for i := range uint32(100) {
		units = append(units, unit(5*i)...)
	}
	f := &elf.File{FileHeader: elf.FileHeader{ByteOrder: binary.LittleEndian, Type: elf.ET_EXEC}}
	for _, row := range []struct {
		name, fault        string
		info, abbrev, strs []byte
	}{
		{"small", "", unit(0), table[:5], []byte("a\x00b\x00")},
		{"overlapping tables", "overlap", units, table, nil},
		{"a long text", "a text of 2097152 bytes", unit(0), table[:5], bytes.Repeat([]byte("x"), 2<<20)},
	} {
		err := checkDWARF(f, row.info, row.abbrev, row.strs, nil)
		if (err == nil) != (row.fault == "") || err != nil && !strings.Contains(err.Error(), row.fault) {
			t.Errorf("%s: %v, want %q", row.name, err, row.fault)
		}
	}
	if _, err := inflated("x", make([]byte, 100), 1<<30); err == nil ||
		!strings.Contains(err.Error(), "claims 1073741824 bytes") {
		t.Errorf("a section that claims a GiB: %v", err)
	}
}
