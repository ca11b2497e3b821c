package shell

import "testing"

// TestQuitEnds: the process is seen to its end when the window closes, once, after the documents are closed and that is
// logged.
func TestQuitEnds(t *testing.T) {
	b := openSmall(t, "one.orr")
	b.settle()
	if len(b.docs) != 1 {
		t.Fatalf("%d documents are open", len(b.docs))
	}
	ended := 0
	b.ending = func() {
		ended++
		if len(b.docs) > 0 || len(b.events("quit")) != 1 {
			t.Errorf("%d documents are open when the process is to end, quit was logged %d times", len(b.docs),
				len(b.events("quit")))
		}
	}
	b.reg.Run("file.quit")
	if ended != 1 {
		t.Errorf("the process was to end %d times", ended)
	}
}
