// Golist makes a linked list whose nodes lie in memory in another order than they are linked, and walks it several times.
package main

import "fmt"

const (
	nodes = 512
	walks = 8
)

type node struct {
	next  *node
	value int
	_     [6]int // the rest of a cache line
}

var storage [nodes]node

// link makes a ring of all nodes, each a fixed step behind the one before, and cuts it.
func link() *node {
	const step = 197 // odd: it meets every node
	at := 0
	for range nodes - 1 {
		next := (at + step) % nodes
		storage[at].next, storage[at].value = &storage[next], at
		at = next
	}
	storage[at].value = at
	return &storage[0]
}

//go:noinline
func sum(list *node) int {
	total := 0
	for n := list; n != nil; n = n.next {
		total += n.value
	}
	return total
}

//go:noinline
func work() int {
	list := link()
	total := 0
	for range walks {
		total += sum(list)
	}
	return total
}

func main() {
	fmt.Println(work())
}
