package record

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// layoutProgram tells what the C compiler makes of ring.h and control.h, and writes some slots as the recorded program
// does: each as a word and its number, or as two words.
const layoutProgram = `
#include "append.h"
#include <stddef.h>
#include <stdlib.h>
#define TELL(name, value) printf("%s %llu\n", name, (unsigned long long)(value))
#define RING(field) TELL("ring." #field, offsetof(struct ring_header, field))
#define CONTROL(field) TELL("control." #field, offsetof(struct control, field))
static struct control own;
int main(void)
{
    uint64_t payload[4] = {1000, 48, 56, 0x401234};
    TELL("RING_MAGIC", RING_MAGIC); TELL("RING_HEADER", RING_HEADER); TELL("RING_CHUNK", RING_CHUNK); TELL("RING_SLOTS", RING_SLOTS);
    TELL("RING_ENTRIES", RING_ENTRIES); TELL("RING_RANGES", RING_RANGES); TELL("RING_STOP", RING_STOP);
    TELL("RING_STOP_REFERENCES", RING_STOP_REFERENCES); TELL("slot", sizeof(struct slot)); TELL("range", sizeof(struct range));
    TELL("RING_ADDRESS_SHIFT", RING_ADDRESS_SHIFT); TELL("RING_PC_SHIFT", RING_PC_SHIFT); TELL("RING_SIZE_SHIFT", RING_SIZE_SHIFT);
    TELL("RING_KIND_SHIFT", RING_KIND_SHIFT); TELL("RING_LATER", RING_LATER); TELL("RING_PHASE", RING_PHASE);
    TELL("RING_LOAD", RING_LOAD); TELL("RING_STORE", RING_STORE); TELL("RING_BOTH", RING_BOTH);
    TELL("RING_THREAD_SHIFT", RING_THREAD_SHIFT); TELL("RING_CODE_SHIFT", RING_CODE_SHIFT); TELL("RING_COUNT_SHIFT", RING_COUNT_SHIFT);
    TELL("RING_PAYLOAD", RING_PAYLOAD); TELL("slot.place", offsetof(struct slot, place)); TELL("slot.key", offsetof(struct slot, key));
    RING(magic); RING(slots); RING(pid); RING(parent); RING(taken); RING(given_up); RING(consumed); RING(stop); RING(entries); RING(ranges);
    RING(entry); RING(range);
    TELL("ring", sizeof(struct ring_header) <= RING_HEADER);
    TELL("CONTROL_MAGIC", CONTROL_MAGIC); TELL("CONTROL_PATH", CONTROL_PATH); TELL("control", sizeof(struct control));
    CONTROL(magic); CONTROL(recorder); CONTROL(slots); CONTROL(gated); CONTROL(partial); CONTROL(alone); CONTROL(over); CONTROL(made);
    CONTROL(failed); CONTROL(why); CONTROL(emulator); CONTROL(beats); CONTROL(patience);
    TELL("CLOCK", RING_CLOCK); TELL("START", RING_START); TELL("MAP", RING_MAP); TELL("THREAD", RING_THREAD);
    TELL("THREAD_END", RING_THREAD_END); TELL("HELLO", RING_HELLO); TELL("MALLOC", RING_MALLOC); TELL("FREE", RING_FREE);
    TELL("REALLOC_BEGIN", RING_REALLOC_BEGIN); TELL("REALLOC_END", RING_REALLOC_END); TELL("MARK", RING_MARK); TELL("EXEC", RING_EXEC);
    TELL("EXEC_FAILED", RING_EXEC_FAILED); TELL("FROM", RING_FROM); TELL("UNTIL", RING_UNTIL); TELL("ENTER", RING_ENTER);
    TELL("INTERRUPT", RING_INTERRUPT); TELL("DIFFERS", RING_DIFFERS); TELL("LOST", RING_LOST);

    control = &own;
    shared = calloc(1, sizeof *shared);
    ring = calloc(RING_SLOTS, sizeof *ring);
    shared->consumed = 1ULL << 40;
    choose_way();
    thread_of[3] = 4321;
    for (uint64_t i = 0; i < RING_SLOTS + 5000; i++)
        append_reference(RING_PLACE(i, 0), RING_SITE(1) | RING_SIZE(3) | RING_LOAD);
    TELL("written", head);
    for (uint64_t i = 0; i < 40; i++)
        append_reference(RING_PLACE(0xffff800000001000 + i * 0x1111111111, i % 3 * 30000),
                         RING_SITE(0xffff800000400000 + i * 0x777) | RING_SIZE(i % 5) | (i % 3 == 2 ? RING_BOTH : i % 3 ? RING_STORE : RING_LOAD));
    append_reference(RING_PLACE(0x1000, 7), RING_SITE(0x400000) | RING_SIZE(3) | RING_STORE);
    append_reference(RING_PLACE(0x1008, 7), RING_SITE(0x400000) | RING_SIZE(3) | RING_STORE | RING_LATER);
    event(RING_MALLOC, 3, 0x123456789abc, payload, 4);
    event(RING_ENTER, 3, 77, NULL, 0);
    for (uint64_t i = 0; i < head; i++)
        if (i + 1000 > head)
            printf("%llu:%llx %llx\n", (unsigned long long)i, (unsigned long long)ring[i % RING_SLOTS].place, (unsigned long long)ring[i % RING_SLOTS].key);
    return 0;
}
`

