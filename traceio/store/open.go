package store

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"orrery/traceio"
	"orrery/traceio/heaplog"
	"orrery/traceio/orr"
	"orrery/traceio/resultcache"
)

// Options change how Open works.
type Options struct {
	// Partial, if not nil, is called from Open with growing prefixes while a long foreign file is indexed: the first
	// soon after its first block, the next whenever a quarter more is there, or twice as much of a file that has no
	// references. The last call is not the whole recording.
	//
	// With it, Open follows a file of ours that is being written (see Growing), however long that takes, with prefixes
	// whose Live is true; the result is the file as its recorder left it. Without it, the file is opened as far as it
	// goes.
	Partial func(*Recording)

	// Wanted, if not nil, says whether a prefix should be made for Partial; live: while the file is being written.
	Wanted func(live bool) bool

	// Check verifies every checksum of a file of ours however long it is; files up to 32 MiB are always verified.
	// Damage then is a Loss, where it otherwise is an error of Block that errors.Is finds to be orr.ErrDamaged.
	Check bool

	keepFrom uint64 // references from which on what becomes of a foreign file is kept; 0 is worthKeeping
}

// Open opens a recording of any format, which is detected by its content, also compressed with gzip, zstd or xz. report
// gets bytes of the file and may be nil. Errors are *traceio.Error, or the context's.
func Open(ctx context.Context, path string, opt Options, report func(done, total int64)) (*Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, traceio.Unreadable(path, err)
	}
	r, err := open(ctx, path, f, opt, report)
	if err != nil {
		f.Close()
		return nil, err
	}
	if r.on != f {
		f.Close()
	}
	return r, nil
}

func open(ctx context.Context, path string, f *os.File, opt Options,
	report func(done, total int64)) (*Recording, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, traceio.Unreadable(path, err)
	}
	if info.IsDir() {
		return nil, &traceio.Error{File: path, Msg: "this is a directory", Hint: "name a recording in it"}
	}
	if info.Mode().IsRegular() {
		head := make([]byte, 16)
		n, err := f.ReadAt(head, 0)
		if err != nil && err != io.EOF {
			return nil, traceio.Unreadable(path, err)
		}
		switch own := orr.Magic(head[:n]); {
		case (own || n == 0) && opt.Partial != nil && growing(f):
			return follow(ctx, path, f, opt, report)
		case own && opt.Partial == nil && growing(f):
			return unfinished(path, f)
		case own:
			r, err := openOwn(ctx, path, f, info.Size(), opt.Check, nil)
			if err == nil && !opt.Check {
				r.identity = resultcache.Identity(f, path)
			}
			return r, err
		}
	}
	keep := newKeeper(f, path, cmp.Or(opt.keepFrom, worthKeeping))
	if !opt.Check {
		if r := keep.recall(ctx, nil); r != nil {
			return withProgram(r, path, info), nil
		}
	}
	in := &counting{r: f}
	u, err := traceio.Unpack(in, path)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	if head, _ := u.Peek(traceio.HeadLen); orr.Magic(head) {
		return openSpooled(ctx, keep, u, in, opt.Check)
	}
	src, format, err := detect(u, path)
	if err != nil {
		return nil, err
	}
	x, err := newIndexer(path, format, src)
	if err != nil {
		return nil, err
	}
	x.partial, x.wanted = opt.Partial, opt.Wanted
	if report != nil {
		x.report = func() { report(in.n, max(info.Size(), in.n)) }
	}
	r, err := x.run(ctx)
	if err != nil {
		return nil, err
	}
	if !opt.Check {
		r.identity = keep.identity
	}
	return withProgram(keep.keepIndexed(ctx, x, r), path, info), nil
}

// withProgram describes the executable of a foreign file that names none, where it is found.
func withProgram(r *Recording, path string, info fs.FileInfo) *Recording {
	m, ok := findProgram(r.prog, path, info, r.pcs)
	if !ok {
		return r
	}
	named := *r.prog
	named.Modules = []traceio.Module{m}
	return r.WithProgram(&named)
}

// openOwn opens our own format, which stays on disk. made is the recording that the file was written from, if there is
// one: a log of events alone is taken from there.
func openOwn(ctx context.Context, path string, f *os.File, size int64, check bool,
	made *Recording) (*Recording, error) {
	load := orr.Open
	if check {
		load = orr.OpenChecked
	}
	file, err := load(f, size, path)
	if err != nil {
		return nil, err
	}
	r := wrap(path, "orr", file, newCache())
	r.loss = append(r.loss, r.prog.Lost...)
	r.on, r.close = f, sync.OnceValue(f.Close)
	if made != nil && made.Len() == 0 {
		r.allocs, r.marks, r.counts.Threads = made.allocs, made.marks, made.counts.Threads
		r.pcs, err = file.PCs()
		return r, err
	}
	for i := range r.summaries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.marks, r.loss = r.allocs.take(file, i, r.marks, r.loss)
	}
	if r.pcs, err = file.PCs(); err != nil {
		return nil, err
	}
	return r.numberEvents(false), nil
}

// openSpooled opens our own format, compressed or from a pipe.
func openSpooled(ctx context.Context, keep *keeper, u *traceio.Unpacked, packed *counting,
	check bool) (*Recording, error) {
	tmp, size, err := spool(ctx, u, packed, keep.path)
	if err != nil {
		return nil, err
	}
	r, err := openOwn(ctx, keep.path, tmp, size, check, nil)
	if err != nil {
		tmp.Close()
		return nil, err
	}
	r.format += suffix(u)
	if !check {
		r.identity = keep.identity
	}
	return keep.keepSpooled(ctx, r, tmp, size), nil
}

// suffix is the compression in Format.
func suffix(u *traceio.Unpacked) string {
	if u.Packing == "" {
		return ""
	}
	return "+" + u.Packing
}

// detect finds the reader for an unpacked stream by its first bytes.
func detect(u *traceio.Unpacked, path string) (traceio.Source, string, error) {
	head, err := u.Peek(traceio.HeadLen)
	if len(head) == 0 {
		if err != nil && err != io.EOF {
			return nil, "", &traceio.Error{
				File: path, Msg: fmt.Sprintf("the file cannot be read: %v", err), Hint: "was it cut? copy it again", Err: err,
			}
		}
		return nil, "", &traceio.Error{File: path, Msg: "the file is empty",
			Hint: "record again with `orrery record -- PROGRAM`"}
	}
	if f := recognise(head); f != nil {
		src, err := f.open(u, path)
		return src, f.name + suffix(u), err
	}
	if src, format := heaplog.Detect(u, head, path); src != nil {
		return src, format + suffix(u), nil
	}
	return nil, "", refuse(head, path).Because(err)
}

// counting counts the bytes read through it.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// where is the position in an error, in the words of traceio.Loss.
func where(e *traceio.Error) string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d", e.Line)
	}
	return fmt.Sprintf("byte %d", e.Offset)
}
