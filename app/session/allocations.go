package session

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/traceio/store"
	"orrery/traceio/symbols"
)

// Allocations is a recording's heap. A log that has nothing but allocations is read straight into it, without the rest of
// a Recording.
type Allocations struct {
	*heap.Heap
	Path string
	Loss []traceio.Loss
	Full *Recording // nil for a log without references; to be closed otherwise
}

// LoadHeap reads the heap of a recording of any format. report is told bytes.
func LoadHeap(ctx context.Context, path string, report func(done, total int64)) (*Allocations, error) {
	src, err := store.OpenEvents(ctx, path, report)
	if err != nil {
		return nil, err
	}
	if src == nil {
		r, err := Load(ctx, path, report)
		if err != nil {
			return nil, err
		}
		return &Allocations{Heap: r.Heap, Path: path, Loss: r.Loss(), Full: r}, nil
	}
	defer src.Close()
	b := heap.NewBuilder(src.Expect/2, src.Expect/2)
	var block traceio.Block
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := src.Next(&block)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		b.Add(block.Allocs)
	}
	prog := src.Program()
	if len(prog.Sites) == 0 && slices.ContainsFunc(prog.Modules, func(m traceio.Module) bool { return fileExists(m.Path) }) {
		named := *prog
		if err := symbols.Resolve(ctx, &named, nil); err != nil {
			return nil, err
		}
		prog = &named
	}
	return &Allocations{Heap: b.Heap(prog), Path: path, Loss: src.Loss()}, nil
}

// Name is the file's name.
func (a *Allocations) Name() string { return filepath.Base(a.Path) }

// Close closes the recording below.
func (a *Allocations) Close() error {
	if a.Full == nil {
		return nil
	}
	return a.Full.Close()
}
