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

// standing is which file has a name, and in what state; the zero value is that there is none.
type standing struct {
	device, node uint64
	size         int64
	changed      int64 // nanoseconds
}

func standingOf(path string) standing {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return standing{}
	}
	return standing{uint64(s.Dev), s.Ino, s.Size, s.Mtim.Nano()}
}

// other tells whether the name means another file now.
func (s standing) other(was standing) bool { return s.device != was.device || s.node != was.node }

// fates looks from time to time what has become of the files that are open, since a file that is open can be deleted,
// replaced or written over by anybody. A change counts when it has lasted from one look to the next: whoever writes a
// file anew has done so by then.
type fates struct {
	every time.Duration
	tell  func(d *opened, now standing) // of a change, on the goroutine that looks

	mu    sync.Mutex
	files map[*opened]*fate
	timer *time.Timer // nil while nothing is open
}

type fate struct {
	path        string
	known, last standing // as the user knows it; at the last look
}

// often is the time between two looks, each of which costs some microseconds for each open file.
const often = 2 * time.Second

func newFates(tell func(d *opened, now standing)) *fates {
	return &fates{every: often, tell: tell, files: map[*opened]*fate{}}
}

// watch begins to look at a document's file, which was as it stood, if it has one.
func (f *fates) watch(d *opened) {
	if d.stood != (standing{}) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.files[d] = &fate{d.path, d.stood, d.stood}
		f.arm()
	}
}

// accept takes the present state of a file for what the user knows.
func (f *fates) accept(d *opened, now standing) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if x := f.files[d]; x != nil {
		x.known = now
	}
}

// forget ends it.
func (f *fates) forget(d *opened) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.files, d)
}

func (f *fates) arm() {
	if f.timer == nil && len(f.files) > 0 {
		f.timer = time.AfterFunc(f.every, f.look)
	}
}

// look looks once, and goes on while something is open. A file may lie where nobody answers: nobody waits for the look.
func (f *fates) look() {
	f.mu.Lock()
	all := maps.Clone(f.files)
	f.mu.Unlock()
	now := map[*opened]standing{}
	for d, x := range all {
		now[d] = standingOf(x.path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for d, x := range f.files {
		if n, seen := now[d]; seen {
			if n == x.last && n != x.known {
				f.tell(d, n)
			}
			x.last = n
		}
	}
	f.timer = nil
	f.arm()
}

// became says once what has become of the file of a document. What is drawn of it stays.
func (w *window) became(d *opened, now standing) {
	at := w.fates.at(d)
	if at == nil || *at == now {
		return
	}
	was := *at
	w.fates.accept(d, now)
	if g, ok := d.doc.(Grower); ok {
		grew := d.growing
		if d.growing = g.Growing(); (grew || d.growing) && now != (standing{}) && !now.other(was) {
			d.stood = now
			return
		}
	}
	name, dir := filepath.Base(d.path), filepath.Dir(d.path)
	text, again := "", "Ctrl+Shift+O"
	if d != w.front() {
		again = "bring it to the front, and Ctrl+Shift+O"
	}
	switch {
	case now == d.stood: // it is back
	case now == (standing{}):
		text = name + " is no longer in " + dir + ": it has been moved or deleted. What is open stays as it is until you " +
			"close it; put the file back before you do."
	case now.other(d.stood):
		text = name + " in " + dir +
			" is another file now: it has been replaced or recorded anew. What is open is still the old one; " + again +
			" opens the new one in its place."
	default:
		text = name + " in " + dir + " has been written to by another program. What is drawn is what it was before, and " +
			"what is computed from now on may fail; " + again + " opens it again."
	}
	w.log.write("file-changed", "path", d.path, "gone", now == standing{}, "back", now == d.stood)
	if text != "" {
		w.tell(text, true)
	}
}

// at is what the user knows of a document's file, nil where nobody looks.
func (f *fates) at(d *opened) *standing {
	f.mu.Lock()
	defer f.mu.Unlock()
	if x := f.files[d]; x != nil {
		known := x.known
		return &known
	}
	return nil
}

// reopen opens the file in front again, as it is now, where and as the user looks at it. One that is not there stays
// open.
func (w *window) reopen() {
	d := w.front()
	if d == nil {
		return
	}
	jobs.Prompt(w.engine, "again:"+d.path, "looking for "+filepath.Base(d.path),
		func(context.Context, func(done, total int64)) (string, error) {
			info, err := os.Stat(d.path)
			switch {
			case d.stood == (standing{}): // it never was a file
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
		w.tell(filepath.Base(d.path)+" cannot be opened again: "+why+"; what is open stays.", true)
		return
	}
	want := &wanted{Document: d.snapshot(), rank: d.rank, front: true}
	want.Print = "" // that it differs is why it is opened again
	w.closeFront()
	w.wanted[d.path] = want
	w.open(d.path)
}
