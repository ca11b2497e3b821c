package region

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"orrery/traceio"
)

// machine runs a random program and writes down, beside the recording, whose every byte is: the oracle of names on
// stacks.
type machine struct {
	r       *rand.Rand
	blocks  blocks
	b       *traceio.Block
	seq     traceio.Seq
	room    int
	threads [][]call
	truth   []string // by reference
	leaps   bool     // it calls longjmp
	partly  bool     // only the code of the two inner blocks is recorded, which each call runs first
	outside []bool   // by thread: it has made a call that is not recorded
}

// call is one open call of a function; fn -1 is code that is not recorded.
type call struct {
	fn   int
	base traceio.Addr
	at   traceio.Addr // where in its code it stands, when it has called and only blocks are recorded
}

const (
	machineFunctions = 6
	stackTop         = traceio.Addr(0x7ffc00100000)
	threadGap        = traceio.Addr(0x10000000)
	stackLow         = traceio.Addr(0x7ff000000000)
	frameSize        = 96
)

func entryOf(fn int) traceio.Addr { return traceio.Addr(0x401000 + 0x100*fn) }

// prologs tells which functions save the frame pointer.
func prologs(fn int) bool { return fn%2 == 0 }

// machineProgram has functions with a number, an array, and a parameter on the stack each.
func machineProgram() *traceio.Program {
	p := &traceio.Program{Types: []traceio.Type{{}, {Name: "long", Size: 8}, {Name: "int", Size: 4},
		{Size: 16, Dims: []int{4}, Elem: 2}},
		Modules: []traceio.Module{{Path: "/home/u/prog", Low: 0x400000, High: 0x410000, Main: true}}}
	for fn := range machineFunctions {
		low, name := entryOf(fn), fmt.Sprintf("f%d", fn)
		p.Functions = append(p.Functions, traceio.Function{Name: name, Low: low, High: low + 0x100, Entry: low,
			Locals: []traceio.Local{
				{Name: name + ":n", Offset: -24, Size: 8, Type: 1}, {Name: name + ":a", Offset: -64, Size: 16, Type: 3},
				{Name: name + ":p", Offset: 0, Size: 8, Type: 1},
				// two blocks share a place
				// elsewhere the place has no name
				{Name: name + ":z", Offset: -88, Size: 8, Type: 1, Low: low + 0x40, High: low + 0x60},
				{Name: name + ":x", Offset: -72, Size: 8, Type: 1, Low: low + 0x40, High: low + 0x60},
				{Name: name + ":y", Offset: -72, Size: 8, Type: 1, Low: low + 0x60, High: low + 0x80}}})
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
	if place := pc & 0xff; m.partly && (place < 0x40 || place >= 0x80) {
		return
	}
	if m.b.Len() >= m.room {
		m.flush()
	}
	if m.outside[thread] {
		calls := m.threads[thread]
		m.mark(thread, calls[len(calls)-1].base-8)
		if m.outside[thread] = false; m.b.Len() > 0 && a > stackLow && m.r.IntN(8) == 0 {
			m.flush() // what stands behind the mark is in another block
		}
	}
	m.b.Append(traceio.Access{Addr: a, PC: pc, Size: 8, Kind: kind, Thread: traceio.Thread(thread)})
	m.truth = append(m.truth, truth)
	m.seq++
}

func (m *machine) flush() {
	m.blocks = append(m.blocks, m.b)
	m.b, m.room = &traceio.Block{First: m.seq}, 1+m.r.IntN(300)
}

// mark tells of a call from code that is not recorded.
func (m *machine) mark(thread int, slot traceio.Addr) {
	m.b.Marks = append(m.b.Marks, traceio.Mark{Kind: traceio.Enter, Thread: traceio.Thread(thread), Seq: m.seq,
		Value: uint64(slot)})
}

// call is mark where the call itself is all that is not recorded: then the recorder tells of it when a reference comes.
func (m *machine) call(thread int, slot traceio.Addr) {
	if !m.partly {
		m.mark(thread, slot)
	}
}

func stackName(thread int) string {
	if thread == 0 {
		return "stack"
	}
	return fmt.Sprintf("stack of thread %d", thread)
}

// enter makes a call whose return address is at slot.
func (m *machine) enter(thread, fn int, slot traceio.Addr) {
	if n := len(m.threads[thread]); n > 0 {
		// inlined code that is not recorded may call from within a block
		m.threads[thread][n-1].at = 0x50 + 0x20*traceio.Addr(m.r.IntN(2))
	}
	m.threads[thread] = append(m.threads[thread], call{fn: fn, base: slot + 8})
	m.outside[thread] = m.partly
	if fn < 0 {
		return
	}
	if prologs(fn) {
		m.ref(thread, entryOf(fn), slot-8, traceio.Store, stackName(thread))
	}
	first := entryOf(fn) + 4
	if m.partly {
		first = entryOf(fn) + 0x50
	}
	if m.partly && m.r.IntN(2) == 0 {
		m.ref(thread, first, 0x404000, traceio.Load, "prog")
		return
	}
	m.ref(thread, first, slot+8-24, traceio.Store, fmt.Sprintf("f%d:n", fn))
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
		m.call(thread, slot)
		m.enter(thread, m.r.IntN(machineFunctions), slot)
		return
	}
	top := s[len(s)-1]
	if top.fn < 0 { // unrecorded code calls back or returns
		if m.r.IntN(2) == 0 && len(s) < 40 {
			slot := m.sp(thread) - 8 - traceio.Addr(16*m.r.IntN(4))
			m.call(thread, slot)
			m.enter(thread, m.r.IntN(machineFunctions), slot)
		} else {
			m.threads[thread], m.outside[thread] = s[:len(s)-1], false
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
		m.outside[thread] = false
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
	offset := []int64{-24, -20, -64, -52, -49, 0, 4, -8, -32, -80, -72, -88}[m.r.IntN(12)]
	truth, name := stackName(other), func(variable string) string { return fmt.Sprintf("f%d:%s", c.fn, variable) }
	switch {
	case offset == -72 || offset == -88:
		at := pc - entryOf(c.fn)
		if mine := other == thread && n == len(own)-1; !mine {
			if at = c.at; !m.partly || other != thread || offset == -88 && at != 0x50 {
				return // it depends on where the call stands, and no pointer leads to what is not there
			}
		}
		if offset == -72 && at == 0x50 {
			truth = name("x")
		} else if offset == -72 {
			truth = name("y")
		} else if at == 0x50 {
			truth = name("z")
		}
		if m.leaps || m.partly && (offset == -72 || own[len(own)-1].fn == c.fn) {
			truth = lossy + truth
		}
	case offset >= 0:
		truth = name("p")
	case offset >= -24 && offset < -16:
		truth = name("n")
	case offset >= -64 && offset < -48:
		truth = name("a")
	}
	m.ref(thread, pc, c.base+traceio.Addr(offset), traceio.Kind(m.r.IntN(2)), truth)
}

// lossy stands before the name of a variable in an inner block that may be without it: after a longjmp, or a return
// that is not recorded, to a function that has called itself, the inner call may be taken for the outer one for a
// while; and where a call was not recorded, nothing tells in which block it stands.
const lossy = "perhaps "

func agrees(got, want string) bool {
	name, perhaps := strings.CutPrefix(want, lossy)
	return got == name || perhaps && strings.HasPrefix(got, "stack")
}

func TestNamesOnStacksAgainstMachine(t *testing.T) {
	for seed := range uint64(30) {
		threads := 1 + seed%3
		m := &machine{r: rand.New(rand.NewPCG(seed, 1)), b: &traceio.Block{}, room: 100, threads: make([][]call, threads),
			outside: make([]bool, threads), leaps: seed%2 == 1, partly: seed >= 20}
		m.leaps = m.leaps && !m.partly
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
				if !agrees(got, m.truth[s]) && bad < 5 {
					bad++
					t.Errorf("seed %d: reference %d to %v by %v is to %s, want %s", seed, s, b.Addr[row], b.PC[row], got, m.truth[s])
				}
			}
		}
		// at any time, in any order
		for k := range traceio.Seq(300) {
			s := k * 7919 % m.seq
			b := m.blocks[names.frames.block(s)]
			if id, _ := names.Locate(b.Addr[s-b.First], s); !agrees(names.Regions()[id].Name, m.truth[s]) {
				t.Errorf("seed %d: at %d Locate says %s, want %s", seed, s, names.Regions()[id].Name, m.truth[s])
			}
		}
	}
}
