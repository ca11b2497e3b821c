package traceio

import (
	"fmt"
	"slices"
	"strings"
)

// Source yields a recording in order, block by block. Next fills b, reusing its memory, and returns io.EOF after the
// last block; any other error is an *Error, and everything yielded before it stays valid. Loss may be asked at any
// time and is what has been skipped so far; Program is, at the end, what the reader learned about the program.
type Source interface {
	Next(b *Block) error
	Loss() []Loss
	Program() *Program
}

// LacksEvents tells whether allocations and frees are missing, so that a block that was never freed may have been.
func LacksEvents(losses []Loss) bool {
	return slices.ContainsFunc(losses, func(l Loss) bool {
		return slices.Contains([]string{"lost-events", "cut-log", "unwritten-events", "no-end", "cut-block",
			"cut-line", "cut-record", "unreadable-tail"}, l.Kind)
	})
}

// Loss counts records of one kind that could not be used.
type Loss struct {
	Kind  string `json:"kind"` // short and stable, a key in JSON: "bad-address"
	Count uint64 `json:"count"`
	Why   string `json:"why,omitempty"`   // a sentence for people
	First string `json:"first,omitempty"` // where the first one stands: "line 1042" or "byte 77"
}

// String is the loss as a sentence for people, with how often and where, if it has a place: "bad address (2, the first
// at line 1042): ...".
func (l Loss) String() string {
	if l.First == "" {
		return fmt.Sprintf("%s (%d): %s", strings.ReplaceAll(l.Kind, "-", " "), l.Count, l.Why)
	}
	return fmt.Sprintf("%s (%d, the first at %s): %s", strings.ReplaceAll(l.Kind, "-", " "), l.Count, l.First, l.Why)
}
