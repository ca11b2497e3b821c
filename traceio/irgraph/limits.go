package irgraph

import (
	"errors"
	"fmt"
)

// MaxElements bounds the nodes and edges of one document, all snapshots together: a gigabyte or two. Whatever else
// takes memory counts as elements of elementSize bytes: properties and their texts, groups and graphs. A few bytes of a
// difference-encoded or packed file can ask for a large graph, so the length of a file bounds nothing.
const (
	MaxElements = 1 << 22
	elementSize = 128
)

// MaxHeld is how many bytes a reader with an Account takes for a document, by the costs below.
const MaxHeld = 3 << 29

// ErrHeld is the error of a document that takes more.
var ErrHeld = fmt.Errorf("the document takes more than %d MiB of memory; write fewer functions or phases into one file",
	MaxHeld>>20)

// What the parts of a document take in memory, about: with the tables that find them while they are read, and with what
// is unused of slices that grow.
const (
	CostGroup       = 512
	CostSnapshot    = 512
	CostNode        = 160
	CostEdge        = 192
	CostProperty    = 48
	CostText        = 64 // and its bytes
	CostBlock       = 192
	CostMember      = 64 // a node or successor of a block
	CostMethod      = 256
	CostBytecode    = 64
	CostInstruction = 128
)

// Budget is how many elements the drafts of one document may still hold.
type Budget struct{ all, left, bytes int }

// NewBudget gives the budget of a new document; readers of files use MaxElements.
func NewBudget(elements int) *Budget { return &Budget{all: elements, left: elements} }

// Exhausted reports whether the document is full.
func (b *Budget) Exhausted() bool { return b.left < 0 }

// Err is the error that ends the reading of a document with as many nodes and edges as it may hold, which is one of its
// problems by then; nil while there is room.
func (b *Budget) Err() error {
	if b.Exhausted() {
		return errFull
	}
	return nil
}

var errFull = errors.New("the document is full")

// Receiver takes the outermost groups of a document that is still being sent.
type Receiver struct {
	Began func(g *Group)             // g is being filled until Ended and must not be read yet
	Ended func(g *Group, whole bool) // g is the receiver's now, whole or up to what broke it

	// Holds is called with how many bytes of memory more the groups take until the next one ends, and how many more, or
	// fewer, the reader itself keeps for the whole stream; both are estimates, some kilobytes late. Its error ends the
	// reading. nil allows all.
	Holds func(group, reader int) error
}

// Account counts the memory that a reader holds. A document that keeps its groups may take MaxHeld; a Receiver is
// asked, a few kilobytes late.
type Account struct {
	To *Receiver // of outermost groups; nil where the document keeps them

	group, reader int // bytes not yet reported: of groups, and of the reader itself
	all           int // bytes, where To is nil
}

// reportEvery is how many bytes may be held before they are reported.
const reportEvery = 8 << 10

// Add counts bytes of groups that the next Hold reports.
func (a *Account) Add(group int) { a.group += group }

// Hold counts bytes more, or fewer, that groups and the reader itself take. The error ends the reading.
func (a *Account) Hold(group, reader int) error {
	a.group += group
	a.reader += reader
	if max(a.group, a.reader, -a.reader) < reportEvery {
		return nil
	}
	return a.Report()
}

// Report reports what is held by now.
func (a *Account) Report() error {
	group, reader := a.group, a.reader
	a.group, a.reader = 0, 0
	if a.To == nil {
		if a.all += group + reader; a.all > MaxHeld {
			return ErrHeld
		}
		return nil
	}
	if a.To.Holds == nil {
		return nil
	}
	return a.To.Holds(group, reader)
}
