package symbols

import (
	"context"
	"debug/dwarf"
	"os"
	"time"

	"orrery/traceio"
)

// Resolver resolves programs one after the other and keeps the files that they have in common: of fifty programs that a
// script starts, the C library and its debug information are read once. The zero value is ready for use, by one
// goroutine at a time.
type Resolver struct {
	objects map[identity]*object
	size    int64
}

// identity tells a file from others, and from itself after a change.
type identity struct {
	path, want string // want is the build id that the recording knows
	size       int64
	changed    time.Time
}

// mostKept bounds the bytes of the files that are kept; what is parsed of them takes a few times as much.
const mostKept = 64 << 20

// Resolve does for prog what the function Resolve does.
func (r *Resolver) Resolve(ctx context.Context, prog *traceio.Program, pcs []traceio.Addr) error {
	return resolve(ctx, prog, pcs, r.open)
}

// open is openObject with a memory.
func (r *Resolver) open(path, want string) (*object, error) {
	info, err := os.Stat(path)
	if err != nil {
		return openObject(path, want)
	}
	id := identity{path, want, info.Size(), info.ModTime()}
	if o := r.objects[id]; o != nil {
		return o, nil
	}
	o, err := openObject(path, want)
	if err != nil {
		return nil, err
	}
	o.parsed = map[dwarf.Offset]*unit{}
	if r.size += info.Size() + o.detail; r.objects == nil || r.size > mostKept {
		r.objects, r.size = map[identity]*object{}, info.Size()+o.detail
	}
	r.objects[id] = o
	return o, nil
}
