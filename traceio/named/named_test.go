package named

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// put writes a file of a test.
func put(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// holed is a file of a length with data at its beginning.
func holed(t *testing.T, data []byte, length int64) string {
	t.Helper()
	path := put(t, data)
	if err := os.Truncate(path, length); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRead reads what is a file of a size, and refuses what only has a name, at once.
func TestRead(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, path, text, fault string }{
		{"a file", put(t, []byte("text")), "text", ""},
		{"an empty one", put(t, nil), "", ""},
		{"a long one", put(t, []byte("a longer text")), "", "it is 13 bytes long; at most 8 are read"},
		{"a pipe", pipe, "", "no regular file"},
		{"a device", "/dev/zero", "", "no regular file"},
		{"a terminal", "/dev/tty", "", "no regular file"},
		{"a link to a device", link, "", "no regular file"},
		{"a directory", t.TempDir(), "", "no regular file"},
		{"nothing", filepath.Join(t.TempDir(), "nothing"), "", "no such file"},
	} {
		data, err := Read(row.path, 8)
		if said := ""; err != nil {
			if said = err.Error(); row.fault == "" || !strings.Contains(said, row.fault) {
				t.Errorf("%s: %v, want %q", row.name, err, row.fault)
			}
		} else if row.fault != "" || string(data) != row.text {
			t.Errorf("%s: %q and no error, want %q and %q", row.name, data, row.text, row.fault)
		}
	}
	if data, err := Read(holed(t, []byte("\x7fELF"), mostHoles+1), 1<<40); err == nil ||
		!strings.Contains(err.Error(), "a hole") {
		t.Errorf("a file of holes: %d bytes, %v", len(data), err)
	}
}

// elf64 is an ELF file of 64 bits with a table of sections, of which the first is the names of them all.
func elf64(count uint16, names []byte, change func(head, first []byte)) []byte {
	const head, entry = 64, 64
	le := binary.LittleEndian
	out := make([]byte, head+entry*max(1, int(count)))
	copy(out, "\x7fELF\x02\x01\x01")
	le.PutUint16(out[16:], 2)
	le.PutUint16(out[18:], 62)
	le.PutUint32(out[20:], 1)
	le.PutUint64(out[40:], head)
	le.PutUint16(out[52:], head)
	le.PutUint16(out[58:], entry)
	le.PutUint16(out[60:], count)
	first := out[head:]
	le.PutUint32(first[4:], 3) // SHT_STRTAB
	le.PutUint64(first[24:], uint64(len(out)))
	le.PutUint64(first[32:], uint64(len(names)))
	change(out, first)
	return append(out, names...)
}

// TestClaims: what a table of sections claims is refused before there is room for it.
func TestClaims(t *testing.T) {
	le := binary.LittleEndian
	for _, row := range []struct {
		name  string
		file  []byte
		fault string // "" for none
	}{
		{"one section", elf64(1, []byte("\x00names\x00"), func(_, _ []byte) {}), ""},
		{"more sections than fit", elf64(0, nil, func(_, first []byte) {
			le.PutUint32(first[4:], 0)
			le.PutUint64(first[32:], 1<<40)
		}), "claims 1099511627776 sections"},
		{"packed names", elf64(1, []byte("\x00"), func(_, first []byte) { le.PutUint64(first[8:], 0x800) }),
			"names of its sections"},
		{"names beyond the file", elf64(1, nil, func(_, first []byte) { le.PutUint64(first[32:], 1<<62) }),
			"names of its sections"},
		{"one long name for all", elf64(1000, append(bytes.Repeat([]byte("x"), 1<<20), 0), func(_, _ []byte) {}),
			"names of its sections"},
	} {
		_, err := NewELF(bytes.NewReader(row.file), int64(len(row.file)))
		if said := ""; err != nil {
			if said = err.Error(); row.fault == "" || !strings.Contains(said, row.fault) {
				t.Errorf("%s: %v, want %q", row.name, err, row.fault)
			}
		} else if row.fault != "" {
			t.Errorf("%s: no error, want %q", row.name, row.fault)
		}
	}
	// The first bytes of a program say that it has sections, and behind them is a hole of 40 GiB.
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if f, _, err := ELF(holed(t, self[:4096], 40<<30)); err == nil && len(f.Sections) > 0 && f.Sections[1].Name != "" {
		t.Errorf("a hole has the section %q", f.Sections[1].Name)
	}
}

// FuzzELF reads any bytes as an ELF file.
func FuzzELF(f *testing.F) {
	f.Add(elf64(1, []byte("\x00names\x00"), func(_, _ []byte) {}))
	f.Add(elf64(3, []byte("\x00.text\x00.debug_info\x00"), func(_, _ []byte) {}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := NewELF(bytes.NewReader(data), int64(len(data)))
		if err == nil && len(file.Sections) > mostSections {
			t.Errorf("%d sections", len(file.Sections))
		}
	})
}

// TestSymbol: a name stands for no more than a name.
func TestSymbol(t *testing.T) {
	bomb := "_Z1f3fooIiiES_IS0_S0_E" // each of the following stands for the one before twice
	for i := range 30 {
		id := string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i+1])
		bomb += "S_IS" + id + "_S" + id + "_E"
	}
	for name, row := range map[string]struct{ symbol, want string }{
		"C":    {"malloc", "malloc"},
		"C++":  {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)"},
		"long": {"_Z1f" + strings.Repeat("P", 60000) + "i", "_Z1f" + strings.Repeat("P", 60000) + "i"},
	} {
		if got := Symbol(row.symbol); got != row.want {
			t.Errorf("%s: %.200q, want %.200q", name, got, row.want)
		}
	}
	if got := Symbol(bomb); len(got) > 1<<mostDemangled {
		t.Errorf("a name of %d bytes stands for %d", len(bomb), len(got))
	}
}
