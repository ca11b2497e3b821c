package record

import (
	"sync/atomic"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// maxEvents bounds the events of one block, for programs that allocate where no references are recorded.
const maxEvents = 1 << 14

// keptRows is how many references of the current block wait at most to be encoded.
const keptRows = 1 << 10

// back is among how many of the latest references the first piece of a wide one is looked for.
const back = 64

// inPlace is the least number of references that are encoded directly from the ring, all but the last back of them.
const inPlace = 2 * back

// taker takes references, which are all of one thread and whose keys have a tag, and then the block that they belong
// to, with its events and times; *sink is one.
type taker interface {
	rows(rows []orr.Row, tag orr.SiteKey) error
	end(*traceio.Block) error
}

// drain empties the ring into blocks. It serves one goroutine.
type drain struct {
	ring  *ring
	out   taker
	start func(base, pc uint64) // the program is loaded, its first instruction is at pc; the program waits
	code  func(addr uint64)     // code was mapped at addr; the program waits
	known func(pc uint64) bool  // whether pc lies in a module
	ours  func(pc uint64) bool  // whether pc lies in the malloc wrapper
	limit uint64                // data references to keep, 0: all

	block  traceio.Block     // being filled, without its rows
	kept   [keptRows]orr.Row // its latest rows
	n      int               // rows used of that
	room   int               // rows that may be used of it
	sent   int               // rows of the block that were handed on
	most   int               // rows that the block may have
	ticks  traceio.Ticks     // the latest reading of the clock
	allocs uint64
	marks  uint64
	closed bool   // further references are not kept, because
	full   bool   // the limit is reached, or
	failed error  // out can take no more
	missed uint64 // references since then that were counted only

	lost      uint64 // records that were begun in the program and never written
	firstLost uint64 // data references before the first of them

	event    event
	stacks   map[string]traceio.StackID
	stack    [][]traceio.Addr
	resizing map[traceio.Thread]*resize

	interrupts      bool     // the program deals with the interrupt from the keyboard itself
	hello           bool     // the malloc wrapper is there
	gateIn, gateOut bool     // --from was entered; its return was seen
	gateReturns     bool     // the return will be seen
	replaced        string   // what the program has become
	successor       string   // the file that goes on with that
	differs         []uint64 // system calls that the emulator does not do as the system would
}

func newDrain(r *ring, out taker, limit uint64) *drain {
	d := &drain{ring: r, out: out, limit: limit, stacks: map[string]traceio.StackID{"": 0},
		stack: [][]traceio.Addr{{}}, resizing: map[traceio.Thread]*resize{}}
	d.setRoom()
	return d
}

// poll takes what is in the ring and returns the number of slots. A program that fills the ring as fast as it is
// emptied must let others have their turn after once around.
func (d *drain) poll() uint64 {
	r := d.ring
	begin := r.next
	for {
		// up to the end of the chunk the phase is the same
		end := r.next/ringChunk*ringChunk + ringChunk
		d.take(end, phase(r.next))
		atomic.StoreUint64(r.word(atConsumed), r.next)
		if r.next != end || r.next-begin >= ringSlots {
			return r.next - begin
		}
	}
}

// take reads slots up to ordinal end or the first one that is not written yet.
func (d *drain) take(end uint64, phase orr.SiteKey) {
	r := d.ring
	slots := r.slots[(end-ringChunk)%ringSlots:][:ringChunk:ringChunk]
	i := int(r.next % ringChunk)
	for i < ringChunk {
		if n := plainSlots(slots[i:min(i+keptRows, ringChunk)], phase); n > 0 {
			d.add(slots[i:i+n], phase)
			i += n
			continue
		}
		key := keyOf(&slots[i])
		if key&orr.KeyTag != phase {
			break
		}
		d.special(orr.Row{Place: slots[i].Place, Key: key ^ phase})
		i++
	}
	r.next = end - ringChunk + uint64(i)
}

// plainSlots is how many of the first slots are written, and each one load or one store of the same thread, and no
// later piece of a wide one.
func plainSlots(slots []orr.Row, phase orr.SiteKey) (n int) {
	var thread traceio.Thread
	for ; n < len(slots); n++ {
		key := (keyOf(&slots[n]) ^ phase) & (orr.KeyTag | orr.KeyKind | orr.KeyLater)
		if key != orr.KeyLoad && key != orr.KeyStore {
			break
		}
		if n == 0 {
			thread = slots[0].Thread()
		} else if slots[n].Thread() != thread {
			break
		}
	}
	return n
}

// add takes plain references. Many at once are encoded from the ring without a copy; their keys have the phase as tag.
func (d *drain) add(rows []orr.Row, tag orr.SiteKey) {
	for len(rows) > 0 {
		if d.n >= d.room && !d.makeRoom() {
			d.miss(len(rows))
			return
		}
		if len(rows) >= inPlace {
			d.hand(d.n) // no later piece belongs to these any more
			if d.failed != nil {
				d.miss(len(rows))
				return
			}
			n := min(len(rows)-back, d.most-d.sent)
			err := d.out.rows(rows[:n], tag)
			rows, d.sent = rows[n:], d.sent+n
			d.setRoom()
			d.fail(err)
			continue
		}
		n := min(len(rows), d.room-d.n)
		kept := d.kept[d.n:][:n]
		for i, r := range rows[:n] {
			kept[i] = orr.Row{Place: r.Place, Key: r.Key ^ tag}
		}
		rows, d.n = rows[n:], d.n+n
	}
}

// special takes a slot that is part of an event, a later piece, a load and a store in one, or the first that the block
// has no room for.
func (d *drain) special(r orr.Row) {
	kind := r.Key & orr.KeyKind
	if kind == 0 {
		d.slot(r.Place, r.Key)
		return
	}
	if r.Key&orr.KeyLater != 0 && d.extend(r) {
		return
	}
	for _, one := range [...]orr.SiteKey{orr.KeyLoad, orr.KeyStore} { // of both, the load is first
		if kind&one == 0 {
			continue
		}
		if d.n >= d.room && !d.makeRoom() {
			d.miss(1)
			continue
		}
		d.kept[d.n%keptRows] = orr.Row{Place: r.Place, Key: r.Key&^(orr.KeyKind|orr.KeyLater) | one}
		d.n++
	}
}

// data is the number of data references so far.
func (d *drain) data() uint64 { return uint64(d.block.First) + uint64(d.sent+d.n) }

// pending tells whether there is something that is in no block yet.
func (d *drain) pending() bool { return d.sent+d.n > 0 || len(d.block.Allocs)+len(d.block.Marks) > 0 }

// makeRoom hands references on when there is no room for more, and ends the block when that is full; it tells whether
// more references are wanted.
func (d *drain) makeRoom() bool {
	switch {
	case d.closed:
		return false
	case d.sent+d.n < d.most:
		d.hand(d.n - back)
	case d.limit > 0 && d.data() >= d.limit:
		d.fill()
	default:
		d.flush()
	}
	return !d.closed
}

// hand gives the first n waiting references to the taker.
func (d *drain) hand(n int) {
	for from, to := 0, 0; from < n && d.failed == nil; from = to {
		for to++; to < n && d.kept[to].Thread() == d.kept[from].Thread(); to++ {
		}
		d.fail(d.out.rows(d.kept[from:to], 0))
	}
	if n > 0 && d.failed == nil {
		d.sent += n
		d.n = copy(d.kept[:], d.kept[n:d.n])
	}
	d.setRoom()
}

// fail ends the recording when err is not nil. What follows is read and counted, so that the user learns how much is
// missing.
func (d *drain) fail(err error) {
	if err != nil {
		d.failed, d.closed, d.room = err, true, 0
	}
}

// fill ends the recording of references at the limit that was asked for. Events are recorded on.
func (d *drain) fill() {
	d.full, d.closed, d.room = true, true, 0
	d.ring.enough()
}

// miss counts references that the taker could not take.
func (d *drain) miss(n int) {
	if d.failed == nil || d.full {
		return
	}
	if d.missed += uint64(n); d.limit > 0 && d.data()+d.missed >= d.limit {
		d.missed = d.limit - d.data()
		d.fill()
	}
}

// extend joins a later piece of a wide reference to its earlier ones. The first piece is among the latest references,
// behind those that other threads made meanwhile.
func (d *drain) extend(row orr.Row) bool {
	row.Key &^= orr.KeyLater
	if row.Key&orr.KeyKind == orr.KeyKind || d.closed { // both at once have no later pieces
		return d.closed
	}
	for i := d.n - 1; i >= max(0, d.n-back); i-- {
		first := &d.kept[i]
		if first.Thread() != row.Thread() {
			continue
		}
		if first.Key.PC() != row.Key.PC() {
			return false
		}
		if first.Key.Kind() == row.Key.Kind() {
			size := first.Key.Size()
			if first.Addr()+traceio.Addr(size) != row.Addr() || size+row.Key.Size() > 512 {
				return false
			}
			first.Key = first.Key.Sized(size + row.Key.Size())
			return true
		}
	}
	return false
}

// flush ends the block and begins the next one.
func (d *drain) flush() {
	first := traceio.Seq(d.data())
	d.hand(d.n)
	b := &d.block
	b.End = max(b.Start, d.ticks)
	end := b.End
	if d.failed == nil {
		d.fail(d.out.end(b))
	}
	d.block.Reset(first)
	d.block.Start, d.n, d.sent = end, 0, 0
	d.setRoom()
}

func (d *drain) setRoom() {
	d.most = traceio.MaxBlock
	if d.limit > 0 {
		d.most = int(min(traceio.MaxBlock, d.limit-uint64(d.block.First)))
	}
	d.room = min(keptRows, d.most-d.sent)
	if d.closed {
		d.room = 0
	}
}
