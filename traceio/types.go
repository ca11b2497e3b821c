// Package traceio turns bytes into records: data references, instruction fetches, allocations and marks, all on one
// logical timeline. It defines the record types, the Source contract that every reader fulfils, the positioned Error
// that every reader returns and the counts of what was lost. It knows nothing of caches, analyses or pictures.
package traceio

import "strconv"

// Addr is a virtual address of the recorded program.
type Addr uint64

// String gives the address in hexadecimal with 0x.
func (a Addr) String() string { return "0x" + strconv.FormatUint(uint64(a), 16) }

// Seq is logical time: the ordinal of a data reference (load or store) in its recording, from 0. Instruction fetches,
// allocations and marks carry the Seq of the data reference that follows them.
type Seq uint64

// Ticks is wall-clock time in nanoseconds since the recording began; 0 throughout when the recorder keeps no clock.
type Ticks uint64

// Thread numbers the recorded program's threads densely from 0 in the order of their first event.
type Thread uint16

// Kind says what a reference does.
type Kind uint8

// The kinds of reference. Load and Store are data references and advance Seq; Fetch is an instruction fetch and does
// not.
const (
	Load Kind = iota
	Store
	Fetch
)

// String gives "load", "store" or "fetch".
func (k Kind) String() string {
	switch k {
	case Load:
		return "load"
	case Store:
		return "store"
	}
	return "fetch"
}

// Access is one reference as a value, for callers that look at few of them; bulk work reads the columns of a Block.
type Access struct {
	Seq    Seq
	Addr   Addr
	PC     Addr // instruction address, equal to Addr for a Fetch; 0 when the format does not tell
	Size   uint16
	Kind   Kind
	Thread Thread
}

// AllocOp says what an allocation event does.
type AllocOp uint8

// The operations of an allocator. Malloc stands for every call that makes a new block (calloc, memalign and kin too);
// a successful realloc of a live block is one Free followed by one Malloc with the same Seq.
const (
	Malloc AllocOp = iota
	Free
)

// StackID indexes Program.Stacks; 0 is the unknown stack.
type StackID uint32

// Alloc is one allocator event.
type Alloc struct {
	Seq    Seq
	Ticks  Ticks
	Addr   Addr
	Size   uint64 // bytes requested; 0 for Free
	Usable uint64 // bytes the allocator says are usable; 0 when unknown
	Stack  StackID
	Thread Thread
	Op     AllocOp

	Latency Ticks // how long the allocator took to answer; 0 when nobody measured
}

// MarkKind is what a Mark is about.
type MarkKind uint8

// The kinds of mark.
const (
	ThreadStart MarkKind = iota
	ThreadEnd
	UserMark // set by the program itself, with Text
	Gap      // references are missing here, Value says how many (0: unknown), Text why
	// a recorded function was called by code that is not recorded; Value is the address of its return slot, where the
	// call stored the return address
	Enter
)

// Mark is an event that is neither a reference nor an allocation.
type Mark struct {
	Seq    Seq
	Ticks  Ticks
	Thread Thread
	Kind   MarkKind
	Value  uint64
	Text   string
}

// MaxBlock is the largest number of references in one Block.
const MaxBlock = 1 << 16

// Block is a run of consecutive references in program order, as columns of equal length (at most MaxBlock rows), with
// the events that happened in its span. A block from a store is shared and must not be written to.
type Block struct {
	First   Seq // Seq of the first data reference at or after row 0
	Addr    []Addr
	PC      []Addr
	Size    []uint16
	Kind    []Kind
	Thread  []Thread
	Fetches int     // rows of kind Fetch
	Start   Ticks   // wall-clock of the first row
	End     Ticks   // wall-clock of the last row
	Allocs  []Alloc // in order of Seq, First <= Seq <= First+Data()
	Marks   []Mark
}

// Len is the number of rows, fetches included.
func (b *Block) Len() int { return len(b.Addr) }

// Data is the number of data references.
func (b *Block) Data() int { return len(b.Addr) - b.Fetches }

// Reset empties the block and keeps its memory, ready for rows from first on.
func (b *Block) Reset(first Seq) {
	b.First = first
	b.Addr, b.PC, b.Size = b.Addr[:0], b.PC[:0], b.Size[:0]
	b.Kind, b.Thread = b.Kind[:0], b.Thread[:0]
	b.Fetches, b.Start, b.End = 0, 0, 0
	b.Allocs, b.Marks = b.Allocs[:0], b.Marks[:0]
}

// Append adds one reference at the end. The Seq of a is ignored: position is time.
func (b *Block) Append(a Access) {
	b.Addr = append(b.Addr, a.Addr)
	b.PC = append(b.PC, a.PC)
	b.Size = append(b.Size, a.Size)
	b.Kind = append(b.Kind, a.Kind)
	b.Thread = append(b.Thread, a.Thread)
	if a.Kind == Fetch {
		b.Fetches++
	}
}

// Row is the row of data reference s, which must lie in [First, First+Data()).
func (b *Block) Row(s Seq) int {
	want := int(s - b.First)
	if b.Fetches == 0 {
		return want
	}
	for row, k := range b.Kind {
		if k == Fetch {
			continue
		}
		if want == 0 {
			return row
		}
		want--
	}
	panic("traceio: Seq outside its block")
}

// At is the data reference s as a value; s must lie in [First, First+Data()).
func (b *Block) At(s Seq) Access {
	i := b.Row(s)
	return Access{Seq: s, Addr: b.Addr[i], PC: b.PC[i], Size: b.Size[i], Kind: b.Kind[i], Thread: b.Thread[i]}
}

// Room makes place for MaxBlock rows, so that Append never moves the columns.
func (b *Block) Room() {
	if cap(b.Addr) < MaxBlock || cap(b.PC) < MaxBlock || cap(b.Size) < MaxBlock || cap(b.Kind) < MaxBlock ||
		cap(b.Thread) < MaxBlock {
		b.Addr, b.PC = make([]Addr, 0, MaxBlock), make([]Addr, 0, MaxBlock)
		b.Size, b.Kind, b.Thread = make([]uint16, 0, MaxBlock), make([]Kind, 0, MaxBlock), make([]Thread, 0, MaxBlock)
	}
}
