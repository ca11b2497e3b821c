package jobs

import (
	"context"
	"errors"
	"math/rand"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// queue is a dispatch like the interface's: functions wait until somebody runs them on one goroutine.
type queue struct {
	mu   sync.Mutex
	list []func()
}

func (q *queue) put(f func()) {
	q.mu.Lock()
	q.list = append(q.list, f)
	q.mu.Unlock()
}

// run empties the queue and tells how many functions there were.
func (q *queue) run() int {
	q.mu.Lock()
	list := q.list
	q.list = nil
	q.mu.Unlock()
	for _, f := range list {
		f()
	}
	return len(list)
}

func TestDeliver(t *testing.T) {
	broken := errors.New("the file is cut")
	for _, c := range []struct {
		name string
		work func(context.Context, func(int64, int64)) (int, error)
		want int
		err  string
	}{
		{"value", func(context.Context, func(int64, int64)) (int, error) { return 7, nil }, 7, ""},
		{"error", func(context.Context, func(int64, int64)) (int, error) { return 0, broken }, 0, "the file is cut"},
		{"panic", func(context.Context, func(int64, int64)) (int, error) {
			var list []int
			return list[3], nil
		}, 0, "counting stopped on an internal error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(nil)
			got, calls := 0, 0
			var err error
			Start(e, "k", "counting", c.work, func(v int, e error) { got, err = v, e; calls++ })
			e.Wait()
			if calls != 1 || got != c.want || (err == nil) != (c.err == "") || err != nil &&
				!strings.Contains(err.Error(), c.err) {
				t.Errorf("%d deliveries, %d, %v; want 1, %d, %q", calls, got, err, c.want, c.err)
			}
			var p *PanicError
			if c.name == "panic" && (!errors.As(err, &p) || !strings.Contains(string(p.Stack), "engine_test.go")) {
				t.Errorf("a panic must carry its stack, got %#v", err)
			}
		})
	}
}

// TestNewestWins starts many requests for few keys at random moments; whatever the timing, each key's last delivery is
// its last request, deliveries come in order of request, and none comes after a newer request was made.
func TestNewestWins(t *testing.T) {
	const keys, requests = 3, 400
	rng := rand.New(rand.NewSource(5))
	q := &queue{}
	e := New(q.put)
	var asked, got [keys]int
	for i := 1; i <= requests; i++ {
		k := rng.Intn(keys)
		asked[k] = i
		wait := time.Duration(rng.Intn(300)) * time.Microsecond
		deaf := rng.Intn(3) == 0 // work that finishes although it was cancelled
		Start(e, string(rune('a'+k)), "job", func(ctx context.Context, _ func(int64, int64)) (int, error) {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				if !deaf {
					return 0, ctx.Err()
				}
			}
			return i, nil
		}, func(v int, err error) {
			if err != nil {
				t.Errorf("request %d: %v", i, err)
			}
			if v != asked[k] {
				t.Errorf("key %d: result of request %d delivered after request %d", k, v, asked[k])
			}
			got[k] = v
		})
		if rng.Intn(4) == 0 {
			time.Sleep(time.Duration(rng.Intn(200)) * time.Microsecond)
			q.run()
		}
	}
	finish(e, q)
	if got != asked {
		t.Errorf("last deliveries %v, last requests %v", got, asked)
	}
	if left := e.Running(); len(left) != 0 {
		t.Errorf("%d jobs left: %v", len(left), left)
	}
}

// finish runs the queue until every job has ended.
func finish(e *Engine, q *queue) {
	done := make(chan struct{})
	go func() { e.Wait(); close(done) }()
	for {
		select {
		case <-done:
			q.run()
			return
		default:
			if q.run() == 0 {
				time.Sleep(100 * time.Microsecond)
			}
		}
	}
}

