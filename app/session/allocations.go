package session

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"orrery/analysis/heap"
	"orrery/traceio"
	"orrery/traceio/store"
	"orrery/traceio/symbols"
)

// Allocations is a recording's heap. A log that has nothing but allocations is read straight into it, without the rest
// of a Recording.
type Allocations struct {
	*heap.Heap
	Path string
	Loss []traceio.Loss
	Full *Recording // nil for a log without references; to be closed otherwise
}

// LoadHeap reads the heap of a recording of any format. report is told bytes.
func LoadHeap(ctx context.Context, path string, report func(done, total int64)) (*Allocations, error) {
	return loadHeap(ctx, path, nameCalls, report)
}

// LoadBlocks is LoadHeap for those who need no call tree: of a log, only those calls are named that tell sites apart.
func LoadBlocks(ctx context.Context, path string, report func(done, total int64)) (*Allocations, error) {
	return loadHeap(ctx, path, nameSites, report)
}

// loadHeap leaves it to name which calls of a log's program get names.
func loadHeap(ctx context.Context, path string, name func(context.Context,
	*traceio.Program) (*traceio.Program, error), report func(done, total int64)) (*Allocations, error) {
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
	if err := feed(ctx, src, b.Add); err != nil {
		return nil, err
	}
	prog := src.Program()
	if nameless(prog) {
		if prog, err = name(ctx, prog); err != nil {
			return nil, err
		}
	}
	return &Allocations{Heap: b.Heap(prog), Path: path, Loss: src.Loss()}, nil
}

// feed gives all events of a log to add.
func feed(ctx context.Context, src traceio.Source, add func([]traceio.Alloc)) error {
	var block traceio.Block
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := src.Next(&block)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		add(block.Allocs)
	}
}

// nameless tells whether the program's own files have to say what its calls are.
func nameless(prog *traceio.Program) bool {
	return len(prog.Sites) == 0 && slices.ContainsFunc(prog.Modules, func(m traceio.Module) bool {
		return fileExists(m.Path)
	})
}

// nameCalls names all calls.
func nameCalls(ctx context.Context, prog *traceio.Program) (*traceio.Program, error) {
	named := *prog
	err := symbols.Calls(ctx, &named, calls(prog.Stacks, func(traceio.Addr) bool { return true }))
	return &named, err
}

// nameSites names the calls by which stacks are told apart. The compiler's and the C library's own files, whose debug
// information is as large as that of all else, are left alone if the calls of others do.
func nameSites(ctx context.Context, prog *traceio.Program) (*traceio.Program, error) {
	named := *prog
	own := func(ret traceio.Addr) bool {
		return !slices.ContainsFunc(prog.Modules, func(m traceio.Module) bool {
			return ret > m.Low && ret <= m.High && runtime(m.Path)
		})
	}
	if err := symbols.Calls(ctx, &named, calls(prog.Stacks, own)); err != nil {
		return nil, err
	}
	all := func(traceio.Addr) bool { return true }
	err := symbols.Calls(ctx, &named, calls(heap.Nameless(&named), all))
	return &named, err
}

// calls are the addresses, each within its instruction, of those calls in stacks that are wanted.
func calls(stacks [][]traceio.Addr, wanted func(ret traceio.Addr) bool) (pcs []traceio.Addr) {
	for _, stack := range stacks {
		for _, ret := range stack {
			if ret != 0 && wanted(ret) {
				pcs = append(pcs, ret-1)
			}
		}
	}
	return pcs
}

// runtime tells whether a module belongs to the compiler or the C library, and so has no code of any project.
func runtime(path string) bool {
	name, _, _ := strings.Cut(filepath.Base(path), ".so")
	switch name {
	case "libc", "libm", "libpthread", "libstdc++", "libgcc_s", "ld-linux-x86-64", "ld-linux-aarch64":
		return name != filepath.Base(path)
	}
	return false
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
