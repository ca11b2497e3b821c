package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// keeper keeps the last references of a recording, --keep-last. While the program runs, blocks are appended to the file
// and those that have become too old are cut out of it, which leaves holes that take no room on the disk:
//
//	header | META |  hole  ...  hole  | block | block | block |
//
// A file that is left so, because the recorder was killed, is read like any damaged one. In the end what is left is
// written again, without the hole.
type keeper struct {
	out     *output
	head    *orr.Writer // wrote the beginning of the file
	want    uint64
	blocks  []held // in the file, oldest first
	data    uint64 // data references in them
	gone    uint64 // data references cut out
	trimmed uint64 // of those, the ones from the oldest block, when that is written again
	body    int64  // where blocks begin
	at      int64  // end of the file
	holes   bool   // the file system can do it

	living  map[traceio.Addr]traceio.Alloc  // blocks of the heap from before the oldest block, with no free until then
	threads map[traceio.Thread]traceio.Mark // threads that began and have not ended before it

	fresh        *output // the file without the hole
	refs, allocs uint64  // in it
}

// held is a block in the file, with the events that must not be forgotten with it.
type held struct {
	packed orr.Packed // detached
	at     int64
	size   int
	allocs []traceio.Alloc
	marks  []traceio.Mark
}

func newKeeper(file destination, head *orr.Writer, want uint64) (*keeper, error) {
	out, ok := file.(*output)
	if !ok || !out.regular {
		return nil, errors.New("the last references can be kept in a file only")
	}
	at, err := out.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, fmt.Errorf("making the recording: %w", err)
	}
	return &keeper{out: out, head: head, want: want, body: at, at: at, holes: true,
		living:  map[traceio.Addr]traceio.Alloc{},
		threads: map[traceio.Thread]traceio.Mark{}}, nil
}

// put appends a block and cuts out those that are not needed any more.
func (k *keeper) put(p *orr.Packed, block *traceio.Block) error {
	if p.Len() == 0 {
		return nil
	}
	if _, err := k.out.Write(p.Bytes()); err != nil {
		return fmt.Errorf("write the recording at byte %d: %w", k.at, err)
	}
	b := held{packed: p.Detach(), at: k.at, size: p.Len(), allocs: slices.Clone(block.Allocs)}
	for _, m := range block.Marks {
		if m.Kind == traceio.ThreadStart || m.Kind == traceio.ThreadEnd {
			b.marks = append(b.marks, m)
		}
	}
	k.blocks = append(k.blocks, b)
	k.at += int64(b.size)
	k.data += b.packed.Data()
	n := 0
	for n < len(k.blocks)-1 && k.data-k.blocks[n].packed.Data() >= k.want {
		k.forget(&k.blocks[n])
		n++
	}
	if n > 0 {
		k.cut(k.blocks[0].at, k.blocks[n].at)
		k.blocks = slices.Delete(k.blocks, 0, n)
	}
	return nil
}

// describe appends what is known of the program, for a file that is left with its hole.
func (k *keeper) describe(prog *traceio.Program) (err error) {
	if err = k.head.WriteProgram(prog); err == nil {
		k.at, err = k.out.Seek(0, io.SeekCurrent)
	}
	return err
}

// forget takes a block's references out of the count and keeps what its events tell about later ones.
func (k *keeper) forget(b *held) {
	k.data -= b.packed.Data()
	k.gone += b.packed.Data()
	k.remember(b.allocs, b.marks)
}

func (k *keeper) remember(allocs []traceio.Alloc, marks []traceio.Mark) {
	for _, a := range allocs {
		if a.Op == traceio.Free {
			delete(k.living, a.Addr)
		} else {
			k.living[a.Addr] = a
		}
	}
	for _, m := range marks {
		switch m.Kind {
		case traceio.ThreadStart:
			k.threads[m.Thread] = m
		case traceio.ThreadEnd:
			delete(k.threads, m.Thread)
		}
	}
}

