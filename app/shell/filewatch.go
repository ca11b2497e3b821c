package shell

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orrery/app/jobs"

	"golang.org/x/sys/unix"
)

// Grower is a document whose file may still be being written: that it changes is no news then.
type Grower interface{ Growing() bool }

// fileState identifies a file and its contents: device, inode, size, time of change. The zero value means that there is
// no file of that name.
type fileState struct {
	device, node uint64
	size         int64
	changed      int64 // nanoseconds
}

func fileStateOf(path string) fileState {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return fileState{}
	}
	return fileState{uint64(s.Dev), s.Ino, s.Size, s.Mtim.Nano()}
}

// replaced reports whether the name means another file now.
func (s fileState) replaced(was fileState) bool { return s.device != was.device || s.node != was.node }

// fileWatcher looks every watchInterval at the files that are open, since any program can delete, replace or overwrite
// them meanwhile. A change counts when two looks have seen it: a program that writes a file anew is done by then.
type fileWatcher struct {
	every   time.Duration
	changed func(d *opened, now fileState) // called for a change, on the goroutine that looks

	mu    sync.Mutex
	files map[*opened]*watchedFile
	timer *time.Timer // nil while nothing is open
}

type watchedFile struct {
	path        string
	known, last fileState // as the user was last notified; at the last look
}

// watchInterval is the time between two looks, each of which costs some microseconds for each open file.
const watchInterval = 2 * time.Second

func newFileWatcher(changed func(d *opened, now fileState)) *fileWatcher {
	return &fileWatcher{every: watchInterval, changed: changed, files: map[*opened]*watchedFile{}}
}

// watch begins to look at a document's file, if it has one.
func (f *fileWatcher) watch(d *opened) {
	if d.openedState != (fileState{}) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.files[d] = &watchedFile{d.path, d.openedState, d.openedState}
		f.arm()
	}
}

// accept records that the user has been notified of a file's present state.
func (f *fileWatcher) accept(d *opened, now fileState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if x := f.files[d]; x != nil {
		x.known = now
	}
}

// forget ends looking at a document's file.
func (f *fileWatcher) forget(d *opened) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.files, d)
}

func (f *fileWatcher) arm() {
	if f.timer == nil && len(f.files) > 0 {
		f.timer = time.AfterFunc(f.every, f.look)
	}
}

// look looks once, and again later while something is open. It runs on a goroutine of its own, since a file may lie on
// a server that does not answer.
func (f *fileWatcher) look() {
	f.mu.Lock()
	all := maps.Clone(f.files)
	f.mu.Unlock()
	now := map[*opened]fileState{}
	for d, x := range all {
		now[d] = fileStateOf(x.path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for d, x := range f.files {
		if n, seen := now[d]; seen {
			if n == x.last && n != x.known {
				f.changed(d, n)
			}
			x.last = n
		}
	}
	f.timer = nil
	f.arm()
}

// fileChanged notifies the user once of a change of a document's file. What is drawn stays.
func (w *window) fileChanged(d *opened, now fileState) {
	known := w.fileWatcher.known(d)
	if known == nil || *known == now {
		return
	}
	was := *known
	w.fileWatcher.accept(d, now)
	if g, ok := d.doc.(Grower); ok {
		grew := d.growing
		if d.growing = g.Growing(); (grew || d.growing) && now != (fileState{}) && !now.replaced(was) {
			d.openedState = now
			return
		}
	}
	name, dir := filepath.Base(d.path), filepath.Dir(d.path)
	text, keys := "", "Ctrl+Shift+O"
	if d != w.front() {
		keys = "bring it to the front, and Ctrl+Shift+O"
	}
	switch {
	case now == d.openedState: // it is back
	case now == (fileState{}):
		text = name + " is no longer in " + dir + ": it has been moved or deleted. What is open stays as it is until you " +
			"close it; put the file back before you do."
	case now.replaced(d.openedState):
		text = name + " in " + dir +
			" is another file now: it has been replaced or recorded anew. What is open is still the old one; " + keys +
			" opens the new one in its place."
	default:
		text = name + " in " + dir + " has been written to by another program. What is drawn is what it was before, and " +
			"what is computed from now on may fail; " + keys + " opens it again."
	}
	w.log.write("file-changed", "path", d.path, "gone", now == fileState{}, "back", now == d.openedState)
	if text != "" {
		w.notify(text, true)
	}
}

// known is the state of a document's file that the user was last notified of, nil where it is not watched.
func (f *fileWatcher) known(d *opened) *fileState {
	f.mu.Lock()
	defer f.mu.Unlock()
	if x := f.files[d]; x != nil {
		known := x.known
		return &known
	}
	return nil
}

// reopen opens the file in front anew, with the view of it unchanged. A document whose file is missing stays open.
func (w *window) reopen() {
	d := w.front()
	if d == nil {
		return
	}
	jobs.StartNow(w.engine, "reopen:"+d.path, "looking for "+filepath.Base(d.path),
		func(context.Context, func(done, total int64)) (string, error) {
			info, err := os.Stat(d.path)
			switch {
			case d.openedState == (fileState{}): // it never was a file
				return "", nil
			case err != nil:
				return "it is no longer in " + filepath.Dir(d.path) +
					". Put it back there, or choose it where it is now with Ctrl+O", nil
			case info.Mode().IsRegular() && info.Size() == 0:
				return "it is empty now. Put a whole copy of it in its place, or record the program again", nil
			}
			return "", nil
		}, func(why string, _ error) { w.reopened(d, why) })
}

// reopened closes a document and opens its file anew, unless there is a reason why that cannot be.
func (w *window) reopened(d *opened, why string) {
	switch {
	case d != w.front():
		return
	case why != "":
		w.notify(filepath.Base(d.path)+" cannot be opened again: "+why+"; what is open stays.", true)
		return
	}
	want := &wanted{Document: d.snapshot(), rank: d.rank, front: true}
	want.Print = "" // that it differs is why it is opened again
	w.closeFront()
	w.sessions.wanted[d.path] = want
	w.open(d.path)
}
