package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
	"orrery/traceio/resultcache"
)

// A recorder holds an exclusive lock (flock) on its file while it writes. The kernel releases the lock when the
// recorder dies, however it dies, so the lock says more reliably than any byte in the file whether more will be
// written.

// Growing tells whether the file at path is being written by a recorder now.
func Growing(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && growing(f)
}

func growing(f *os.File) bool {
	fd := int(f.Fd())
	err := unix.Flock(fd, unix.LOCK_SH|unix.LOCK_NB)
	if err == nil {
		_ = unix.Flock(fd, unix.LOCK_UN)
	}
	return errors.Is(err, unix.EWOULDBLOCK)
}

const (
	// pollEvery is the time between two looks at a growing file.
	pollEvery = 100 * time.Millisecond
	// pauseFactor: after a prefix that took its receiver a time t, the next one comes no sooner than pauseFactor*t
	// later, so that following takes at most a quarter of a processor from the program that is recorded.
	pauseFactor = 3
)

// follow publishes prefixes of what a recorder writes until it has ended, and then opens the file.
func follow(ctx context.Context, path string, f *os.File, opt Options,
	report func(done, total int64)) (*Recording, error) {
	g := growth{tail: orr.Follow(f, path), path: path, cache: newCache()}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	fresh, next := false, time.Now()
	for {
		held := growing(f) // before asking for the size: all that was written under the lock is in the file then
		more, err := g.grow(f)
		if err != nil {
			return nil, err
		}
		if !held || g.tail.Ended() {
			break
		}
		if report != nil {
			report(g.tail.Size(), 0)
		}
		if fresh = fresh || more; fresh && !time.Now().Before(next) {
			if r := g.recording(); r.Extent() > 0 && (opt.Wanted == nil || opt.Wanted(true)) {
				began := time.Now()
				opt.Partial(r)
				fresh, next = false, time.Now().Add(pauseFactor*time.Since(began))
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
	info, err := f.Stat()
	if err != nil {
		return nil, traceio.Unreadable(path, err)
	}
	r, err := openOwn(ctx, path, f, info.Size(), opt.Check, nil)
	if err == nil && !opt.Check {
		r.identity = resultcache.Identity(f, path)
	}
	return r, err
}

// unfinished opens a recording that is still being written, as far as it goes.
func unfinished(path string, f *os.File) (*Recording, error) {
	g := growth{tail: orr.Follow(f, path), path: path, cache: newCache()}
	if _, err := g.grow(f); err != nil {
		return nil, err
	}
	r := g.recording()
	r.on, r.close = f, sync.OnceValue(f.Close)
	r.loss = append(r.loss, traceio.Loss{
		Kind: "still-written", Count: 1, First: fmt.Sprintf("byte %d", g.tail.Size()),
		Why: "the recorder is still at work; what it had written when the file was opened is used",
	})
	return r, nil
}

// growth is what has been read of a growing file.
type growth struct {
	tail   *orr.Tail
	path   string
	cache  *cache
	done   int       // blocks whose events have been read
	allocs packedLog // of those
	marks  []traceio.Mark
	loss   []traceio.Loss
}

func (g *growth) grow(f *os.File) (more bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return false, traceio.Unreadable(g.path, err)
	}
	return g.tail.Grow(info.Size())
}

// recording is what has been read, as an immutable prefix.
func (g *growth) recording() *Recording {
	file := g.tail.File()
	r := wrap(g.path, "orr", file, g.cache)
	r.live = true
	// more events of the last block may come
	for ; g.done < len(r.summaries)-1; g.done++ {
		g.marks, g.loss = g.allocs.take(file, g.done, g.marks, g.loss)
	}
	r.allocs, r.marks = g.allocs.prefix(g.allocs.n), g.marks[:len(g.marks):len(g.marks)]
	r.loss = append(r.loss, g.loss...)
	if g.done < len(r.summaries) {
		r.marks, r.loss = r.allocs.take(file, g.done, r.marks, r.loss)
	}
	r.pcs, _ = file.PCs()
	return r.numberEvents(true)
}

// take is appendEvents for a log.
func (l *packedLog) take(file *orr.File, i int, marks []traceio.Mark,
	loss []traceio.Loss) ([]traceio.Mark, []traceio.Loss) {
	var allocs []traceio.Alloc
	allocs, marks, loss = appendEvents(file, i, nil, marks, loss)
	l.append(allocs)
	return marks, loss
}

// appendEvents appends the allocations and marks of block i, or the loss if they are damaged.
func appendEvents(file *orr.File, i int, allocs []traceio.Alloc, marks []traceio.Mark,
	loss []traceio.Loss) ([]traceio.Alloc, []traceio.Mark, []traceio.Loss) {
	b := traceio.Block{Allocs: allocs, Marks: marks}
	if err := file.Events(i, &b); err != nil {
		loss = append(loss, traceio.Loss{
			Kind: "damaged-events", Count: 1, Why: "allocations and marks that cannot be decoded", First: position(err),
		})
	}
	return b.Allocs, b.Marks, loss
}