// TestLayout: what the recorded program and the recorder share is the same to both: the fields of the ring's header and
// of the control file, the codes of events, and the bits of a reference, which orr.Row reads as they are.
func TestLayout(t *testing.T) {
	include, err := filepath.Abs("../../assets/recorder")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "layout.c"), filepath.Join(dir, "layout")
	if err := os.WriteFile(source, []byte(layoutProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("gcc", "-O1", "-w", "-I", include, "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	said, slots := map[string]uint64{}, map[uint64]orr.Row{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var name string
		var n uint64
		var s orr.Row
		if _, err := fmt.Sscanf(lines.Text(), "%d:%x %x", &n, &s.Place, &s.Key); err == nil {
			slots[n] = s
		} else if _, err := fmt.Sscanf(lines.Text(), "%s %d", &name, &n); err == nil {
			said[name] = n
		} else {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
	}
	for name, want := range map[string]uint64{
		"RING_MAGIC": ringMagic, "RING_HEADER": ringHeader, "RING_CHUNK": ringChunk, "RING_SLOTS": ringSlots,
		"RING_ENTRIES": ringEntries,
		"RING_RANGES":  ringRanges, "RING_STOP": stopAll, "RING_STOP_REFERENCES": stopReferences, "slot": slotSize,
		"range": 16, "ring": 1,
		"RING_ADDRESS_SHIFT": orr.AddressShift, "RING_PC_SHIFT": orr.PCShift, "RING_SIZE_SHIFT": orr.SizeShift,
		"RING_KIND_SHIFT": orr.KindShift, "RING_LATER": uint64(orr.KeyLater), "RING_PHASE": uint64(orr.KeyTag),
		"RING_LOAD": uint64(orr.KeyLoad), "RING_STORE": uint64(orr.KeyStore), "RING_BOTH": uint64(orr.KeyKind),
		"RING_THREAD_SHIFT": threadShift, "RING_CODE_SHIFT": codeShift, "RING_COUNT_SHIFT": countShift,
		"RING_PAYLOAD": uint64(payloadSlot), "slot.place": uint64(unsafe.Offsetof(orr.Row{}.Place)),
		"slot.key":   uint64(unsafe.Offsetof(orr.Row{}.Key)),
		"ring.magic": atMagic, "ring.slots": atSlots, "ring.pid": atPID, "ring.parent": atParent, "ring.taken": atTaken,
		"ring.given_up": atGivenUp, "ring.consumed": atConsumed, "ring.stop": atStop, "ring.entries": atEntries,
		"ring.ranges": atRanges,
		"ring.entry":  atEntry, "ring.range": atRange,
		"CONTROL_MAGIC": controlMagic, "CONTROL_PATH": controlPath, "control": controlSize,
		"control.magic": ctlMagic, "control.recorder": ctlRecorder, "control.slots": ctlSlots, "control.gated": ctlGated,
		"control.partial": ctlPartial, "control.alone": ctlAlone, "control.over": ctlOver, "control.made": ctlMade,
		"control.failed": ctlFailed,
		"control.why":    ctlWhy, "control.emulator": ctlPaths, "control.beats": ctlBeats, "control.patience": ctlPatience,
		"CLOCK": codeClock, "START": codeStart, "MAP": codeMap, "THREAD": codeThread,
		"THREAD_END": codeThreadEnd, "HELLO": codeHello,
		"MALLOC": codeMalloc, "FREE": codeFree, "REALLOC_BEGIN": codeReallocBegin,
		"REALLOC_END": codeReallocEnd, "MARK": codeMark,
		"EXEC": codeExec, "EXEC_FAILED": codeExecFailed, "FROM": codeFrom, "UNTIL": codeUntil, "ENTER": codeEnter,
		"INTERRUPT": codeInterrupt, "DIFFERS": codeDiffers, "LOST": codeLost,
	} {
		if got, ok := said[name]; !ok || got != want {
			t.Errorf("%s is %d in C (%v), and %d in Go", name, got, ok, want)
		}
		delete(said, name)
	}
	from := said["written"]
	if delete(said, "written"); len(said) > 0 {
		t.Errorf("C says %v, which Go is not asked for", said)
	}

	// What was written is read as the recorder reads it, and looked at as words.
	var out kept
	r := newRing(t)
	d := newDrain(r, direct{&out, new(traceio.Block)}, 0)
	d.known = func(uint64) bool { return true }
	for i := range r.slots {
		r.slots[i].Key = 1 // of the lap before
	}
	r.next = from
	for at, s := range slots {
		r.slots[at%ringSlots] = s
	}
	d.poll()
	d.finish()
	if want := uint64(slices.Max(sorted(slots))) + 1; r.next != want {
		t.Fatalf("read up to slot %d, want %d", r.next, want)
	}
	var want []traceio.Access
	row := func(a traceio.Access) {
		a.Seq = traceio.Seq(len(want))
		want = append(want, a)
	}
	for i := range uint64(40) {
		a := traceio.Access{Addr: traceio.Addr(0xffff800000001000 + i*0x1111111111),
			PC: traceio.Addr(0xffff800000400000 + i*0x777), Size: 1 << (i % 5),
			Thread: traceio.Thread(i % 3 * 30000), Kind: traceio.Load}
		a.Addr = traceio.Addr(int64(a.Addr) << 16 >> 16)
		if i%3 != 1 {
			row(a)
		}
		if a.Kind = traceio.Store; i%3 != 0 {
			row(a)
		}
		if s := slots[from+i]; i%3 != 2 {
			k, row := s.Key&^orr.KeyTag, s
			if got := (traceio.Access{Seq: want[len(want)-1].Seq, Addr: row.Addr(), PC: k.PC(), Size: k.Size(),
				Thread: row.Thread(), Kind: k.Kind()}); got != want[len(want)-1] {
				t.Errorf("slot %d: as a row %+v, want %+v", i, got, want[len(want)-1])
			}
		}
	}
	row(traceio.Access{Addr: 0x1000, PC: 0x400000, Size: 16, Thread: 7, Kind: traceio.Store})
	if !slices.Equal(out.rows, want) {
		t.Errorf("references\n%+v, want\n%+v", out.rows, want)
	}
	if len(out.allocs) != 1 || len(out.marks) != 1 {
		t.Fatalf("events %+v, marks %+v", out.allocs, out.marks)
	}
	a, m := out.allocs[0], out.marks[0]
	if a.Op != traceio.Malloc || a.Addr != 0x123456789abc || a.Size != 48 || a.Usable != 56 ||
		a.Thread != 4321 || a.Ticks != 1000 ||
		!slices.Equal(d.stack[a.Stack], []traceio.Addr{0x401234}) || m.Kind != traceio.Enter ||
		m.Value != 77 || m.Thread != 4321 {
		t.Errorf("event %+v of %v, mark %+v", a, d.stack[a.Stack], m)
	}
}

func sorted(slots map[uint64]orr.Row) (at []uint64) {
	for n := range slots {
		at = append(at, n)
	}
	slices.Sort(at)
	return at
}

// TestLayoutIsWhole: every field and code that C declares is one that TestLayout compares.
func TestLayoutIsWhole(t *testing.T) {
	for file, from := range map[string]string{"ring.h": "struct ring_header {", "control.h": "struct control {"} {
		text, err := os.ReadFile(filepath.Join("../../assets/recorder", file))
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(text), from)
		body, _, _ = strings.Cut(body, "\n};")
		for line := range strings.Lines(body) {
			declared, _, _ := strings.Cut(line, ";")
			words := strings.Fields(declared)
			if !strings.Contains(line, ";") || len(words) == 0 {
				continue
			}
			name, _, _ := strings.Cut(words[len(words)-1], "[")
			// they follow the emulator's, which is as long
			if slices.Contains([]string{"plugin", "preload", "directory"}, name) {
				continue
			}
			if !strings.Contains(layoutProgram, "("+name+")") {
				t.Errorf("%s: %s is not compared with Go", file, name)
			}
		}
	}
	text, err := os.ReadFile("../../assets/recorder/ring.h")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		define := strings.Fields(line)
		if len(define) > 2 && define[0] == "#define" && !strings.Contains(define[1], "(") && define[1] != "RING_SPARE" &&
			!strings.Contains(layoutProgram, "("+`"`+define[1]+`"`) {
			t.Errorf("%s is not compared with Go", define[1])
		}
	}
	_, body, _ := strings.Cut(string(text), "enum ring_code {")
	body, _, _ = strings.Cut(body, "\n};")
	for line := range strings.Lines(body) {
		if name, _, found := strings.Cut(strings.TrimSpace(line), " = "); found &&
			!strings.Contains(layoutProgram, ", "+name+")") {
			t.Errorf("%s is not compared with Go", name)
		}
	}
}
