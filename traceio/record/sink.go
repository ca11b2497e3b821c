package record

import (
	"sync"
	"sync/atomic"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// sink encodes the references of an image, and completes blocks and writes them on a goroutine of its own.
type sink struct {
	store  storage
	packer *orr.Packer // of the block being filled
	spare  bool        // another packer may be made
	work   chan job
	free   chan *orr.Packer // for reuse
	failed atomic.Pointer[error]
	all    sync.WaitGroup
}

// storage writes encoded blocks, and what is known of the program by now, to a file. The traceio.Block has only events.
type storage interface {
	put(*orr.Packed, *traceio.Block) error
	describe(*traceio.Program) error
}

// job is a block without its references and the packer that has them, or a description of the program.
type job struct {
	packer *orr.Packer
	block  *traceio.Block
	prog   *traceio.Program
}

func newSink(s storage) (*sink, error) {
	k, err := orr.NewPacker()
	if err != nil {
		return nil, err
	}
	o := &sink{store: s, packer: k, spare: true, work: make(chan job, 4), free: make(chan *orr.Packer, 2)}
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
		if j.packer != nil {
			o.free <- j.packer
		}
	}
}

func (o *sink) do(j job, packed *orr.Packed) error {
	if o.failed.Load() != nil {
		return nil // what follows is not kept
	}
	if j.prog != nil {
		_ = o.store.describe(j.prog) // after a failure the next block fails, too
		return nil
	}
	if err := j.packer.PackAdded(j.block, packed); err != nil {
		return err
	}
	return o.store.put(packed, j.block)
}

// rows encodes rows. The error may be that of an earlier block.
func (o *sink) rows(rows []orr.Row, tag orr.SiteKey) error {
	if err := o.failed.Load(); err != nil {
		return *err
	}
	return o.packer.Add(rows, tag)
}

// end hands a copy of the block to the goroutine. While it is completed, the next one can be filled.
func (o *sink) end(b *traceio.Block) (err error) {
	if err := o.failed.Load(); err != nil {
		return *err
	}
	whole := *b
	b.Allocs, b.Marks = nil, nil
	o.work <- job{packer: o.packer, block: &whole}
	if o.spare {
		o.spare = false
		o.packer, err = orr.NewPacker()
		return err
	}
	o.packer = <-o.free
	return nil
}

// describe writes what is known of the program; prog must not change any more.
func (o *sink) describe(prog *traceio.Program) { o.work <- job{prog: prog} }

// close waits until everything is in the file.
func (o *sink) close() error {
	close(o.work)
	o.all.Wait()
	if err := o.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// plain is the storage that writes every block.
type plain struct {
	w      *orr.Writer
	events []eventCount // of its blocks
}

// eventCount is the number of events of a block, without the marks that are about its references.
type eventCount struct{ allocs, marks int }

func (p *plain) put(k *orr.Packed, b *traceio.Block) error {
	had := p.w.Blocks()
	err := p.w.WritePacked(k)
	if p.w.Blocks() > had {
		h := eventCount{allocs: len(b.Allocs)}
		for _, m := range b.Marks {
			if m.Kind != traceio.Enter {
				h.marks++
			}
		}
		p.events = append(p.events, h)
	}
	return err
}

func (p *plain) describe(prog *traceio.Program) error { return p.w.WriteProgram(prog) }
