package heapmap

import (
	"slices"
	"sync"
)

// crew does work that any number of goroutines can do together, and returns when it is done: each of them calls it
// once.
type crew func(work func())

// all is a crew of n.
func all(n int) crew {
	return func(work func()) {
		if n <= 1 {
			work()
			return
		}
		var wait sync.WaitGroup
		for range n {
			wait.Go(work)
		}
		wait.Wait()
	}
}

// A tile of the whole map may take ten times as long as others, and one goroutine of Work would be left with it while
// the others have nothing to do any more. So each that paints a tile leaves its work where those can find it who have
// none: they take bands of its tile.

// shared is work that others may join.
type shared struct {
	work    func()
	helpers sync.WaitGroup
}

// share is the crew of whoever calls it and of those who find no task any more.
func (p *parts) share(work func()) {
	s := &shared{work: work}
	p.mu.Lock()
	p.open = append(p.open, s)
	p.idle.Broadcast()
	p.mu.Unlock()
	work()
	p.close(s)
	s.helpers.Wait()
}

// close tells that there is nothing left to join of s.
func (p *parts) close(s *shared) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.open, s); i >= 0 {
		p.open = slices.Delete(p.open, i, i+1)
	}
}

// help joins another in their work, as soon as one has some, unless there is a task again; false when nobody works any
// more.
func (p *parts) help() bool {
	p.mu.Lock()
	if p.idle.L == nil {
		p.idle.L = &p.mu
	}
	for len(p.open) == 0 && len(p.wanted) == 0 && p.busy > 0 {
		p.idle.Wait()
	}
	if len(p.open) == 0 || len(p.wanted) > 0 {
		defer p.mu.Unlock()
		return len(p.wanted) > 0
	}
	s := p.open[0]
	s.helpers.Add(1)
	p.mu.Unlock()
	s.work()
	p.close(s)
	s.helpers.Done()
	return true
}

// end tells that a task is done.
func (p *parts) end() {
	p.mu.Lock()
	p.busy--
	p.idle.Broadcast()
	p.mu.Unlock()
}
