package heap

// Rule tells which bin a block belongs to.
type Rule struct {
	Text string
}

var glibc = &Rule{Text: "glibc"}

func (r *Rule) classes(h *Heap) (names []string, of func(id int, b *Block) int) {
	return make([]string, classes), func(_ int, b *Block) int { return binOf(b.Usable()) }
}
