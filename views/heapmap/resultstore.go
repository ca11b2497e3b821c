package heapmap

import (
	"context"
	"image"
	"runtime"
	"sync"
	"time"
)

// A Renderer with Later set composes a frame of what it has and lists what it lacks, the most urgent first. Work makes
// that on other goroutines, and the next frame has it:
//
//	interface's goroutine   Scene ----> Scene --------> Scene      microseconds each: tiles are put in place, no more
//	                          | wanted          ^ ready
//	job                       +----> Work ------+
//
// What a newer frame no longer wants is not begun.

// task is one thing to be made: an image, or the colours of all blocks.
type task struct {
	slot string
	key  any
	make func(ctx context.Context) any
}

// result is the newest thing made for a slot.
type result struct {
	key any
	it  any
}

// resultStore is what a Renderer has and wants. Its methods are safe from any goroutine.
type resultStore struct {
	mu          sync.Mutex
	results     map[string]result
	wanted      []task
	tiles       tiles
	strokeCache strokeCache
	joinable    []*sharedWork
	busy        int       // tasks that have been taken and are not done
	idle        sync.Cond // something of what idle goroutines of Work wait for has come
}

// find is the thing for a slot: the one with that key; or, where there is none yet, the last one that was made for it.
func (p *resultStore) find(slot string, key any) (it any, current bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, ok := p.results[slot]
	return m.it, ok && m.key == key
}

func (p *resultStore) put(slot string, key, it any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.results == nil {
		p.results = map[string]result{}
	}
	p.results[slot] = result{key, it}
}

// next takes the most urgent task, which end is called after.
func (p *resultStore) next() (t task, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.wanted) == 0 {
		return t, false
	}
	t = p.wanted[0]
	p.wanted = p.wanted[1:]
	p.busy++
	return t, true
}

// get is the thing for a slot, made now or wanted for later: then it is the last one of that slot, nil if there is
// none.
func (r *Renderer) get(slot string, key any, make func(ctx context.Context) any) any {
	it, current := r.store.find(slot, key)
	if current {
		return it
	}
	if r.Later {
		r.want = append(r.want, task{slot, key, make})
		return it
	}
	it = make(context.Background())
	r.store.put(slot, key, it)
	return it
}

// image is get for images.
func (r *Renderer) image(slot string, key any, paint func(ctx context.Context) *image.RGBA) *image.RGBA {
	pix, _ := r.get(slot, key, func(ctx context.Context) any { return paint(ctx) }).(*image.RGBA)
	return pix
}

// Lacks reports whether the last frame lacks something that Work can make.
func (r *Renderer) Lacks() bool {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	return len(r.store.wanted) > 0
}

// Work makes what the last frame lacks, on as many goroutines as there are processors, until all is there, or for the
// given time and a little more; then the next frame should be asked for. It may run on any goroutine while frames are
// made; one Work at a time. The only error is ctx's.
func (r *Renderer) Work(ctx context.Context, patience time.Duration) error {
	end := time.Now().Add(patience)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for ctx.Err() == nil {
				t, ok := r.store.next()
				if !ok {
					if !r.store.helpOther() {
						return
					}
				} else {
					if it := t.make(ctx); it != nil && ctx.Err() == nil {
						r.store.put(t.slot, t.key, it)
					}
					r.store.end()
				}
				if time.Now().After(end) {
					return
				}
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}
