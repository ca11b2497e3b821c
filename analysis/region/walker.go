package region

import "orrery/traceio"

// frame is one call of a function. Addresses grow upward in the picture, calls downward:
//
//	base -> | parameters on the stack |
//	slot -> | return address          |
//	        | the function's variables|
//	        | ...                     |
//	        | return address          | <- slot of the frame that it calls
type frame struct {
	slot traceio.Addr // where the return address is
	pc   traceio.Addr // the latest instruction seen in it: for all but the innermost frame, the call; or unseen
	fn   int32
}

// unseen is the pc of a frame that made a call which was not recorded. No instruction stands there.
const unseen = traceio.Addr(1)

// base is what DWARF calls the canonical frame address.
func (f *frame) base() traceio.Addr { return f.slot + 8 }

// stack is the frames of one thread, outermost first: slots descend.
type stack struct {
	frames []frame
	missed int32 // a function that has no frame here, so that it is not looked for again; -1
	kept   int   // frames that are kept as nodes: see calls
	nodes  []int32
}

// walker follows the frames of all threads along a recording, reference by reference. What it is told of are references
// of a thread to its own stack; others do not change frames.
//
//	a call stores the return address: a new frame, and whatever is below it is gone;
//	a return loads it: the frame is gone;
//	the push at a function's entry stores right below it: the same frame, or one whose call was not recorded;
//	Enter marks tell of calls that were not recorded.
//
// Frames that a longjmp or an exception abandons are gone when a call, a return or a function further out shows it. A
// return from code that is not recorded shows when its caller goes on. Where one jumps back to a function that has
// called itself, the inner call is taken for the outer one until it calls or returns: addresses still find the right
// frame, only variables of inner blocks may stay without a name.
//
// Where only a part of a function is recorded, for example what was inlined into it, its calls and returns may not be.
// An Enter mark stands right before a reference by what was entered, which tells the function, be it one that calls
// itself. But nothing tells that such a call has returned to the same function: a reference to the outer frame may be
// by the outer call, or by the inner one through a pointer, and where the outer one stands is unseen. So a variable of
// an inner block has its name only where no other one ever is and, when the outer call may be running, the running
// instruction is in that block. What a call refers to that has called itself before it makes its first recorded
// reference has no names: no mark tells of it.
type walker struct {
	code   *code
	stacks []stack // by thread, perThread of each, the running one first

	perThread int // 1 unless stacks move
	cache     [1 << cacheBits]recent
}

// recent is an instruction that ran lately, with the latest answer of a Lookup for it: most instructions use the same
// place in the frame each time.
type recent struct {
	pc traceio.Addr
	instr
	region int32        // of the variable, -1 for none
	below  traceio.Addr // how far below the frame's base; 0: there is no answer
}

const cacheBits = 10

func newWalker(c *code) *walker {
	w := &walker{code: c, perThread: 1}
	if c.moving {
		w.perThread = setAside
	}
	for i := range w.cache {
		w.cache[i].instr = c.at(0)
	}
	return w
}

func (w *walker) at(pc traceio.Addr) *recent {
	e := &w.cache[(pc^pc>>cacheBits)&(1<<cacheBits-1)]
	if e.pc != pc {
		*e = recent{pc: pc, instr: w.code.at(pc)}
	}
	return e
}

// of is the running stack of a thread.
func (w *walker) of(t traceio.Thread) *stack {
	i := int(t) * w.perThread
	for i+w.perThread > len(w.stacks) {
		w.stacks = append(w.stacks, stack{missed: -1})
	}
	return &w.stacks[i]
}

// mark takes in what a mark tells of frames. pc is the instruction of the thread's reference right behind it, 0 when
// that is not known.
func (w *walker) mark(m *traceio.Mark, pc traceio.Addr) {
	switch m.Kind {
	case traceio.Enter:
		if w.code.moving {
			w.entered(m.Thread, traceio.Addr(m.Value))
			return
		}
		t := w.of(m.Thread)
		t.leave(traceio.Addr(m.Value) + 1)
		if n := len(t.frames); n > 0 {
			t.set(t.frames[n-1].fn, unseen)
		}
		f := frame{slot: traceio.Addr(m.Value), fn: begun}
		if i := w.at(pc); pc != 0 && i.fn < 0 {
			f.fn = open
		} else if pc != 0 {
			f.fn, f.pc = i.fn, pc
		}
		t.push(f)
	case traceio.Gap: // calls and returns may be missing
		for i := range w.stacks {
			w.stacks[i].cut(0)
		}
	}
}

