package region

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/traceio"
)

// machine runs a random program and writes down, beside the recording, whose every byte is: the oracle of names on stacks.
type machine struct {
	r       *rand.Rand
	blocks  blocks
	b       *traceio.Block
	seq     traceio.Seq
	room    int
	threads [][]call
	truth   []string // by reference
	leaps   bool     // it calls longjmp
}

// call is one open call of a function; fn -1 is code that is not recorded.
type call struct {
	fn   int
	base traceio.Addr
}

const (
	machineFunctions = 6
	stackTop         = traceio.Addr(0x7ffc00100000)
	threadGap        = traceio.Addr(0x10000000)
	frameSize        = 96
)

func entryOf(fn int) traceio.Addr { return traceio.Addr(0x401000 + 0x100*fn) }

// prologs tells which functions save the frame pointer.
func prologs(fn int) bool { return fn%2 == 0 }

// machineProgram has functions with a number, an array, and a parameter on the stack each.
func machineProgram() *traceio.Program {
	p := &traceio.Program{Types: []traceio.Type{{}, {Name: "long", Size: 8}, {Name: "int", Size: 4}, {Size: 16, Dims: []int{4}, Elem: 2}},
		Modules: []traceio.Module{{Path: "/home/u/prog", Low: 0x400000, High: 0x410000, Main: true}}}
	for fn := range machineFunctions {
		low, name := entryOf(fn), fmt.Sprintf("f%d", fn)
		p.Functions = append(p.Functions, traceio.Function{Name: name, Low: low, High: low + 0x100, Entry: low, Locals: []traceio.Local{
			{Name: name + ":n", Offset: -24, Size: 8, Type: 1}, {Name: name + ":a", Offset: -64, Size: 16, Type: 3}, {Name: name + ":p", Offset: 0, Size: 8, Type: 1},
			// two blocks share a place
			{Name: name + ":x", Offset: -72, Size: 8, Type: 1, Low: low + 0x40, High: low + 0x60}, {Name: name + ":y", Offset: -72, Size: 8, Type: 1, Low: low + 0x60, High: low + 0x80}}})
		site := func(at traceio.Addr, flow traceio.Flow, to traceio.Addr) {
			p.Sites = append(p.Sites, traceio.Site{PC: low + at, Flow: flow, Target: to})
		}
		if prologs(fn) {
			site(0, traceio.Prolog, 0)
		}
		site(4, traceio.Plain, 0)
		for to := range machineFunctions {
			site(0x20+traceio.Addr(to), traceio.Call, entryOf(to))
		}
		site(0x30, traceio.Call, 0)
		site(0x31, traceio.Call, 0x7f0000001000)
		site(0x50, traceio.Plain, 0)
		site(0x70, traceio.Plain, 0)
		site(0xf0, traceio.Return, 0)
	}
	return p
}

func (m *machine) ref(thread int, pc, a traceio.Addr, kind traceio.Kind, truth string) {
	if m.b.Len() >= m.room {
		m.blocks = append(m.blocks, m.b)
		m.b, m.room = &traceio.Block{First: m.seq}, 1+m.r.IntN(300)
	}
	m.b.Append(traceio.Access{Addr: a, PC: pc, Size: 8, Kind: kind, Thread: traceio.Thread(thread)})
	m.truth = append(m.truth, truth)
	m.seq++
}

func stackName(thread int) string {
	if thread == 0 {
		return "stack"
	}
	return fmt.Sprintf("stack of thread %d", thread)
}

// enter makes a call whose return address is at slot.
func (m *machine) enter(thread, fn int, slot traceio.Addr) {
	m.threads[thread] = append(m.threads[thread], call{fn, slot + 8})
	if fn < 0 {
		return
	}
	if prologs(fn) {
		m.ref(thread, entryOf(fn), slot-8, traceio.Store, stackName(thread))
	}
	m.ref(thread, entryOf(fn)+4, slot+8-24, traceio.Store, fmt.Sprintf("f%d:n", fn))
}

func (m *machine) sp(thread int) traceio.Addr {
	s := m.threads[thread]
	if len(s) == 0 {
		return stackTop - threadGap*traceio.Addr(thread) - 64
	}
	return s[len(s)-1].base - frameSize
}