// cut gives back what the bytes [from, to) of the file take on the disk. What is before them is cut out already; the
// page of the disk that is shared with that goes now, too.
func (k *keeper) cut(from, to int64) {
	from = max(from-1<<16, k.body)
	if k.holes && unix.Fallocate(int(k.out.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE,
		from, to-from) != nil {
		k.holes = false
	}
}

// fit is compact on a disk that may have no room for that: half of what is left goes then, the oldest, and half of the
// rest. full becomes the reason when something did.
func (k *keeper) fit(prog *traceio.Program, full *error) (w *orr.Writer, err error) {
	for {
		if w, err = k.compact(prog); err == nil {
			return w, nil
		}
		*full = err
		if !k.halve() {
			return k.head, err
		}
	}
}

// halve gives up the older half of what is left; false when that is nothing.
func (k *keeper) halve() bool {
	if k.fresh != nil {
		k.fresh.discard()
	}
	k.gone, k.trimmed = k.gone-k.trimmed, 0
	n := (len(k.blocks) + 1) / 2
	if n == 0 {
		return false
	}
	for i := range k.blocks[:n] {
		k.forget(&k.blocks[i])
	}
	k.cut(k.body, k.blocks[n-1].at+int64(k.blocks[n-1].size))
	k.blocks = slices.Delete(k.blocks, 0, n)
	return true
}

// compact writes what is left into a file of its own, of which everything but the end is then written.
func (k *keeper) compact(prog *traceio.Program) (w *orr.Writer, err error) {
	k.refs, k.allocs = 0, 0
	if k.fresh, err = newOutput(k.out.path); err != nil {
		return nil, err
	}
	k.fresh.again = true
	if w, err = orr.Create(k.fresh, prog); err != nil {
		return nil, fmt.Errorf("making the recording: %w", err)
	}
	for i := range k.blocks {
		b := &k.blocks[i]
		data := make([]byte, b.size)
		if _, err := k.out.ReadAt(data, b.at); err != nil {
			return nil, fmt.Errorf("reading the recording at byte %d: %w", b.at, err)
		}
		packed := b.packed // which stays as it is in the file: it may be written once more
		if err := packed.Attach(data); err != nil {
			return nil, fmt.Errorf("reading the recording at byte %d: %w", b.at, err)
		}
		if i == 0 {
			if err := k.begin(w, &packed); err != nil {
				return nil, err
			}
			continue
		}
		packed.Renumber(traceio.Seq(k.refs))
		if err := w.WritePacked(&packed); err != nil {
			return nil, err
		}
		k.refs += packed.Data()
		k.allocs += uint64(len(b.allocs))
	}
	return w, nil
}

// begin writes the oldest block from where it is wanted on, after what must be known from before.
func (k *keeper) begin(w *orr.Writer, p *orr.Packed) error {
	b, err := unpack(p)
	if err != nil {
		return err
	}
	k.trim(b, int(max(k.data, k.want)-k.want))
	k.refs = uint64(b.Data())
	if k.gone > 0 {
		b.Marks = slices.Insert(b.Marks, 0, k.before(b)...)
		old := slices.SortedFunc(maps.Values(k.living), func(a, b traceio.Alloc) int {
			return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Ticks, b.Ticks), cmp.Compare(a.Addr, b.Addr))
		})
		for i := range old {
			old[i].Seq = 0
		}
		k.allocs = uint64(len(old))
		for len(old) > maxEvents {
			if err := w.WriteBlock(&traceio.Block{Start: b.Start, End: b.Start, Allocs: old[:maxEvents]}); err != nil {
				return err
			}
			old = old[maxEvents:]
		}
		k.allocs += uint64(len(b.Allocs))
		b.Allocs = append(old, b.Allocs...)
	} else {
		k.allocs = uint64(len(b.Allocs))
	}
	return w.WriteBlock(b)
}

// trim takes the first n references out of a block that begins at 0, with the events before them.
func (k *keeper) trim(b *traceio.Block, n int) {
	cut := traceio.Seq(n)
	b.Addr, b.PC, b.Size, b.Kind, b.Thread = b.Addr[n:], b.PC[n:], b.Size[n:], b.Kind[n:], b.Thread[n:]
	allocs, _ := slices.BinarySearchFunc(b.Allocs, cut, func(a traceio.Alloc, s traceio.Seq) int {
		return cmp.Compare(a.Seq, s)
	})
	marks, _ := slices.BinarySearchFunc(b.Marks, cut, func(m traceio.Mark, s traceio.Seq) int {
		return cmp.Compare(m.Seq, s)
	})
	before := traceio.Seq(k.gone)
	k.trimmed = uint64(n)
	k.gone += k.trimmed
	if k.gone == 0 {
		return
	}
	for i := range b.Allocs[:allocs] {
		b.Allocs[i].Seq += before // as of those from other blocks, among which they are sorted
	}
	k.remember(b.Allocs[:allocs], b.Marks[:marks])
	b.Allocs, b.Marks = b.Allocs[allocs:], b.Marks[marks:]
	for i := range b.Allocs {
		b.Allocs[i].Seq -= cut
	}
	for i := range b.Marks {
		b.Marks[i].Seq -= cut
	}
}

// before are the marks that the file begins with.
func (k *keeper) before(b *traceio.Block) []traceio.Mark {
	out := []traceio.Mark{{Kind: traceio.Gap, Ticks: b.Start, Value: k.gone,
		Text: fmt.Sprintf("%d references came before; the last %d were to be kept", k.gone, k.want)}}
	for _, m := range slices.SortedFunc(maps.Values(k.threads),
		func(a, b traceio.Mark) int { return cmp.Compare(a.Thread, b.Thread) }) {
		m.Seq = 0
		out = append(out, m)
	}
	return out
}

// close puts the new file in the place of the old one.
func (k *keeper) close() error {
	if err := k.fresh.place(); err != nil {
		return err
	}
	return k.fresh.Close()
}

// unpack decodes one block, renumbered to begin at 0.
func unpack(p *orr.Packed) (*traceio.Block, error) {
	p.Renumber(0)
	var buf bytes.Buffer
	w, err := orr.Create(&buf, nil)
	if err != nil {
		return nil, err
	}
	if err := w.WritePacked(p); err != nil {
		return nil, err
	}
	if err := w.Close(nil); err != nil {
		return nil, err
	}
	f, err := orr.OpenChecked(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "kept")
	if err != nil {
		return nil, err
	}
	b := new(traceio.Block)
	if len(f.Entries()) == 0 {
		return b, nil
	}
	return b, f.Decode(0, b)
}
