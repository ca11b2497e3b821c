// Package listen takes graphs from compilers that send them over the network while they run, as the Ideal Graph
// Visualizer does: HotSpot connects (-XX:PrintIdealGraphPort), waits for one byte, and sends XML when that is "y";
// GraalVM connects and sends BGV. The byte reports whether graphs are wanted at all; how many is the compiler's own
// -XX:PrintIdealGraphLevel.
//
// A peer may be anything that found the port. What the readers build of what it sends is counted, not only the bytes
// received, for a node of sixty bytes takes five times that in memory: a method may take Options.Method, everything
// together Options.Limit. A peer beyond that is reported and disconnected, its method dropped, and the memory is free
// for others. Data that is no graph is reported and the connection closed; a peer that stops in the middle of a graph
// is disconnected after Options.Patience, and what arrived is kept. Between graphs a compiler may be silent for any
// time.
package listen

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"orrery/traceio"
	"orrery/traceio/irgraph"
)

// Address is where HotSpot looks for a listener by default.
const Address = "127.0.0.1:4444"

// What is taken by default. The graphs of a large method of HotSpot's after all of its phases are some tens of MiB as
// XML, and about twice that in memory.
const (
	DefaultLimit    = 256 << 20
	DefaultSent     = 64 << 20
	DefaultPatience = 30 * time.Second
	DefaultPeers    = 8
)

// Options change how a Listener works.
type Options struct {
	Address string                 // "" is Address; port 0 takes a free one
	Want    func(peer string) bool // asked for each connection whether its graphs are wanted; nil wants all
	Limit   int64                  // bytes of memory, about, for what all peers send together; 0 is DefaultLimit
	Method  int64                  // of these for one method while it comes; 0 is half of Limit
	Sent    int64                  // bytes taken of one method; 0 is DefaultSent
	// Deliver keeps no group: what it took is free again. Otherwise it counts as long as the Listener lives
	Release  bool
	Patience time.Duration // for a peer that stops in the middle of a graph; 0 is DefaultPatience
	Peers    int           // connections at a time; 0 is DefaultPeers
	Deliver  func(Event)   // called for one event at a time
}

// Kind is what an Event reports.
type Kind uint8

const (
	Connected Kind = iota // a peer has connected, and its graphs are wanted
	Refused               // its graphs are not wanted, or there are too many peers
	Arrived               // Group is whole
	Broken                // Err says what is wrong with what the peer sent; Group is what came of the last one, or nil
	Ended                 // the peer has disconnected, or was disconnected
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
	free atomic.Int64 // bytes of memory that may still be taken

	mu    sync.Mutex // of Deliver and peers
	peers map[net.Conn]bool
}

// Open begins to listen. The error is an *traceio.Error.
func Open(opt Options) (*Listener, error) {
	if opt.Address == "" {
		opt.Address = Address
	}
	if opt.Limit == 0 {
		opt.Limit = DefaultLimit
	}
	if opt.Method == 0 {
		opt.Method = opt.Limit / 2
	}
	if opt.Sent == 0 {
		opt.Sent = DefaultSent
	}
	if opt.Patience == 0 {
		opt.Patience = DefaultPatience
	}
	if opt.Peers == 0 {
		opt.Peers = DefaultPeers
	}
	l, err := net.Listen("tcp", opt.Address)
	if err != nil {
		return nil, &traceio.Error{File: opt.Address, Msg: fmt.Sprintf("nobody can be listened to there: %v", err),
			Hint: "is another visualizer open? choose another port", Err: err}
	}
	out := &Listener{net: l, opt: opt, peers: map[net.Conn]bool{}}
	out.free.Store(opt.Limit)
	return out, nil
}

// Addr is where compilers can connect: "127.0.0.1:4444".
func (l *Listener) Addr() string { return l.net.Addr().String() }

// Serve takes connections until the context ends, and then closes them all; Deliver is not called any more once it
// returns. The error is the context's, or an *traceio.Error when the port is lost.
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
			return &traceio.Error{File: l.Addr(), Msg: fmt.Sprintf("connections cannot be taken any more: %v", err),
				Hint: "listen again", Err: err}
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

// enter counts a peer; one too many is disconnected.
func (l *Listener) enter(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.peers) >= l.opt.Peers {
		c.Close()
		peer, others := c.RemoteAddr().String(), fmt.Sprintf("%d others are", len(l.peers))
		if len(l.peers) == 1 {
			others = "another is"
		}
		l.opt.Deliver(Event{Peer: peer, Kind: Refused, Err: &traceio.Error{File: peer, Msg: others + " connected already",
			Hint: "wait until one has gone"}})
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

// serve handles one peer.
func (l *Listener) serve(ctx context.Context, c net.Conn) {
	p := &peer{listener: l, conn: c, name: c.RemoteAddr().String()}
	if l.free.Load() < l.opt.Limit/16 {
		c.Write([]byte("n"))
		l.deliver(Event{Peer: p.name, Kind: Refused, Err: p.full("it was sent away")})
		return
	}
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