func (m *machine) step() {
	thread := m.r.IntN(len(m.threads))
	s := m.threads[thread]
	if len(s) == 0 {
		// main and the threads' functions are called by code that is not recorded
		slot := m.sp(thread) - 8
		m.b.Marks = append(m.b.Marks, traceio.Mark{Kind: traceio.Enter, Thread: traceio.Thread(thread), Seq: m.seq, Value: uint64(slot)})
		m.enter(thread, m.r.IntN(machineFunctions), slot)
		return
	}
	top := s[len(s)-1]
	if top.fn < 0 { // unrecorded code calls back or returns
		if m.r.IntN(2) == 0 && len(s) < 40 {
			slot := m.sp(thread) - 8 - traceio.Addr(16*m.r.IntN(4))
			m.b.Marks = append(m.b.Marks, traceio.Mark{Kind: traceio.Enter, Thread: traceio.Thread(thread), Seq: m.seq, Value: uint64(slot)})
			m.enter(thread, m.r.IntN(machineFunctions), slot)
		} else {
			m.threads[thread] = s[:len(s)-1]
			m.use(thread, thread, len(s)-2) // shows that it goes on
		}
		return
	}
	pc, sp := entryOf(top.fn), m.sp(thread)-8
	switch k := m.r.IntN(100); {
	case k < 12 && len(s) < 40:
		to := m.r.IntN(machineFunctions)
		at := pc + 0x20 + traceio.Addr(to)
		if k < 3 {
			at = pc + 0x30 // through a pointer
		}
		m.ref(thread, at, sp, traceio.Store, stackName(thread))
		m.enter(thread, to, sp)
	case k < 15 && len(s) < 40:
		m.ref(thread, pc+0x31, sp, traceio.Store, stackName(thread))
		m.enter(thread, -1, sp)
	case k < 27:
		m.ref(thread, pc+0xf0, top.base-8, traceio.Load, stackName(thread))
		if m.threads[thread] = s[:len(s)-1]; len(s) > 1 && s[len(s)-2].fn >= 0 {
			m.use(thread, thread, len(s)-2)
		}
	case k < 28 && m.leaps:
		n := m.r.IntN(len(s))
		for n > 0 && s[n].fn < 0 {
			n--
		}
		if s[n].fn >= 0 {
			m.threads[thread] = s[:n+1]
			m.use(thread, thread, n)
		}
	case k < 40: // another's variable
		other := m.r.IntN(len(m.threads))
		if n := len(m.threads[other]); n > 0 {
			m.use(thread, other, m.r.IntN(n))
		}
	case k < 45:
		m.ref(thread, pc+0x50, 0x404000, traceio.Load, "prog")
	default:
		m.use(thread, thread, len(s)-1)
	}
}

// use refers to a byte of an open call.
func (m *machine) use(thread, other, n int) {
	c, own := m.threads[other][n], m.threads[thread]
	pc := entryOf(own[len(own)-1].fn) + 0x50
	if m.r.IntN(2) == 0 {
		pc += 0x20
	}
	if c.fn < 0 {
		return
	}
	offset := []int64{-24, -20, -64, -52, -49, 0, 4, -8, -32, -80, -72}[m.r.IntN(11)]
	mine := other == thread && n == len(own)-1
	truth := stackName(other)
	switch {
	case offset == -72 && !mine:
		return // which of the two is there depends on where the call stands
	case offset == -72 && pc-entryOf(c.fn) == 0x50:
		truth = fmt.Sprintf("f%d:x", c.fn)
	case offset == -72:
		truth = fmt.Sprintf("f%d:y", c.fn)
	case offset >= 0:
		truth = fmt.Sprintf("f%d:p", c.fn)
	case offset >= -24 && offset < -16:
		truth = fmt.Sprintf("f%d:n", c.fn)
	case offset >= -64 && offset < -48:
		truth = fmt.Sprintf("f%d:a", c.fn)
	}
	m.ref(thread, pc, c.base+traceio.Addr(offset), traceio.Kind(m.r.IntN(2)), truth)
}

// agrees compares names. After a longjmp to a function that has called itself, the inner call may be taken for the outer one
// for a while; then variables of inner blocks stay without a name.
func (m *machine) agrees(got, want string) bool {
	return got == want || m.leaps && strings.HasPrefix(got, "stack") && (strings.HasSuffix(want, ":x") || strings.HasSuffix(want, ":y"))
}

func TestNamesOnStacksAgainstMachine(t *testing.T) {
	for seed := range uint64(20) {
		m := &machine{r: rand.New(rand.NewPCG(seed, 1)), b: &traceio.Block{}, room: 100, threads: make([][]call, 1+seed%3), leaps: seed%2 == 1}
		for m.seq < 5000 {
			m.step()
		}
		m.blocks = append(m.blocks, m.b)
		prog := machineProgram()
		names, _ := surveyed(t, m.blocks, prog, nil)
		l := names.Lookup()
		bad := 0
		for _, b := range m.blocks {
			ids := make([]int32, b.Len())
			l.Classify(b, ids, nil)
			for row, id := range ids {
				s := b.First + traceio.Seq(row)
				got := names.Regions()[id].Name
				if !m.agrees(got, m.truth[s]) && bad < 5 {
					bad++
					t.Errorf("seed %d: reference %d to %v by %v is to %s, want %s", seed, s, b.Addr[row], b.PC[row], got, m.truth[s])
				}
			}
		}
		// at any time, in any order
		for k := range traceio.Seq(300) {
			s := k * 7919 % m.seq
			b := m.blocks[names.frames.block(s)]
			if id, _ := names.Locate(b.Addr[s-b.First], s); !m.agrees(names.Regions()[id].Name, m.truth[s]) {
				t.Errorf("seed %d: at %d Locate says %s, want %s", seed, s, names.Regions()[id].Name, m.truth[s])
			}
		}
	}
}
