package shell

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orrery/app/output"
	"orrery/app/shell/saved"
	"orrery/views/words"

	"golang.org/x/sys/unix"
)

// autosave writes the session of this run into a file of its own a little after each change, so that it outlives the
// process. A lock that the kernel lets go of when the process ends, however it ends, distinguishes the files of runs
// that go on from those of runs that have ended, which the next run restores:
//
//	running-17.orrery, running-17.orrery.lock held   another window, leave it alone
//	running-17.orrery, running-17.orrery.lock free   that run did not end well: restore
//	(neither)                                        it did
type autosave struct {
	w     *window
	path  string
	lock  *os.File
	after time.Duration // of a change
	timer *time.Timer   // nil while nothing has changed
	last  []byte        // what was written last

	writing sync.Mutex // held while the file is written
	warned  bool       // the user knows that it cannot be written
}

// autosaveDelay is how long after a change the session is kept.
const autosaveDelay = 2 * time.Second

// tries is how many runs may end while they restore the same session before it is no longer restored unasked.
const tries = 2

// startAutosave begins to keep the session in a folder, and restores what runs have left there that did not end well.
// alone says that nothing else will be opened.
func (w *window) startAutosave(dir string, alone bool) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.notify("What is open cannot be kept for the case of a crash: "+err.Error()+". Save the session with Ctrl+S.", false)
		return
	}
	left := abandoned(dir)
	k := &autosave{w: w, after: autosaveDelay, path: filepath.Join(dir, fmt.Sprintf("running-%d-%d%s", os.Getpid(),
		time.Now().UnixNano(), saved.Ending))}
	lock, err := locked(k.path + ".lock")
	if err != nil {
		w.notify("What is open cannot be kept for the case of a crash: "+err.Error()+". Save the session with Ctrl+S.", false)
		return
	}
	k.lock, w.autosave = lock, k
	for _, path := range left {
		w.restoreAbandoned(path, alone)
	}
}

// locked makes a lock file, or opens one, and locks it.
func locked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	}
	return f, nil
}

// abandoned are the session files of runs that are over, and now belong to this one.
func abandoned(dir string) []string {
	var out []string
	locks, _ := filepath.Glob(filepath.Join(dir, "running-*.lock")) // the pattern is well formed
	for _, name := range locks {
		lock, err := locked(name)
		if err != nil {
			continue // it runs
		}
		os.Remove(name)
		lock.Close()
		if path := name[:len(name)-len(".lock")]; there(path) {
			out = append(out, path)
		}
	}
	return out
}

// restoreAbandoned restores an abandoned session.
func (w *window) restoreAbandoned(path string, alone bool) {
	aside := filepath.Join(filepath.Dir(path), "unrestored"+filepath.Base(path)[len("running"):])
	s, err := saved.Read(path)
	if err != nil || s.Restoring >= tries {
		os.Rename(path, aside)
		if err == nil {
			err = fmt.Errorf("the last runs ended while they restored it; open it with Ctrl+O to try again")
		}
		w.log.write("recover-failed", "path", aside, "error", err.Error())
		w.notify("Orrery did not end well the last time, and what was open is not open again: "+err.Error()+
			". The session is in "+aside+".", true)
		return
	}
	how := "did not end well the last time"
	if s.Stopped {
		how = "was told to end the last time"
	}
	s.Stopped = false
	s.Restoring++
	if len(s.Documents) > 0 {
		if err := s.Write(w.autosave.path); err != nil {
			w.autosave.failed(err)
		}
	}
	os.Remove(path)
	if !alone {
		s.Front = -1
	}
	w.log.write("recovered", "documents", len(s.Documents))
	if len(s.Documents) > 0 {
		w.notify(
			fmt.Sprintf("Orrery %s; what was open is open again (%s). Save it with Ctrl+S, or close it with Ctrl+W.", how,
				words.Plural(len(s.Documents), "recording")),
			false,
		)
	}
	w.sessions.resume(s)
}

// sessionChanged says that something worth keeping may have changed.
func (w *window) sessionChanged() {
	if k := w.autosave; k != nil && k.timer == nil {
		k.timer = time.AfterFunc(k.after, func() { w.later(k.keep) })
	}
}

// leave writes the session for the next run to restore, where a signal has ended the process and not the user.
func (k *autosave) leave() {
	if k == nil {
		return
	}
	s := k.w.sessions.snapshot()
	s.Stopped = true
	data, err := s.Bytes("")
	k.writing.Lock()
	defer k.writing.Unlock()
	if err == nil && len(s.Documents) > 0 {
		err = k.write(data)
	}
	if err != nil { // what was kept last is still there
		k.w.log.write("leave-failed", "error", err.Error())
	}
}

// keep writes the session, if it has changed. The file is written beside the interface's goroutine, one version after
// the other.
func (k *autosave) keep() {
	k.timer = nil
	s := k.w.sessions.snapshot()
	data, err := s.Bytes("")
	if err != nil || bytes.Equal(data, k.last) {
		return
	}
	k.last = data
	warned := k.warned
	go func() {
		k.writing.Lock()
		defer k.writing.Unlock()
		if k.lock == nil { // the run has ended well meanwhile
			return
		}
		if len(s.Documents) == 0 {
			os.Remove(k.path)
			return
		}
		err := k.write(data)
		if err == nil {
			k.w.log.write("session-kept", "documents", len(s.Documents), "bytes", len(data))
		}
		if err != nil || warned {
			k.w.later(func() { k.failed(err) })
		}
	}()
}

// write replaces the file, readable by the user alone.
func (k *autosave) write(data []byte) error {
	if err := output.Write(k.path, data); err != nil {
		return err
	}
	return os.Chmod(k.path, 0o600)
}

// failed says once that the session cannot be kept; nil that it can again.
func (k *autosave) failed(err error) {
	if err != nil && !k.warned {
		k.w.notify("What is open cannot be kept for the case of a crash: "+err.Error()+
			". Until then save the session elsewhere with Ctrl+Shift+S.", true)
	}
	if k.warned = err != nil; k.warned {
		k.last = nil // the next change tries again
	}
}

// end forgets the session: the run has ended well.
func (k *autosave) end() {
	if k == nil {
		return
	}
	if k.timer != nil {
		k.timer.Stop()
	}
	k.writing.Lock()
	defer k.writing.Unlock()
	os.Remove(k.path)
	os.Remove(k.path + ".lock")
	k.lock.Close()
	k.lock = nil
}
