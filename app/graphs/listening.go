package graphs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"orrery/app/jobs"
	"orrery/app/shell"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/listen"
	"orrery/views/words"
)

// from is how the names of documents begin that take what compilers send, in place of a file; the address follows.
const from = "graphs from "

// Usual is the name of the document that listens where compilers send to by themselves.
const Usual = from + listen.Address

// Listens tells whether a path means compilers that send graphs, and at which address they do.
func Listens(path string) (address string, ok bool) {
	return strings.CutPrefix(filepath.Base(path), from)
}

// Commands need no document: to receive graphs.
func Commands(host shell.Host) []shell.Command {
	list := []shell.Command{{ID: "graph.listen", Also: "listen network port igv hotspot",
		Title: "Receive graphs from a running compiler", Menu: "Record", Run: func() { host.Open(Usual) }}}
	if host.OpenFolder != nil {
		list = append(list, shell.Command{ID: "graph.folder", Title: "Open a folder of GCC's graphs…", Menu: "File",
			Run: func() { host.OpenFolder(host.Open) }})
	}
	return list
}

// listening is a document's connection to compilers. It is no job of the window's engine, so that Escape, which cancels
// those, does not close it; closing the document does.
type listening struct {
	d       *Document
	stop    context.CancelFunc
	ended   chan struct{}
	at      string // where it listens
	peers   int    // that are connected
	arrived int
	trouble string // the last one
	count   atomic.Int64
}

// Listen is an opener of documents that show what compilers send to an address, as soon as each function is whole.
func Listen(_ context.Context, address string, host shell.Host) (shell.Document, error) {
	d := newDocument(from+address, from+address, host)
	w := &listening{d: d, ended: make(chan struct{})}
	l, err := listen.Open(listen.Options{Address: address, Deliver: func(e listen.Event) {
		// Results of jobs are what comes back on the interface's goroutine.
		key := fmt.Sprintf("%s#event%d", d.path, w.count.Add(1))
		jobs.StartNow(host.Engine, key, "taking what a compiler sends",
			func(context.Context, func(done, total int64)) (listen.Event, error) { return e, nil },
			func(e listen.Event, _ error) { w.heard(e) })
	}})
	if err != nil {
		return nil, err
	}
	d.live, w.at = w, l.Addr()
	w.say()
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	go func() {
		defer close(w.ended)
		if err := l.Serve(ctx); err != nil && ctx.Err() == nil {
			host.Failed(err.Error())
		}
	}()
	return d, nil
}

// heard takes an event.
func (w *listening) heard(e listen.Event) {
	switch e.Kind {
	case listen.Connected:
		w.peers++
	case listen.Ended:
		w.peers--
	case listen.Refused:
		w.trouble = e.Peer + " was sent away: there are too many at a time"
	}
	if e.Err != nil {
		w.trouble = e.Err.Error()
		w.d.host.Failed(w.trouble)
	}
	w.say()
	if e.Group != nil {
		for _, entry := range Entries(&irgraph.Document{Groups: []*irgraph.Group{e.Group}}) {
			w.arrived++
			w.d.e.Add(Entry{entry.Group, fmt.Sprintf("%d  %s", w.arrived, entry.Path)})
		}
	}
	if w.d.told != nil {
		w.d.told()
	}
}

// say tells in the empty pane how to send graphs here.
func (w *listening) say() {
	host, port, _ := strings.Cut(w.at, ":")
	text := fmt.Sprintf("Waiting for compilers at %s. Start one that sends its graphs: a debug build of HotSpot with "+
		"-XX:PrintIdealGraphLevel=2 -XX:PrintIdealGraphAddress=%s -XX:PrintIdealGraphPort=%s, "+
		"or GraalVM with -Dgraal.PrintGraph=Network.", w.at, host, port)
	if w.peers > 0 {
		text += " " + connected(w.peers) + "."
	}
	if w.trouble != "" {
		text += " The last trouble: " + w.trouble
	}
	w.d.e.Empty = text
}

// facts is what the header says.
func (w *listening) facts() string {
	return " · " + connected(w.peers)
}

func connected(peers int) string { return words.Plural(peers, "compiler") + " connected" }

// close ends it.
func (w *listening) close() {
	w.stop()
	<-w.ended
}
