package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadTakesFilesOnly has what a user may choose in place of a file that is to be read whole.
func TestReadTakesFilesOnly(t *testing.T) {
	dir := folder(t)
	b := openSmall(t)
	host := b.host()
	for _, c := range []struct{ name, data, err string }{
		{"b.orr", "12345", ""}, {"pipe", "", "is no file"}, {"to pipe", "", "is no file"}, {"zero", "", "is no file"},
		{"sub", "", "is no file"},
		{"nonesuch", "", "no such file"}, {"long", "", "has 6 bytes, and 5 are the most"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "long"), []byte("123456"), 0o600); err != nil {
			t.Fatal(err)
		}
		got, heard := "", ""
		host.Read(filepath.Join(dir, c.name), 5, func(data []byte, err error) {
			got, heard = string(data), "done"
			if err != nil {
				heard = err.Error()
			}
		})
		if heard != "" {
			t.Errorf("%s is read while the interface waits", c.name)
		}
		b.settle()
		if got != c.data || heard == "" || !strings.Contains(heard, c.err) {
			t.Errorf("%s: read %q, %s; want %q, %q", c.name, got, heard, c.data, c.err)
		}
	}
}

// TestQuitWaitsForWhatIsSaved quits while a file is being written.
func TestQuitWaitsForWhatIsSaved(t *testing.T) {
	b := openSmall(t)
	host := b.host()
	begun, written := make(chan struct{}), make(chan bool, 1)
	host.Save("x", func() error {
		close(begun)
		time.Sleep(50 * time.Millisecond) // as a disk
		written <- true
		return nil
	}, func(error) {})
	<-begun
	b.quit()
	select {
	case <-written:
	default:
		t.Error("the window has ended before the file was written")
	}
}
