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

// keeper is the storage that keeps the last references of a recording, --keep-last. While the program runs, blocks are
// appended to the file and those that have become too old are punched out of it, which leaves a hole without disk
// blocks:
//
//	header | META |  hole  ...  hole  | block | block | block |
//
// If the recorder is killed, the file stays so and is read like any damaged one. At the end the blocks are copied to a
// file without the hole.
type keeper struct {
	out     *output
	head    *orr.Writer // wrote the beginning of the file
	want    uint64
	blocks  []keptBlock // in the file, oldest first
	data    uint64      // data references in them
	gone    uint64      // data references removed
	trimmed uint64      // of those, the ones from the oldest block, when that is copied
	body    int64       // where blocks begin
	at      int64       // end of the file
	holes   bool        // the file system can punch holes

	liveBlocks map[traceio.Addr]traceio.Alloc  // blocks of the heap from before the oldest block, with no free until then
	threads    map[traceio.Thread]traceio.Mark // threads that began and have not ended before it

	fresh        *output // the file without the hole
	refs, allocs uint64  // in fresh
}

// keptBlock is a block in the file, with those of its events that say what lives after it.
type keptBlock struct {
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
		liveBlocks: map[traceio.Addr]traceio.Alloc{},
		threads:    map[traceio.Thread]traceio.Mark{}}, nil
}

// put appends a block and removes those that are not needed any more.
func (k *keeper) put(p *orr.Packed, block *traceio.Block) error {
	if p.Len() == 0 {
		return nil
	}
	if _, err := k.out.Write(p.Bytes()); err != nil {
		return fmt.Errorf("write the recording at byte %d: %w", k.at, err)
	}
	b := keptBlock{packed: p.Detach(), at: k.at, size: p.Len(), allocs: slices.Clone(block.Allocs)}
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

// forget removes a block's references from the count, and notes the heap blocks and threads that outlive it.
func (k *keeper) forget(b *keptBlock) {
	k.data -= b.packed.Data()
	k.gone += b.packed.Data()
	k.remember(b.allocs, b.marks)
}

func (k *keeper) remember(allocs []traceio.Alloc, marks []traceio.Mark) {
	for _, a := range allocs {
		if a.Op == traceio.Free {
			delete(k.liveBlocks, a.Addr)
		} else {
			k.liveBlocks[a.Addr] = a
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

// cut frees the disk blocks of bytes [from, to) of the file. What is before them is free already, but for a disk block
// that both share.
func (k *keeper) cut(from, to int64) {
	from = max(from-1<<16, k.body)
	if k.holes && unix.Fallocate(int(k.out.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE,
		from, to-from) != nil {
		k.holes = false
	}
}

// fit is compact on a disk that may have no room for it: then it drops the older half of the blocks, and half of the
// rest, until it succeeds. full becomes the reason when it has dropped any.
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

// halve drops the older half of the blocks; false when there is none.
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

// compact copies the blocks to a file of their own, of which only the end is not written then.
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
		packed := b.packed // a copy, since it may be written once more
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

// begin writes the wanted part of the oldest block, after the heap blocks and threads from before it.
func (k *keeper) begin(w *orr.Writer, p *orr.Packed) error {
	b, err := unpack(p)
	if err != nil {
		return err
	}
	k.trim(b, int(max(k.data, k.want)-k.want))
	k.refs = uint64(b.Data())
	if k.gone > 0 {
		b.Marks = slices.Insert(b.Marks, 0, k.before(b)...)
		old := slices.SortedFunc(maps.Values(k.liveBlocks), func(a, b traceio.Alloc) int {
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

// trim removes the first n references of a block that begins at 0, and the events before them.
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
		b.Allocs[i].Seq += before // as in other blocks, since they are sorted together
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

// close replaces the old file by the new one.
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
