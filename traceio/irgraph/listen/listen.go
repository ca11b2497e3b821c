// Package listen takes graphs from compilers that send them over the network while they run, as the Ideal Graph Visualizer does:
// HotSpot connects (-XX:PrintIdealGraphPort), waits for one byte, and sends XML when that is "y"; GraalVM connects and sends BGV.
// The byte is the configuration that is sent back: whether graphs are wanted at all; how many, the compiler's own
// -XX:PrintIdealGraphLevel says.
//
// A peer may be anything that found the port. Nothing that it sends takes more memory than Options.Limit, however much it is, and
// a method that does not end no more than Options.Method, which is given back when the peer is sent away; what is not a graph is named
// and the connection closed; one that stops in the middle of a graph is given up after Options.Patience, and what came of it is kept.
// Between graphs a compiler may be silent as long as it likes.
package listen

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/bgv"
	"orrery/traceio/irgraph/igv"
)

// Address is where HotSpot looks for a listener unless told otherwise.
const Address = "127.0.0.1:4444"

// Options change how a Listener works.
type Options struct {
	Address  string                 // "" is Address; port 0 takes a free one
	Want     func(peer string) bool // asked for each connection whether its graphs are wanted; nil wants all
	Limit    int64                  // bytes taken from all peers together; 0 is 512 MiB
	Method   int64                  // bytes taken of one method; 0 is 128 MiB, the largest of HotSpot's methods in all of its phases
	Patience time.Duration          // for a peer that stops in the middle of a graph; 0 is 30 s
	Peers    int                    // connections at a time; 0 is 8
	Deliver  func(Event)            // called for one event at a time
}

// Kind says what an Event tells.
type Kind uint8

const (
	Connected Kind = iota // a peer is there and was told that graphs are wanted
	Refused               // a peer was told that they are not, or there are too many peers
	Arrived               // Group is whole
	Broken                // Err says what is wrong with what the peer sent; Group is what came of the last one, or nil
	Ended                 // the peer has gone, or was sent away
)

// Event is something that happened to a connection.
type Event struct {
	Peer   string // address of the other end
	Kind   Kind
	Format string         // "igv" or "bgv", once it is known
	Group  *irgraph.Group // the receiver's
	Err    *traceio.Error // File is the peer
}

// Listener waits for compilers.
type Listener struct {
	net  net.Listener
	opt  Options
	left atomic.Int64 // bytes that are still taken

	mu    sync.Mutex // of Deliver and peers
	peers map[net.Conn]bool
}

// Open begins to listen. The error is an *traceio.Error.
func Open(opt Options) (*Listener, error) {
	if opt.Address == "" {
		opt.Address = Address
	}
	if opt.Limit == 0 {
		opt.Limit = 512 << 20
	}
	if opt.Method == 0 {
		opt.Method = 128 << 20
	}
	if opt.Patience == 0 {
		opt.Patience = 30 * time.Second
	}
	if opt.Peers == 0 {
		opt.Peers = 8
	}
	l, err := net.Listen("tcp", opt.Address)
	if err != nil {
		return nil, &traceio.Error{File: opt.Address, Msg: fmt.Sprintf("nobody can be listened to there: %v", err), Hint: "is another visualizer open? choose another port", Err: err}
	}
	out := &Listener{net: l, opt: opt, peers: map[net.Conn]bool{}}
	out.left.Store(opt.Limit)
	return out, nil
}

// Addr is where compilers can connect: "127.0.0.1:4444".
func (l *Listener) Addr() string { return l.net.Addr().String() }

// Serve takes connections until the context ends, and then closes them all; Deliver is not called any more once it returns.
// The error is the context's, or an *traceio.Error when the port is lost.
func (l *Listener) Serve(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	stop := context.AfterFunc(ctx, l.closeAll)
	defer stop()
	for {
		c, err := l.net.Accept()
		if err != nil {
			l.closeAll()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &traceio.Error{File: l.Addr(), Msg: fmt.Sprintf("connections cannot be taken any more: %v", err), Hint: "listen again", Err: err}
		}
		if !l.enter(c) {
			continue
		}
		all.Go(func() {
			l.serve(ctx, c)
			l.leave(c)
		})
	}
}

func (l *Listener) closeAll() {
	l.net.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.peers {
		c.Close()
	}
}

// enter counts a peer; one too many is sent away.
func (l *Listener) enter(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.peers) >= l.opt.Peers {
		c.Close()
		peer := c.RemoteAddr().String()
		l.opt.Deliver(Event{Peer: peer, Kind: Refused, Err: &traceio.Error{File: peer, Msg: fmt.Sprintf("%d others are connected already", len(l.peers)), Hint: "end one of them"}})
		return false
	}
	l.peers[c] = true
	return true
}

func (l *Listener) leave(c net.Conn) {
	c.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.peers, c)
}

func (l *Listener) deliver(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opt.Deliver(e)
}

