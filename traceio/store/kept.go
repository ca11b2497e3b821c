package store

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/resultcache"
)

// A foreign file is parsed once: the blocks that it was turned into go into the user's result cache, as a file of ours,
// and the next time that is opened. The same holds for files of ours in a packing. Behind the file of ours stands the
// name of the format that it was made of and the name's length:
//
//	| file of ours ... | "lackey+gzip" | 11 |

// worthKeeping is how many references and events a file must have for its blocks to be kept; fewer are parsed quickly.
const worthKeeping = 1 << 20

// keeper puts the converted form of one file in the result cache, and opens it from there.
type keeper struct {
	results  *resultcache.Cache
	f        *os.File
	path     string
	identity string // of the file as it was before it was read
	least    uint64 // references and events that are worth keeping
}

// newKeeper is a keeper of f; it keeps nothing of anything but a regular file.
func newKeeper(f *os.File, path string, least uint64) *keeper {
	return &keeper{results: resultcache.Open(), f: f, path: path, identity: resultcache.Identity(f, path), least: least}
}

func (k *keeper) key() string { return resultcache.Key(k.identity, "orr") }

// recall opens the entry, nil when there is none that is intact. made is what has just been put there, if anything.
func (k *keeper) recall(ctx context.Context, made *Recording) *Recording {
	e, err := k.results.Get(k.key())
	if err != nil {
		return nil
	}
	r, err := k.open(ctx, e, made)
	if err != nil {
		e.Close()
		k.results.Remove(k.key())
		return nil
	}
	return r
}

var errKept = errors.New("an entry of the result cache is damaged")

func (k *keeper) open(ctx context.Context, e *resultcache.Entry, made *Recording) (*Recording, error) {
	var length [1]byte
	if e.Size < 1 {
		return nil, errKept
	}
	if _, err := e.ReadAt(length[:], e.Size-1); err != nil {
		return nil, err
	}
	format := make([]byte, length[0])
	size := e.Size - 1 - int64(len(format))
	if size < 0 {
		return nil, errKept
	}
	if _, err := e.ReadAt(format, size); err != nil {
		return nil, err
	}
	r, err := openOwn(ctx, k.path, e.File, size, false, made)
	if err != nil {
		return nil, err
	}
	if len(r.file.Loss()) > 0 {
		return nil, errKept
	}
	r.format, r.identity = string(format), k.identity
	r.damaged = func() { k.results.Remove(k.key()) }
	if !strings.HasPrefix(r.format, "orr") && len(r.prog.Lost) > 0 { // these are this file's own losses
		prog := *r.prog
		prog.Lost = nil
		r.prog = &prog
	}
	return r, nil
}

// weight is how many references and events the recording has.
func (r *Recording) weight() uint64 {
	return r.counts.Loads + r.counts.Stores + r.counts.Fetches + uint64(r.allocs.n)
}

// keep puts a recording, which is size bytes of our format, in the result cache and opens it from there. It is nil when
// the recording is not kept.
func (k *keeper) keep(ctx context.Context, data io.ReaderAt, size int64, r *Recording) *Recording {
	format := r.format
	// the file may have been written to meanwhile
	if r.weight() < k.least || len(format) > 255 || k.identity != resultcache.Identity(k.f, k.path) {
		return nil
	}
	err := k.results.Put(k.key(), size, func(w io.Writer) error {
		if _, err := io.Copy(w, io.NewSectionReader(data, 0, size)); err != nil {
			return err
		}
		_, err := w.Write(append([]byte(format), byte(len(format))))
		return err
	})
	if err != nil {
		return nil
	}
	return k.recall(ctx, r)
}

// keepIndexed keeps the converted form of a foreign file, and gives the recording to use in place of r.
func (k *keeper) keepIndexed(ctx context.Context, x *indexer, r *Recording) *Recording {
	if k.results == nil || k.identity == "" || r.weight() < k.least {
		return r
	}
	prog := *r.prog
	prog.Lost = r.loss
	if x.out.Close(&prog) != nil {
		return r
	}
	if kept := k.keep(ctx, x.mem.view(), x.mem.size, r); kept != nil {
		return kept
	}
	return r
}

// keepSpooled keeps a file of ours that was decompressed into f.
func (k *keeper) keepSpooled(ctx context.Context, r *Recording, f *os.File, size int64) *Recording {
	if len(r.file.Loss()) > 0 {
		return r
	}
	kept := k.keep(ctx, f, size, r)
	if kept == nil {
		return r
	}
	r.Close()
	return kept
}

// Identity is the identity of the file's state, for results to keep in the user's result cache. It is "" where none
// should be kept: for pipes, for recordings that still grow, and with Options.Check.
func (r *Recording) Identity() string { return r.identity }

// decode fills b with block i.
func (r *Recording) decode(i int, b *traceio.Block) error {
	err := r.file.Decode(i, b)
	if err != nil && r.damaged != nil && errors.Is(err, orr.ErrDamaged) {
		r.damaged()
		return &traceio.Error{File: r.path, Msg: "the entry of this file in the result cache is damaged",
			Hint: "open it again; it is read anew then", Err: err}
	}
	return err
}
