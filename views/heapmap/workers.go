package heapmap

import (
	"slices"
	"sync"
)

// workers calls work on several goroutines at the same time, once on each, and returns when all calls have returned.
// The calls share their tasks out among themselves, by an atomic counter.
type workers func(work func())

// startWorkers starts n goroutines for a piece of work.
func startWorkers(n int) workers {
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
// the others are idle. So a goroutine that paints a tile puts its work on the list joinable, and idle goroutines take
// bands of that tile.

// sharedWork is work that idle goroutines may join.
type sharedWork struct {
	work    func()
	helpers sync.WaitGroup
}

// shareWork runs work on the calling goroutine and on those that find no task of their own.
func (p *resultStore) shareWork(work func()) {
	s := &sharedWork{work: work}
	p.mu.Lock()
	p.joinable = append(p.joinable, s)
	p.idle.Broadcast()
	p.mu.Unlock()
	work()
	p.closeWork(s)
	s.helpers.Wait()
}

// closeWork takes s off the list: none of its bands is left.
func (p *resultStore) closeWork(s *sharedWork) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.joinable, s); i >= 0 {
		p.joinable = slices.Delete(p.joinable, i, i+1)
	}
}

// helpOther waits until there is work to join, or a new task, and joins the work. False when no goroutine has a task
// any more.
func (p *resultStore) helpOther() bool {
	p.mu.Lock()
	if p.idle.L == nil {
		p.idle.L = &p.mu
	}
	for len(p.joinable) == 0 && len(p.wanted) == 0 && p.busy > 0 {
		p.idle.Wait()
	}
	if len(p.joinable) == 0 || len(p.wanted) > 0 {
		defer p.mu.Unlock()
		return len(p.wanted) > 0
	}
	s := p.joinable[0]
	s.helpers.Add(1)
	p.mu.Unlock()
	s.work()
	p.closeWork(s)
	s.helpers.Done()
	return true
}

// end marks a task as done.
func (p *resultStore) end() {
	p.mu.Lock()
	p.busy--
	p.idle.Broadcast()
	p.mu.Unlock()
}
