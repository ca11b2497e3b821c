package symbols

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
)

// The oracles of where instructions of Go code refer to are objdump, for the operands, and readelf, for the frames.
func TestPlacesInGoFrames(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() { println(1) }\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, dir, "go", "build", "-o", "prog", "main.go")
	prog := filepath.Join(dir, "prog")
	o, err := openObject(prog, "")
	if err != nil {
		t.Fatal(err)
	}

	type row struct{ low, deep uint64 }
	var rows []row // of the frames, in order
	frame := regexp.MustCompile(`^([0-9a-f]{16}) rsp\+(\d+) `)
	for _, line := range strings.Split(tool(t, "", "readelf", "--debug-dump=frames-interp", prog), "\n") {
		if m := frame.FindStringSubmatch(line); m != nil {
			low, _ := strconv.ParseUint(m[1], 16, 64)
			deep, _ := strconv.ParseUint(m[2], 10, 64)
			rows = append(rows, row{low, deep})
		}
	}
	var pcs []uint64
	want := map[uint64]int64{}
	const evex = 0x62 // its distances are scaled, and it is left out
	insn := regexp.MustCompile(`^ +([0-9a-f]+):\t(?:lock )?(\w+) *(.*)`)
	operand := regexp.MustCompile(`(?:^|,)(-?0x[0-9a-f]+)?\(%rsp\)`)
	const enough = 30000
	for line := range strings.Lines(tool(t, "", "objdump", "-d", "--no-show-raw-insn", prog)) {
		if len(pcs) == enough {
			break
		}
		m := insn.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		pc, _ := strconv.ParseUint(m[1], 16, 64)
		above, ok := int64(-8), true
		x := operand.FindStringSubmatch(m[3])
		switch {
		case m[2] == "call", m[2] == "push" && strings.HasPrefix(m[3], "%"):
		case m[2] == "pop" && strings.HasPrefix(m[3], "%"):
			above = 0
		case m[2] == "push", m[2] == "pop", m[2] == "lea", x == nil:
			ok = false
		default:
			above, _ = strconv.ParseInt(x[1], 0, 64)
		}
		if pcs = append(pcs, pc); ok {
			want[pc] = above
		}
	}
	table, err := o.goFrames(context.Background(), pcs)
	if err != nil {
		t.Fatal(err)
	}
	at, known := -1, 0
	for _, pc := range pcs {
		for at+1 < len(rows) && rows[at+1].low <= pc {
			at++
		}
		s := &traceio.Site{PC: traceio.Addr(pc)}
		table.frames(o, []*traceio.Site{s}, 0)
		above, ok := want[pc]
		if b := o.bytesAt(pc); !ok && s.Place != 0 {
			t.Fatalf("%x (% x): place %d, want none", pc, b[:8], s.Place)
		}
		if !ok || table.at(pc) == 0 || o.bytesAt(pc)[0] == evex {
			continue
		}
		if known++; s.Place != above-int64(rows[at].deep)+8 {
			t.Fatalf("%x (% x): place %d, want %d - %d + 8", pc, o.bytesAt(pc)[:8], s.Place, above, rows[at].deep)
		}
	}
	if known < enough/6 {
		t.Errorf("only %d places were compared, of %d instructions with one", known, len(want))
	}
	t.Log(known, "of", len(want), "of", len(pcs))
}

// Damaged tables give wrong distances or none, never a panic.
func FuzzGoFrames(f *testing.F) {
	f.Add([]byte(
		"\x10\x00\x00\x00\xff\xff\xff\xff\x03\x00\x01\x7c\x10\x0c\x07\x08\x05\x10\x02\x00\x00\x00\x00\x00\x24\x00\x00" +
			"\x00\x00\x00\x00\x00" +
			"\x00\x10\x40\x00\x00\x00\x00\x00\xe0\x00\x00\x00\x00\x00\x00\x00\x13\x7e\x4b\x13\x7c\x02\xa2\x13\x7e\x41\x00" +
			"\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		table := frameTable{pcs: []uint64{0x401000, 0x40100b, 0x4010d0, 1 << 63}, deep: make([]int64, 4)}
		table.read(b)
		byStackPointer(b)
	})
}