// serve speaks with one peer.
func (l *Listener) serve(ctx context.Context, c net.Conn) {
	p := &peer{listener: l, conn: c, name: c.RemoteAddr().String()}
	if l.opt.Want != nil && !l.opt.Want(p.name) {
		c.Write([]byte("n"))
		l.deliver(Event{Peer: p.name, Kind: Refused})
		return
	}
	c.SetWriteDeadline(time.Now().Add(l.opt.Patience))
	if _, err := c.Write([]byte("y")); err != nil {
		p.broken(fmt.Errorf("it did not take the answer: %w", err))
		return
	}
	l.deliver(Event{Peer: p.name, Kind: Connected})
	p.read(ctx)
	l.deliver(Event{Peer: p.name, Kind: Ended, Format: p.format})
}

// peer is one connection.
type peer struct {
	listener *Listener
	conn     net.Conn
	name     string
	format   string
	busy     bool // in the middle of a group
	group    *irgraph.Group
	begun    bool  // has sent something
	of       int64 // bytes of the method that is under way, and of what came before it
}

var (
	errLimit   = errors.New("more was sent than is taken")
	errMethod  = errors.New("more was sent of one method than is taken")
	errForeign = errors.New("neither XML nor BGV")
)

// Read reads from the connection, never more than the limit and never waiting too long inside of a graph.
func (p *peer) Read(b []byte) (int, error) {
	left := p.listener.left.Load()
	switch {
	case left <= 0:
		return 0, errLimit
	case p.of >= p.listener.opt.Method:
		return 0, errMethod
	}
	deadline := time.Time{}
	if p.busy || p.begun && p.format == "" {
		deadline = time.Now().Add(p.listener.opt.Patience)
	}
	if err := p.conn.SetReadDeadline(deadline); err != nil {
		return 0, err
	}
	n, err := p.conn.Read(b[:min(int64(len(b)), left)])
	p.listener.left.Add(-int64(n))
	p.of += int64(n)
	p.begun = p.begun || n > 0
	return n, err
}

// read reads what the peer sends to its end.
func (p *peer) read(ctx context.Context) {
	in := bufio.NewReaderSize(p, 1<<16)
	head, err := in.Peek(4)
	if len(head) < 4 {
		if (len(head) > 0 || err != io.EOF) && ctx.Err() == nil {
			p.broken(err)
		}
		return
	}
	if text := bytes.TrimLeft(head, " \t\r\n\ufeff"); len(text) > 0 && text[0] != '<' && !bgv.Sniff(head) {
		p.broken(errForeign)
		return
	}
	to := irgraph.Receiver{
		Began: func(*irgraph.Group) { p.busy = true },
		Ended: func(g *irgraph.Group, whole bool) {
			p.of = 0
			if p.busy = false; whole {
				p.listener.deliver(Event{Peer: p.name, Kind: Arrived, Format: p.format, Group: g})
			} else {
				p.group = g
			}
		},
	}
	stream := igv.Stream
	p.format = "igv"
	if bgv.Sniff(head) {
		p.format, stream = "bgv", bgv.Stream
	}
	doc, err := stream(in, p.name, to)
	if ctx.Err() != nil {
		return
	}
	problems := doc.Problems
	if err != nil && len(problems) > 0 && p.network(err) {
		problems = problems[:len(problems)-1] // what the reader makes of it tells less
	}
	for i, e := range problems {
		event := Event{Peer: p.name, Kind: Broken, Format: p.format, Err: e}
		if i == len(problems)-1 && !p.network(err) {
			event.Group = p.group
		}
		p.listener.deliver(event)
	}
	if p.network(err) {
		p.broken(err)
	}
}

// network tells whether the connection ended the reading, and not what was read.
func (p *peer) network(err error) bool {
	var n net.Error
	return errors.Is(err, errLimit) || errors.Is(err, errMethod) || errors.As(err, &n)
}

// broken tells what ended the connection.
func (p *peer) broken(err error) {
	e := &traceio.Error{File: p.name, Err: err}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		e.Msg = fmt.Sprintf("the peer stopped in the middle and sent nothing for %v", p.listener.opt.Patience)
		e.Hint = "what it sent before is kept"
	case errors.Is(err, errLimit):
		e.Msg = fmt.Sprintf("more than %d MiB were sent", p.listener.opt.Limit>>20)
		e.Hint = "let the compiler tell fewer methods (-XX:CompileCommand=IGVPrintLevel) and listen again"
	case errors.Is(err, errMethod):
		e.Msg = fmt.Sprintf("more than %d MiB were sent of one method; it was dropped", p.listener.opt.Method>>20)
		e.Hint = "let the compiler tell fewer phases (-XX:PrintIdealGraphLevel) and listen again"
		p.group = nil
	case errors.Is(err, errForeign):
		e.Msg = "what the peer sends is neither the graph visualizer's XML nor GraalVM's BGV; it was sent away"
		e.Hint = "is it looking for another program at this port? listen at another one"
	default:
		e.Msg, e.Hint = fmt.Sprintf("the connection broke: %v", err), "what was sent before is kept"
	}
	p.listener.deliver(Event{Peer: p.name, Kind: Broken, Format: p.format, Group: p.group, Err: e})
}
