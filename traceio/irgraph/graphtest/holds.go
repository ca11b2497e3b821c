package graphtest

import (
	"errors"
	"io"
	"runtime"
	"testing"

	"orrery/traceio/irgraph"
)

// Endless gives Rest and then what Next makes of 0, 1, 2 ... without end.
type Endless struct {
	Rest []byte
	Next func(i int) []byte
	i    int
}

// Read implements io.Reader.
func (e *Endless) Read(p []byte) (int, error) {
	if len(e.Rest) == 0 {
		e.Rest = e.Next(e.i)
		e.i++
	}
	n := copy(p, e.Rest)
	e.Rest = e.Rest[n:]
	return n, nil
}

// Heap is how many bytes live objects take.
func Heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Held streams a document without end until it is said to take more bytes than allowed, weighs what the reader has
// then, and fails the test where that is more than half as much again.
func Held(t *testing.T, name string, in *Endless, allowed int,
	stream func(io.Reader, string, irgraph.Receiver) (*irgraph.Document, error)) {
	t.Helper()
	before := Heap()
	said, real := 0, int64(0)
	no := errors.New("no more")
	_, err := stream(in, "x", irgraph.Receiver{
		Began: func(*irgraph.Group) {}, Ended: func(*irgraph.Group, bool) {},
		Holds: func(group, reader int) error {
			if said += group + reader; said <= allowed {
				return nil
			}
			if real == 0 {
				real = Heap() - before
			}
			return no
		}})
	if !errors.Is(err, no) {
		t.Errorf("%s: it ended with %v", name, err)
	}
	t.Logf("%s: %.2f of what is said", name, float64(real)/float64(said))
	if real > int64(allowed)*3/2 {
		t.Errorf("%s: %d KiB are held, and %d KiB are said to be", name, real>>10, said>>10)
	}
}
