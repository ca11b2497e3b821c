package record

import (
	"sync"
	"sync/atomic"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// sink encodes the rows of an image and puts blocks into its file, on a goroutine of its own.
type sink struct {
	store  storage
	packer *orr.Packer
	work   chan job
	free   chan *batch // done with
	failed atomic.Pointer[error]
	all    sync.WaitGroup
}

// storage puts encoded blocks, and what is known of the program by now, into a file. Of the block only its events are
// there.
type storage interface {
	put(*orr.Packed, *traceio.Block) error
	describe(*traceio.Program) error
}

// job is rows, the block that those before it belong to, or a description of the program.
type job struct {
	batch *batch
	block *traceio.Block
	prog  *traceio.Program
}

// ahead is how many jobs may be waiting: batches of 72 KB, most often.
const ahead = 8

func newSink(s storage) (*sink, error) {
	k, err := orr.NewPacker()
	if err != nil {
		return nil, err
	}
	o := &sink{store: s, packer: k, work: make(chan job, ahead), free: make(chan *batch, ahead+2)}
	o.all.Go(o.write)
	return o, nil
}

func (o *sink) write() {
	var packed orr.Packed
	for j := range o.work {
		err := o.do(j, &packed)
		if err != nil {
			o.failed.CompareAndSwap(nil, &err)
		}
		if j.batch != nil {
			select {
			case o.free <- j.batch:
			default:
			}
		}
	}
}

func (o *sink) do(j job, packed *orr.Packed) error {
	if o.failed.Load() != nil {
		return nil // what follows is not kept
	}
	switch b := j.batch; {
	case j.prog != nil:
		_ = o.store.describe(j.prog) // a failure comes again with the next block
	case j.block != nil:
		if err := o.packer.PackAdded(j.block, packed); err != nil {
			return err
		}
		return o.store.put(packed, j.block)
	default:
		return o.packer.Add(b.addr[:b.n], b.key[:b.n], b.thread[:b.n])
	}
	return nil
}

// rows hands a batch on and gives another. The error may be that of an earlier one.
func (o *sink) rows(b *batch) (*batch, error) {
	if err := o.failed.Load(); err != nil {
		return b, *err
	}
	o.work <- job{batch: b}
	select {
	case b = <-o.free:
		return b, nil
	default:
		return new(batch), nil
	}
}

// end hands a copy of the block on.
func (o *sink) end(b *traceio.Block) error {
	if err := o.failed.Load(); err != nil {
		return *err
	}
	whole := *b
	b.Allocs, b.Marks = nil, nil
	o.work <- job{block: &whole}
	return nil
}

// describe puts down what is known of the program; prog must not change any more.
func (o *sink) describe(prog *traceio.Program) { o.work <- job{prog: prog} }

// close waits until all that was taken is in the file.
func (o *sink) close() error {
	close(o.work)
	o.all.Wait()
	if err := o.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// plain puts every block into the recording.
type plain struct{ w *orr.Writer }

func (p plain) put(k *orr.Packed, _ *traceio.Block) error { return p.w.WritePacked(k) }
func (p plain) describe(prog *traceio.Program) error      { return p.w.WriteProgram(prog) }
