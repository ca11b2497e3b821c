package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// recorder writes a recording as recorders do: under the lock, in whole blocks.
type recorder struct {
	t    *testing.T
	file *os.File
	out  *orr.Writer
	src  *fake
	rows int
}

func newRecorder(t *testing.T, n int) *recorder {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "live.orr"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	out, err := orr.Create(f, &traceio.Program{Command: []string{"./live"}})
	if err != nil {
		t.Fatal(err)
	}
	src := randomSource(11, n)
	src.block = 1000
	return &recorder{t: t, file: f, out: out, src: src}
}

// write writes n blocks.
func (r *recorder) write(n int) {
	var b traceio.Block
	for range n {
		if err := r.src.Next(&b); err != nil {
			r.t.Error(err)
			return
		}
		r.rows += b.Len()
		if err := r.out.WriteBlock(&b); err != nil {
			r.t.Error(err)
		}
	}
}

// opening opens a file in the background.
type opening struct {
	prefixes chan *Recording
	whole    chan *Recording
}

func opens(t *testing.T, ctx context.Context, path string) opening {
	o := opening{make(chan *Recording, 1000), make(chan *Recording, 1)}
	go func() {
		r, err := Open(ctx, path, Options{Partial: func(r *Recording) { o.prefixes <- r }}, func(_, _ int64) {})
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		o.whole <- r
	}()
	return o
}

// await takes prefixes until one has so many rows.
func (o opening) await(t *testing.T, rows int) *Recording {
	t.Helper()
	for {
		select {
		case r := <-o.prefixes:
			n := r.Counts()
			if all := int(n.Loads + n.Stores + n.Fetches); all == rows {
				return r
			} else if all > rows {
				t.Fatalf("a prefix of %d rows where %d are written", all, rows)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("no prefix of %d rows", rows)
		}
	}
}

// TestFollow reads every prefix of a recording that grows, and compares with the whole.
func TestFollow(t *testing.T) {
	rec := newRecorder(t, 20000)
	path := rec.file.Name()
	if !Growing(path) {
		t.Fatal("the file is not seen to grow")
	}
	rec.write(3)
	o := opens(t, context.Background(), path)
	prefixes := []*Recording{o.await(t, rec.rows)}
	for range 3 {
		rec.write(4)
		prefixes = append(prefixes, o.await(t, rec.rows))
	}
	rec.write(2)
	if err := rec.out.Close(&traceio.Program{Command: []string{"./live", "named"}}); err != nil {
		t.Fatal(err)
	}
	rec.file.Close()
	whole := <-o.whole
	defer whole.Close()
	if whole.Live() || len(whole.Loss()) > 0 || len(whole.Program().Command) != 2 || Growing(path) {
		t.Fatalf("live %v, loss %v, program %v", whole.Live(), whole.Loss(), whole.Program())
	}
	all, allocs, marks := rows(t, whole.Source(0, whole.Len()))
	if len(all) != rec.rows {
		t.Errorf("%d rows, want %d", len(all), rec.rows)
	}
	for _, p := range prefixes {
		got, a, m := rows(t, p.Source(0, p.Len()))
		if !p.Live() || len(p.Loss()) > 0 || !slices.Equal(got, all[:len(got)]) || !slices.Equal(a, allocs[:len(a)]) ||
			!slices.Equal(m, marks[:len(m)]) {
			t.Errorf("the prefix of %d rows differs from the whole", len(got))
		}
		if p.Program().Command[0] != "./live" || len(p.PCs()) == 0 || !slices.IsSorted(p.PCs()) {
			t.Errorf("program %v, PCs %v", p.Program(), p.PCs())
		}
		if n := len(allocs); len(a) == 0 || len(a) == n {
			t.Errorf("a prefix with %d of %d allocations", len(a), n)
		}
	}
}

// TestFollowDeath: the kernel drops a dead recorder's lock; what is whole stays and the loss is told.
func TestFollowDeath(t *testing.T) {
	rec := newRecorder(t, 20000)
	rec.write(5)
	o := opens(t, context.Background(), rec.file.Name())
	o.await(t, rec.rows)
	rec.write(1)
	if _, err := rec.file.Write([]byte("ORBk half a header")); err != nil {
		t.Fatal(err)
	}
	rec.file.Close()
	whole := <-o.whole
	defer whole.Close()
	n, loss := whole.Counts(), whole.Loss()
	if whole.Live() || int(n.Loads+n.Stores+n.Fetches) != rec.rows || len(loss) != 1 || loss[0].Kind != "cut-block" {
		t.Errorf("%+v of %d rows, loss %+v", n, rec.rows, loss)
	}
}

// TestGrowingButNotFollowed: who does not follow gets what is there, and is told.
func TestGrowingButNotFollowed(t *testing.T) {
	rec := newRecorder(t, 20000)
	rec.write(4)
	r, err := Open(context.Background(), rec.file.Name(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n, loss := r.Counts(), r.Loss()
	if int(n.Loads+n.Stores+n.Fetches) != rec.rows || len(loss) != 1 || loss[0].Kind != "still-written" {
		t.Errorf("%+v of %d rows, loss %+v", n, rec.rows, loss)
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := opens(t, ctx, rec.file.Name())
	o.await(t, rec.rows)
	cancel()
	if r := <-o.whole; r != nil {
		t.Error("a cancelled opening gives a recording")
	}
	if _, err := Open(ctx, rec.file.Name(), Options{Partial: func(*Recording) {}},
		nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
