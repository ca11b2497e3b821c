package symbols

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"os"
	"reflect"
	"strings"
	"testing"
)

// entriesOf are all entries of a file's debug information.
func entriesOf(t *testing.T, d *dwarf.Data) (all []*dwarf.Entry) {
	t.Helper()
	for r := d.Reader(); ; {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return all
		}
		all = append(all, e)
	}
}

// The oracle is debug/elf's own way to the debug information.
func TestReadDWARF(t *testing.T) {
	for name, flags := range map[string][]string{
		"plain": {"-g"}, "zlib": {"-g", "-gz=zlib"}, "version 4": {"-g", "-gdwarf-4", "-gz=zlib"},
		"types": {"-g", "-gdwarf-4", "-fdebug-types-section"}, "object": {"-g", "-c"},
	} {
		data, err := os.ReadFile(build(t, "gcc", "list.c", flags...))
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.DWARF()
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := readDWARF(f, data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if a, b := entriesOf(t, got), entriesOf(t, want); !reflect.DeepEqual(a, b) || len(a) < 50 {
			t.Errorf("%s: %d entries, want the %d of debug/elf", name, len(a), len(b))
		}
	}
}

// A section that claims to be larger than it can be is refused before there is room for it.
func TestCompressedClaims(t *testing.T) {
	data, err := os.ReadFile(build(t, "gcc", "list.c", "-g", "-gz=zlib"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(data[f.Section(".debug_info").Offset+8:], 1<<60)
	if f, err = elf.NewFile(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readDWARF(f, data); err == nil || !strings.Contains(err.Error(), "claims 1152921504606846976 bytes") {
		t.Errorf("got %v", err)
	}
}
