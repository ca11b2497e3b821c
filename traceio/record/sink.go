package record

import (
	"runtime"
	"sync"
	"sync/atomic"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// sink encodes pieces on several goroutines and puts them down in the order in which they came: encoding costs several
// times what emptying the ring does.
type sink struct {
	store  storage
	packs  chan *job // to the goroutines that encode
	order  chan *job // to the one that writes
	free   chan *job // done with
	failed atomic.Pointer[error]
	all    sync.WaitGroup
}

// storage puts encoded blocks, and what is known of the program by now, into a file.
type storage interface {
	put(*job) error
	describe(*traceio.Program) error
}

// job is a piece on its way into the file, or a description of the program.
type job struct {
	prog   *traceio.Program // nil for a piece
	piece  *piece
	packed orr.Packed
	done   chan error // encoded
}

// ahead is how many pieces (of 1.2 MB) may be under way.
const ahead = 6

func newSink(s storage) (*sink, error) {
	o := &sink{store: s, packs: make(chan *job, ahead), order: make(chan *job, ahead), free: make(chan *job, ahead+2)}
	for range min(runtime.GOMAXPROCS(0), 4) {
		k, err := orr.NewPacker()
		if err != nil {
			return nil, err
		}
		o.all.Go(func() {
			for j := range o.packs {
				j.done <- k.PackKeys(&j.piece.block, j.piece.keys, &j.packed)
			}
		})
	}
	o.all.Go(o.write)
	return o, nil
}

func (o *sink) write() {
	for j := range o.order {
		if j.prog != nil {
			if o.failed.Load() == nil {
				_ = o.store.describe(j.prog) // a failure comes again with the next block
			}
			continue
		}
		err := <-j.done
		if err == nil && o.failed.Load() == nil {
			err = o.store.put(j)
		}
		if err != nil {
			o.failed.CompareAndSwap(nil, &err)
		}
		select {
		case o.free <- j:
		default:
		}
	}
}

// take hands a piece on and gives another for the next. The error may be that of an earlier piece.
func (o *sink) take(p *piece) (*piece, error) {
	if err := o.failed.Load(); err != nil {
		return p, *err
	}
	var j *job
	var empty *piece
	select {
	case j = <-o.free:
		empty = j.piece
	default:
		j, empty = &job{done: make(chan error, 1)}, new(piece)
	}
	j.piece = p
	o.packs <- j
	o.order <- j
	return empty, nil
}

// describe puts down what is known of the program; prog must not change any more.
func (o *sink) describe(prog *traceio.Program) { o.order <- &job{prog: prog} }

// close waits until all that was taken is in the file.
func (o *sink) close() error {
	close(o.packs)
	close(o.order)
	o.all.Wait()
	if err := o.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// plain puts every block into the recording.
type plain struct{ w *orr.Writer }

func (p plain) put(j *job) error                     { return p.w.WritePacked(&j.packed) }
func (p plain) describe(prog *traceio.Program) error { return p.w.WriteProgram(prog) }