// step takes in one reference of a thread to its own stack, and gives its instruction, nil when the reference is to a
// return address or saves a register: there is no variable.
func (w *walker) step(t *stack, pc, a traceio.Addr, size uint16, kind traceio.Kind) *recent {
	i := w.at(pc)
	if n := len(t.frames); i.flow == traceio.Plain || size != 8 {
		if n == 0 || t.frames[n-1].fn != i.fn || t.frames[n-1].pc != pc {
			t.settle(i.instr, pc)
		}
		return i
	}
	switch {
	case i.flow == traceio.Call && kind == traceio.Store:
		t.leave(a + 1)
		t.settle(i.instr, pc)
		t.push(frame{slot: a, fn: i.target})
	case i.flow == traceio.Return && kind == traceio.Load:
		t.leave(a + 1)
	case i.flow == traceio.Prolog && kind == traceio.Store:
		slot := a + 8
		t.leave(slot)
		if n := len(t.frames); n == 0 || t.frames[n-1].slot != slot {
			t.push(frame{slot: slot})
		}
		t.set(i.fn, pc)
	default:
		t.settle(i.instr, pc)
		return i
	}
	return nil
}

// push adds a frame inside all others.
func (t *stack) push(f frame) {
	t.frames = append(t.frames, f)
	t.missed = -1
}

// cut leaves only the n outermost frames.
func (t *stack) cut(n int) {
	t.frames, t.missed, t.kept = t.frames[:n], -1, min(t.kept, n)
}

// leave takes away the frames whose slots lie below a.
func (t *stack) leave(a traceio.Addr) {
	n := len(t.frames)
	for n > 0 && t.frames[n-1].slot < a {
		n--
	}
	if n < len(t.frames) {
		t.cut(n)
	}
}

// set says what the innermost frame is of and where it stands.
func (t *stack) set(fn int32, pc traceio.Addr) {
	n := len(t.frames)
	top := &t.frames[n-1]
	if top.fn != fn || top.pc != pc {
		top.fn, top.pc, t.kept = fn, pc, min(t.kept, n-1)
	}
}

// mostFrames is how many frames are looked through for the function that runs, when it is not the innermost one's.
const mostFrames = 256

// settle reconciles the innermost frame with the instruction that runs.
func (t *stack) settle(i instr, pc traceio.Addr) {
	n := len(t.frames)
	if n == 0 {
		return
	}
	top := &t.frames[n-1]
	switch {
	case i.fn < 0: // a function without variables in its frame
		if top.fn >= 0 {
			t.set(suspend(top.fn), top.pc)
		}
	case top.fn == i.fn || top.fn == suspend(i.fn) || top.fn == begun:
		t.set(i.fn, pc)
	case t.missed == i.fn:
	case !i.entry && t.resume(i.fn, pc):
	case top.fn == open:
		t.set(i.fn, pc)
	default:
		if top.fn >= 0 {
			t.set(suspend(top.fn), top.pc)
		}
		t.missed = i.fn
	}
}

// resume goes back to the innermost frame of a function, past frames that ended unseen.
func (t *stack) resume(fn int32, pc traceio.Addr) bool {
	for k := len(t.frames) - 2; k >= max(0, len(t.frames)-mostFrames); k-- {
		if f := t.frames[k].fn; f == fn || f == suspend(fn) {
			t.cut(k + 1)
			t.set(fn, pc)
			return true
		}
	}
	return false
}

// within gives the frames that may hold address a: the one whose own part of the stack it lies in, and the one called
// from there, whose parameters on the stack lie there too; -1 for none.
func (t *stack) within(a traceio.Addr) (own, called int) {
	n := len(t.frames)
	low, high := 0, n // the first frame with a slot below a is in [low, high]
	for k := n; k > 0 && k > n-4; k-- {
		if t.frames[k-1].slot >= a {
			low = k
			break
		}
		high = k - 1
	}
	for low < high {
		mid := (low + high) / 2
		if t.frames[mid].slot < a {
			high = mid
		} else {
			low = mid + 1
		}
	}
	own, called = low-1, low
	if called == n {
		called = -1
	}
	return own, called
}
