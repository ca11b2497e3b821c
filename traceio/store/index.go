package store

import (
	"context"
	"errors"
	"io"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// indexer turns a Source into a Recording in memory, of compressed blocks: a byte or less per reference as a rule.
type indexer struct {
	name, format string
	src          traceio.Source
	mem          memory
	out          *orr.Writer
	acc          traceio.Block // rows not yet written
	next         traceio.Seq   // Seq of the next data reference to accumulate
	cache        *cache
	allocs       packedLog
	marks        []traceio.Mark
	blocks       int
	published    int // blocks in the last prefix
	report       func()
	partial      func(*Recording)
	wanted       func(live bool) bool
}

func newIndexer(name, format string, src traceio.Source) (*indexer, error) {
	x := &indexer{name: name, format: format, src: src, cache: newCache()}
	var err error
	x.out, err = orr.Create(&x.mem, nil)
	return x, err
}

// run reads the source to its end. An error after the first block ends the recording there and becomes a loss.
func (x *indexer) run(ctx context.Context) (*Recording, error) {
	var in traceio.Block
	var broken error
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := x.src.Next(&in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if x.next == 0 && x.acc.Len() == 0 {
				return nil, err
			}
			broken = err
			break
		}
		if err := x.add(&in); err != nil {
			return nil, err
		}
		if x.report != nil {
			x.report()
		}
		if x.partial != nil && x.due() {
			x.published = x.blocks
			if x.wanted == nil || x.wanted(false) {
				x.partial(x.recording(true))
			}
		}
	}
	if err := x.flush(); err != nil {
		return nil, err
	}
	r := x.recording(false)
	if broken != nil {
		r.loss = append(r.loss, traceio.Loss{
			Kind: "unreadable-tail", Count: 1, Why: "what follows cannot be read: " + broken.Error(),
			First: position(broken),
		})
	}
	return r, nil
}

// due tells whether it is time for a prefix: after the first block, then whenever a quarter more has come. A prefix
// without references has twice the length of the one before, since its analysis takes time in proportion to its events:
// so all prefixes together take no longer than the whole.
func (x *indexer) due() bool {
	if x.next == 0 {
		return x.blocks > 0 && x.blocks >= 2*x.published
	}
	return x.blocks > x.published+x.published/4
}

// add adds a block of the source, and renumbers it. Small blocks are gathered into large ones.
func (x *indexer) add(in *traceio.Block) error {
	if x.acc.Len() > 0 && x.acc.Len()+in.Len() > traceio.MaxBlock {
		if err := x.flush(); err != nil {
			return err
		}
	}
	shift := x.next - in.First
	for i := range in.Allocs {
		in.Allocs[i].Seq += shift
	}
	for i := range in.Marks {
		in.Marks[i].Seq += shift
	}
	x.allocs.append(in.Allocs)
	x.marks = append(x.marks, in.Marks...)
	a := &x.acc
	if a.Len() == 0 {
		if a.First = x.next; len(a.Allocs)+len(a.Marks) == 0 && in.Len() > traceio.MaxBlock/2 {
			in.First = x.next
			x.next += traceio.Seq(in.Data())
			return x.write(in)
		}
		if len(a.Allocs)+len(a.Marks) == 0 {
			a.Start = in.Start
		}
	}
	a.Addr, a.PC, a.Size = append(a.Addr, in.Addr...), append(a.PC, in.PC...), append(a.Size, in.Size...)
	a.Kind, a.Thread = append(a.Kind, in.Kind...), append(a.Thread, in.Thread...)
	a.Allocs, a.Marks = append(a.Allocs, in.Allocs...), append(a.Marks, in.Marks...)
	a.Fetches += in.Fetches
	a.End = max(a.End, in.End)
	x.next += traceio.Seq(in.Data())
	if a.Len() > traceio.MaxBlock/2 || len(a.Allocs)+len(a.Marks) >= traceio.MaxBlock {
		return x.flush()
	}
	return nil
}

// flush writes what has been gathered.
func (x *indexer) flush() error {
	if x.acc.Len() == 0 && len(x.acc.Allocs)+len(x.acc.Marks) == 0 {
		return nil
	}
	err := x.write(&x.acc)
	x.acc.Reset(x.next)
	return err
}

func (x *indexer) write(b *traceio.Block) error {
	x.blocks++
	return x.out.WriteBlock(b)
}

// recording is what has been written so far; more says whether more will be added.
func (x *indexer) recording(more bool) *Recording {
	prog := *x.src.Program()
	r := wrap(x.name, x.format, x.out.Snapshot(x.mem.view(), x.name, &prog), x.cache)
	r.loss = x.src.Loss()
	end := r.Len()
	n := x.allocs.n
	for n > 0 && x.allocs.at(n-1).Seq > end {
		n--
	}
	r.allocs, r.marks = x.allocs.prefix(n), x.marks[:len(x.marks):len(x.marks)]
	for n := len(r.marks); n > 0 && r.marks[n-1].Seq > end; n-- {
		r.marks = r.marks[: n-1 : n-1]
	}
	r.pcs, _ = r.file.PCs()
	return r.numberEvents(more)
}

// position is the position in a file that an error has.
func position(err error) string {
	var e *traceio.Error
	if errors.As(err, &e) {
		return where(e)
	}
	return ""
}
