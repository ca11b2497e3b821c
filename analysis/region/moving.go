package region

import (
	"sort"

	"orrery/traceio"
)

// Go runs its functions on stacks of its own: small pieces of its heap, which threads take turns in and which are
// copied when they grow. There nothing says where a stack begins or ends, but the program tells of its instructions
// where in their frames they refer to (traceio.Site.Place): so calls, and whatever else uses the stack pointer, tell
// where the running function's frame is. A thread has its running stack and the ones that it, or another thread, has
// left and may come back to:
//
//	a reference that tells of the running stack's innermost frame: go on;
//	of a frame further out: what was inside is gone;
//	of a frame of a stack that was left: that is the running one now;
//	of none that is known: a new stack. Its outer frames are unknown until they run again.
//
// When a function asks for a larger stack and the runtime copies it, all its frames are where the function then goes
// on; other copies are new stacks to us. Only what is on the running stack of the thread that refers to it has a name.

// setAside is how many stacks are kept for a thread: of goroutines, of the scheduler, of a signal handler.
const setAside = 8

// follow takes in one reference of a thread, of a program with moving stacks, and gives the running stack and the
// instruction.
func (w *walker) follow(thread traceio.Thread, pc, a traceio.Addr, size uint16, kind traceio.Kind) (*stack, *recent) {
	i := w.at(pc)
	t := w.of(thread)
	if i.copies {
		w.copied(thread)
	}
	switch {
	case i.place != 0 && !(i.flow == traceio.Call && kind == traceio.Load):
		t = w.confirm(thread, a-traceio.Addr(i.place), i.fn, pc)
		if i.flow == traceio.Call {
			t.push(frame{slot: a, fn: i.target})
		}
	case i.flow == traceio.Return && kind == traceio.Load && size == 8:
		if t = w.confirm(thread, a, i.fn, pc); len(t.frames) > 0 {
			t.leave(a + 1)
		}
	case len(t.frames) > 0 && i.fn >= 0:
		if top := &t.frames[len(t.frames)-1]; top.fn == i.fn || top.fn == open {
			t.set(i.fn, pc)
		}
	}
	return t, i
}

// find is the index of the frame with a slot, -1 when there is none.
func (t *stack) find(slot traceio.Addr) int {
	n := len(t.frames)
	if n > 0 && t.frames[n-1].slot == slot {
		return n - 1
	}
	i := sort.Search(n, func(i int) bool { return t.frames[i].slot <= slot })
	if i < n && t.frames[i].slot == slot {
		return i
	}
	return -1
}

// confirm makes the frame with a slot the innermost one of the thread's running stack.
func (w *walker) confirm(thread traceio.Thread, slot traceio.Addr, fn int32, pc traceio.Addr) *stack {
	t := w.of(thread)
	n := len(t.frames)
	if n > 0 && t.frames[n-1].slot != slot {
		// A wide access may arrive in pieces: the later ones are of the same frame.
		const widest = 64
		if top := &t.frames[n-1]; top.pc == pc && slot-top.slot < widest {
			return t
		}
	}
	k := t.find(slot)
	if k < 0 {
		w.turn(thread, slot, fn)
		if k = t.find(slot); k < 0 {
			t.push(frame{slot: slot, fn: open})
			k = len(t.frames) - 1
		}
	}
	if k < len(t.frames)-1 {
		t.cut(k + 1)
	}
	t.set(fn, pc)
	return t
}

// turn makes the stack that has a frame of fn with this slot the thread's running one, or an empty stack when none is
// known.
func (w *walker) turn(thread traceio.Thread, slot traceio.Addr, fn int32) {
	if w.move(thread, slot, fn) {
		return
	}
	for k := range w.stacks {
		t := &w.stacks[k]
		n := len(t.frames)
		if n == 0 || slot < t.frames[n-1].slot || slot > t.frames[0].slot {
			continue
		}
		i := t.find(slot)
		if i >= 0 && (t.frames[i].fn == fn || t.frames[i].fn == suspend(fn)) {
			w.lift(thread, k)
			return
		}
		t.cut(0) // its memory is another one's now
	}
	first := int(thread) * w.perThread
	w.lift(thread, first+w.perThread-1)
	w.stacks[first].cut(0)
}

// isCopied is where a function stands whose stack is being copied: it will begin again elsewhere.
const isCopied = 1

// copied marks the stack that the thread left last to have it copied.
func (w *walker) copied(thread traceio.Thread) {
	first := int(thread) * w.perThread
	for k := first + 1; k < first+w.perThread; k++ {
		t := &w.stacks[k]
		n := len(t.frames)
		if n > 0 && t.frames[n-1].pc == isCopied {
			return
		}
		if n > 1 && w.code.at(t.frames[n-1].pc).grows {
			t.cut(n - 1)
			t.set(t.frames[n-2].fn, isCopied)
			return
		}
	}
}

// move puts the frames of a stack that was copied where they are now, which the function that goes on tells.
func (w *walker) move(thread traceio.Thread, slot traceio.Addr, fn int32) bool {
	first := int(thread) * w.perThread
	for k := first + 1; k < first+w.perThread; k++ {
		t := &w.stacks[k]
		n := len(t.frames)
		if n == 0 || t.frames[n-1].pc != isCopied || t.frames[n-1].fn != fn {
			continue
		}
		by := slot - t.frames[n-1].slot
		for i := range t.frames {
			t.frames[i].slot += by
		}
		t.kept = 0
		w.lift(thread, k)
		return true
	}
	return false
}

// lift makes stack k the thread's running one; the others follow in the order in which they were left.
func (w *walker) lift(thread traceio.Thread, k int) {
	first := int(thread) * w.perThread
	t := w.stacks[k]
	last := first + w.perThread - 1
	if k >= first && k <= last {
		last = k
	} else {
		w.stacks[k], w.stacks[last] = stack{missed: -1}, stack{}
	}
	copy(w.stacks[first+1:last+1], w.stacks[first:last])
	w.stacks[first] = t
}

// entered takes in that code which is not recorded has called a function, with its return address at slot.
func (w *walker) entered(thread traceio.Thread, slot traceio.Addr) {
	const near = 1 << 16
	t := w.of(thread)
	if n := len(t.frames); n == 0 || slot >= t.frames[n-1].slot || t.frames[n-1].slot-slot > near {
		w.confirm(thread, slot, open, 0)
		return
	}
	t.push(frame{slot: slot, fn: open})
}

// near tells whether an address may lie in one of the frames.
func (t *stack) near(a traceio.Addr) bool {
	const frame, parameters = 1 << 20, 1 << 12
	n := len(t.frames)
	return n > 0 && a+frame > t.frames[n-1].slot && a < t.frames[0].slot+parameters
}