func TestCancelIsNotFailure(t *testing.T) {
	e := New(nil)
	var delivered atomic.Int32
	ready := make(chan struct{}, 3)
	for _, key := range []string{"open:a", "open:b", "cycles"} {
		Start(e, key, key, func(ctx context.Context, _ func(int64, int64)) (int, error) {
			ready <- struct{}{}
			<-ctx.Done()
			return 0, ctx.Err()
		}, func(int, error) { delivered.Add(1) })
	}
	<-ready
	<-ready
	if !e.Cancel("open:a") || e.Cancel("open:a") {
		t.Error("cancelling a job must work once")
	}
	if n := e.CancelUnder("open:"); n != 1 {
		t.Errorf("%d jobs under open:, want the one left", n)
	}
	if n := e.CancelAll(); n != 1 {
		t.Errorf("%d jobs left to cancel, want 1", n)
	}
	e.Wait()
	if n := delivered.Load(); n != 0 {
		t.Errorf("%d deliveries after a cancellation", n)
	}
}

func TestBoundedParallelism(t *testing.T) {
	e := New(nil)
	var now, most atomic.Int32
	for i := range 20 {
		Start(e, string(rune('a'+i)), "job", func(context.Context, func(int64, int64)) (int, error) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(2 * time.Millisecond)
			now.Add(-1)
			return 0, nil
		}, func(int, error) {})
	}
	e.Wait()
	if m, limit := most.Load(), int32(max(2, runtime.GOMAXPROCS(0))); m > limit {
		t.Errorf("%d jobs ran at once, the limit is %d", m, limit)
	}
}

// TestProgressIsCoalesced reports a hundred thousand times and hears of it at most 15 times a second, with the last
// state told at the end.
// TestStartNowHoldsNoProcessor starts far more jobs than there are processors, each of which waits for one of its own.
func TestStartNowHoldsNoProcessor(t *testing.T) {
	e := New(nil)
	const n = 50
	var sum atomic.Int64
	for i := range n {
		outer, inner := "outer"+strconv.Itoa(i), "inner"+strconv.Itoa(i)
		StartNow(e, outer, "opening", func(ctx context.Context, _ func(int64, int64)) (int, error) {
			done := make(chan int, 1)
			Start(e, inner, "indexing", func(context.Context, func(int64, int64)) (int, error) { return i, nil },
				func(v int, _ error) { done <- v })
			select {
			case v := <-done:
				return v, nil
			case <-time.After(2 * time.Minute):
				return 0, errors.New("the inner job never ran")
			}
		}, func(v int, err error) {
			if err != nil {
				t.Error(err)
			}
			sum.Add(int64(v))
		})
	}
	e.Wait()
	if got := sum.Load(); got != n*(n-1)/2 {
		t.Errorf("the results add up to %d, want %d", got, n*(n-1)/2)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.order) > 0 {
		t.Errorf("%d jobs are left", len(e.order))
	}
}

func TestProgressIsCoalesced(t *testing.T) {
	q := &queue{}
	e := New(q.put)
	calls, most := 0, int64(0)
	empty := false
	e.Watch(func() {
		calls++
		list := e.Running()
		empty = len(list) == 0
		for _, j := range list {
			most = max(most, j.Progress.Done)
			if j.Progress.Unit != "references" || j.Title != "simulating" {
				t.Errorf("job %+v", j)
			}
		}
	})
	start := time.Now()
	Start(e, "k", "simulating", func(_ context.Context, report func(int64, int64)) (int, error) {
		for i := range int64(100_000) {
			report(i, 100_000)
			if i%1000 == 0 {
				time.Sleep(3 * time.Millisecond)
			}
		}
		return 0, nil
	}, func(int, error) {})
	e.Unit("k", "references")
	finish(e, q)
	for range 20 { // the last notice may still wait for its interval
		time.Sleep(10 * time.Millisecond)
		q.run()
	}
	limit := int(time.Since(start).Seconds()*15) + 3
	if calls == 0 || calls > limit {
		t.Errorf("%d notices, want 1 to %d", calls, limit)
	}
	if most == 0 || !empty {
		t.Errorf("progress seen up to %d, the end seen: %v", most, empty)
	}
}

func BenchmarkReport(b *testing.B) {
	e := New(nil)
	e.Watch(func() { e.Running() })
	b.ReportAllocs()
	Start(e, "k", "t", func(_ context.Context, report func(int64, int64)) (int, error) {
		for i := 0; i < b.N; i++ {
			report(int64(i), int64(b.N))
		}
		return 0, nil
	}, func(int, error) {})
	e.Wait()
}
