package traceio

// LossKind says what one kind of unusable line is called, and why such lines cannot be used.
type LossKind struct{ Name, Why string }

// LineLosses counts the unusable lines of a text by kind, for readers that number their kinds: what is counted by the
// million is found by its number. The zero value has counted nothing.
type LineLosses struct {
	kinds []lineLoss
	tail  Tally
}

type lineLoss struct{ count, first uint64 }

// Add counts one line of a kind, the number of an element of List's table.
func (l *LineLosses) Add(kind int, line uint64) {
	for kind >= len(l.kinds) {
		l.kinds = append(l.kinds, lineLoss{})
	}
	k := &l.kinds[kind]
	if k.count == 0 {
		k.first = line
	}
	k.count++
}

// Tail notes that the bytes ended with an error at a byte offset of the decompressed text. Only the first counts.
func (l *LineLosses) Tail(err error, at int64) {
	if len(l.tail.list) == 0 {
		l.tail.Tail(err, at)
	}
}

// List gives the counts in the order of the kinds in table, nil when nothing was lost.
func (l *LineLosses) List(table []LossKind) []Loss {
	var t Tally
	for k, n := range l.kinds {
		if n.count > 0 {
			t.Add(n.count, table[k].Name, table[k].Why, "line", int64(n.first))
		}
	}
	return append(t.list, l.tail.list...)
}
