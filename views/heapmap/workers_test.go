package heapmap

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"orrery/views/palette"
	"orrery/views/scene"
)

// A goroutine without a task joins one that has work, and none is left waiting.
func TestIdleGoroutinesJoinIn(t *testing.T) {
	p := &resultStore{wanted: []task{{}}}
	if _, ok := p.next(); !ok {
		t.Fatal("no task")
	}
	var joined atomic.Int64
	both := make(chan bool)
	helper := make(chan bool)
	go func() {
		for p.helpOther() {
		}
		close(helper)
	}()
	p.shareWork(func() {
		if joined.Add(1) == 2 {
			close(both)
		}
		<-both
	})
	if joined.Load() != 2 || len(p.joinable) != 0 {
		t.Errorf("%d did the work, %d are open", joined.Load(), len(p.joinable))
	}
	select {
	case <-helper:
		t.Error("the helper left while there was a task")
	default:
	}
	p.end()
	<-helper
	if p.wanted = []task{{}}; !p.helpOther() {
		t.Error("a task was not seen")
	}
}

// Tiles are the same however many make them.
func TestTilesAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	size := scene.Size{W: 700, H: 500, Scale: 1}
	s := State{Theme: palette.Dark(), Heap: crowd(t, 20000, 5)}
	one, many := &Renderer{Later: true}, &Renderer{Later: true}
	for r, n := range map[*Renderer]int{one: 1, many: 5} {
		for r.Scene(s, size); r.Lacks(); r.Scene(s, size) {
			done := make(chan error)
			for range n {
				go func() { done <- r.Work(context.Background(), time.Minute) }()
			}
			for range n {
				if err := <-done; err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for k, a := range one.store.tiles.all {
		k.look = many.look
		b := many.store.tiles.all[k]
		if b == nil {
			t.Fatalf("tile %d, %d is missing", k.x, k.y)
		}
		if worst, at := unlike(a.pix, b.pix); worst > 0 {
			t.Errorf("tile %d, %d is off by %d at %v", k.x, k.y, worst, at)
		}
	}
	if len(one.store.tiles.all) < 8 {
		t.Errorf("only %d tiles", len(one.store.tiles.all))
	}
}
