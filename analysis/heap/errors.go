package heap

import (
	"cmp"
	"sort"
	"strconv"
	"strings"

	"orrery/traceio"
)

// ErrorKind says what is wrong with an event of the log.
type ErrorKind uint8

// The kinds of error.
const (
	DoubleFree   ErrorKind = iota // the address was a block's and has been freed already
	UnknownFree                   // the address never was a block's
	Overlap                       // a new block covers part of a live one
	InnerFree                     // the address is within a live block, not at its beginning
	DeadRealloc                   // a block was reallocated that is freed, or never was one
	HugeBlock                     // more was asked for than there are addresses, or than there are from the block's on
	NegativeSize                  // the size is that of a negative number
	BackInTime                    // the event is older than the one before it
	kinds
	noError = kinds
)

var kindKeys = [kinds]string{"double-free", "unknown-free", "overlap", "inner-free", "realloc-of-freed", "huge-block",
	"negative-size", "time-backwards"}

// kindWhys are for one event and for several.
var kindWhys = [kinds][2]string{
	{"block freed that had been freed already", "blocks freed that had been freed already"},
	{"address freed that never was a block's; the log may begin late",
		"addresses freed that never were a block's; the log may begin late"},
	{"block that covers part of a live one; the log may miss frees",
		"blocks that cover part of a live one; the log may miss frees"},
	{"address freed that lies inside a block", "addresses freed that lie inside a block"},
	{"reallocation of what was freed, or never a block", "reallocations of what was freed, or never a block"},
	{"block larger than all memory or beyond its end; it counts with no bytes",
		"blocks larger than all memory or beyond its end; they count with no bytes"},
	{"block of a negative size; it counts with no bytes", "blocks of a negative size; they count with no bytes"},
	{"event older than the one before it; it counts as of its time",
		"events older than the one before them; they count as of its time"},
}

var kindWhats = [kinds]string{
	"freed a second time",
	"freed, but never allocated",
	"allocated on top of a live block",
	"freed, but it lies inside a block",
	"reallocated, but it was not live",
	"allocated with more bytes than there can be",
	"allocated with a negative size",
	"is older than the event before it",
}

// String gives a stable key: "double-free", "unknown-free", "overlap".
func (k ErrorKind) String() string {
	if k >= kinds {
		return "unknown"
	}
	return kindKeys[k]
}

// Why says in words what n events of a kind are, to stand behind the number: "block freed that had been freed already".
func (k ErrorKind) Why(n uint64) string {
	switch {
	case k >= kinds:
		return ""
	case n == 1:
		return kindWhys[k][0]
	}
	return kindWhys[k][1]
}

// Error is one event that a correct program and a complete log cannot have. It does not end the analysis.
type Error struct {
	Kind   ErrorKind
	Event  int // index into the log
	Seq    traceio.Seq
	At     Time
	Addr   traceio.Addr
	Size   uint64 // as the log claims it
	Thread traceio.Thread
	Stack  traceio.StackID
	Block  int // the block concerned: freed before, covered, or without a size; -1 when there is none
}

// Wraps tells whether it is not the block's size that cannot be, but where it would end: behind the last address.
func (e *Error) Wraps() bool { return e.Kind == HugeBlock && e.Size <= maxSize }

// What says what the event does that it must not: "freed a second time".
func (e *Error) What() string {
	switch {
	case e.Wraps():
		return "allocated with more bytes than there are from there on"
	case e.Kind < kinds:
		return kindWhats[e.Kind]
	}
	return ""
}

// Doubt says why the size is not believed, as the end of a sentence about the block; "" of an error that is not about
// its size.
func (e *Error) Doubt() string {
	switch {
	case e.Wraps():
		return "which would reach beyond the last address; the block counts with none"
	case e.Kind == HugeBlock:
		return "more than all memory; the block counts with none"
	case e.Kind == NegativeSize:
		return "less than nothing; the block counts with none"
	}
	return ""
}

// eventWord stands before the event's number in an error's name.
const eventWord = " at event "

// Name tells an error from all others of its log that concern the same block: "double-free at event 4".
func (e *Error) Name() string { return e.Kind.String() + eventWord + strconv.Itoa(e.Event) }

// FindError is the index in Errors of the one with a name that concerns a block; -1 when there is none. Block -1 is no
// block.
func (h *Heap) FindError(name string, block int) int {
	_, number, ok := strings.Cut(name, eventWord)
	event, err := strconv.Atoi(number)
	if !ok || err != nil {
		return -1
	}
	for i := h.errorFrom(event); i < len(h.Errors) && h.Errors[i].Event == event; i++ {
		if h.Errors[i].Block == block && h.Errors[i].Name() == name {
			return i
		}
	}
	return -1
}

// ErrorsAt is the errors that an event of the log is, of those listed.
func (h *Heap) ErrorsAt(event int) []Error {
	return h.Errors[h.errorFrom(event):h.errorFrom(event+1)]
}

// errorFrom is the index of the first error from an event on: they stand in the order of the log.
func (h *Heap) errorFrom(event int) int {
	return sort.Search(len(h.Errors), func(i int) bool { return h.Errors[i].Event >= event })
}

// Doubted is the error for which a block counts with no bytes; nil for a block whose size is believed, and for those of
// errors that are no longer listed.
func (h *Heap) Doubted(id int) *Error {
	if h.Size(id) > 0 {
		return nil
	}
	at := h.ErrorsAt(h.birth(id))
	for i := range at {
		if at[i].Block == id && at[i].Doubt() != "" {
			return &at[i]
		}
	}
	return nil
}

// Caller is the place in the program that a call stack stands for, named like the sites that allocate and without
// costs; the zero Site when the stack is unknown.
func (h *Heap) Caller(stack traceio.StackID) Site {
	s := siter{prog: h.Program}
	return s.find(stack)
}

// Where is the site for a sentence: "list_push at list.c:22", or as much of that as is known; "" for unknown code.
func (s *Site) Where() string {
	function := traceio.ShortFunction(s.Function)
	switch {
	case s.File == "" || s.Line <= 0:
		return cmp.Or(function, s.Module)
	case function == "":
		return s.Name()
	}
	return function + " at " + s.Name()
}

// Unnamed is what to call a return address of which no function and no line is known: where it lies in its module,
// "list+0x1234", or the address itself.
func Unnamed(prog *traceio.Program, ret traceio.Addr) string {
	s := siter{prog: prog}
	named := s.unnamed(ret)
	return named.site.Module
}

// maxErrors bounds the list of errors; the counts go on.
const maxErrors = 10000

// maxSize is the largest block that a program can have: half of its 47 bits of addresses.
const maxSize = 1 << 46

// ErrorCount is how many events of one kind of error the log has.
func (h *Heap) ErrorCount(k ErrorKind) uint64 {
	if k >= kinds {
		return 0
	}
	return h.errors[k]
}

// errorCount is how many events are in error.
func (h *Heap) errorCount() (n uint64) {
	for _, k := range h.errors {
		n += k
	}
	return n
}

// ErrorCounts gives the counts of all kinds that occur, by their keys.
func (h *Heap) ErrorCounts() map[string]uint64 {
	out := map[string]uint64{}
	for k, n := range h.errors {
		if n > 0 {
			out[ErrorKind(k).String()] = n
		}
	}
	return out
}
