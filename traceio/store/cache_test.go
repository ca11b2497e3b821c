package store

import (
	"errors"
	"runtime"
	"testing"

	"orrery/traceio"
)

// TestPanickingLoad: who waits for a block whose decoding panics gets an error, and who asks later has it decoded once
// more.
func TestPanickingLoad(t *testing.T) {
	c := newCache()
	begun, waiting, told := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		defer func() { recover() }()
		_, _ = c.get(3, func(*traceio.Block) error {
			close(begun)
			<-waiting
			panic("broken")
		})
	}()
	<-begun
	go func() {
		b, err := c.get(3, func(*traceio.Block) error { return errors.New("decoded twice") })
		if b != nil {
			t.Errorf("got the block %v", b)
		}
		told <- err
	}()
	for { // until the second one waits
		c.mu.Lock()
		waits := c.clock == 2
		c.mu.Unlock()
		if waits {
			break
		}
		runtime.Gosched()
	}
	close(waiting)
	if err := <-told; !errors.Is(err, errPanicked) {
		t.Errorf("who waited was told %v, want %v", err, errPanicked)
	}
	if b := c.peek(3); b != nil {
		t.Errorf("the block is %v", b)
	}
	if b, err := c.get(3, func(*traceio.Block) error { return nil }); b == nil || err != nil {
		t.Errorf("who asked later got %v, %v", b, err)
	}
}
