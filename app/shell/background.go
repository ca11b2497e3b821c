package shell

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"orrery/app/jobs"
)

// Files are not accessed on the interface's goroutine: any of them may lie on a server that does not answer, or be a
// pipe.

// Background does work on a goroutine of its own, and calls then with its result on the interface's. Newer work with
// the same key takes its place. Without an engine it is done at once.
func Background[T any](h *Host, key, title string, work func() (T, error), then func(T, error)) {
	if h.Engine == nil {
		then(work())
		return
	}
	jobs.StartNow(h.Engine, key, title, func(context.Context, func(done, total int64)) (T, error) { return work() }, then)
}

// Exists calls then if there is a file of that name.
func (h *Host) Exists(path string, then func()) {
	Background(h, "exists", "looking for "+filepath.Base(path), func() (bool, error) {
		_, err := os.Stat(path)
		return err == nil, nil
	}, func(there bool, _ error) {
		if there {
			then()
		}
	})
}

// Read reads a file that the user has chosen, if it is one and not longer than most.
func (h *Host) Read(path string, most int64, then func(data []byte, err error)) {
	Background(h, "read:"+path, "reading "+filepath.Base(path), func() ([]byte, error) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s is no file; choose one", path)
		case info.Size() > most:
			return nil, fmt.Errorf("%s has %d bytes, and %d are the most for a file of its kind; choose another",
				path, info.Size(), most)
		}
		return os.ReadFile(path)
	}, then)
}

// Save runs write, which writes a file, and calls then with its error. The window does not end before. Without a window
// it is done at once.
func (h *Host) Save(path string, write func() error, then func(error)) {
	if h.Write == nil {
		then(write())
		return
	}
	h.Write(path, write, then)
}

// write is Save of the window.
func (w *window) write(path string, write func() error, then func(error)) {
	w.saving.Add(1)
	host := w.host()
	Background(&host, "write:"+path, "saving "+filepath.Base(path), func() (struct{}, error) {
		defer w.saving.Done()
		return struct{}{}, write()
	}, func(_ struct{}, err error) { then(err) })
}
