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
	"time"

	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/bgv"
	"orrery/traceio/irgraph/igv"
)

// peer is one connection.
type peer struct {
	listener *Listener
	conn     net.Conn
	name     string
	format   string
	now      *irgraph.Group // being received; nil between groups
	group    *irgraph.Group // what arrived of one that was not whole
	begun    bool           // has sent something
	of       int64          // bytes of the method being received, and of what came before it
	method   int64          // bytes of memory that it takes
	reader   int64          // bytes of memory that its reader keeps beside
}

var (
	errLimit   = errors.New("all peers together take more memory than is allowed")
	errMethod  = errors.New("one method takes more memory than is allowed")
	errSent    = errors.New("more was sent of one method than is taken")
	errForeign = errors.New("neither XML nor BGV")
)

// Read reads from the connection, never more of a method than is allowed and never waiting too long within a graph.
func (p *peer) Read(b []byte) (int, error) {
	if p.of >= p.listener.opt.Sent {
		return 0, errSent
	}
	deadline := time.Time{}
	if p.now != nil || p.begun && p.format == "" {
		deadline = time.Now().Add(p.listener.opt.Patience)
	}
	if err := p.conn.SetReadDeadline(deadline); err != nil {
		return 0, err
	}
	n, err := p.conn.Read(b[:min(int64(len(b)), p.listener.opt.Sent-p.of)])
	p.of += int64(n)
	p.begun = p.begun || n > 0
	return n, err
}

// holds takes memory for what the reader builds, or says that there is none.
func (p *peer) holds(method, reader int) error {
	n, l := int64(method)+int64(reader), p.listener
	if n > 0 && p.method+p.reader+n > l.opt.Method {
		return errMethod
	}
	if l.free.Add(-n) < 0 && n > 0 {
		l.free.Add(n)
		return errLimit
	}
	p.method += int64(method)
	p.reader += int64(reader)
	return nil
}

// settle ends the account of a method: one that the receiver keeps stays counted.
func (p *peer) settle(kept bool) {
	if !kept || p.listener.opt.Release {
		p.listener.free.Add(p.method)
	}
	p.of, p.method = 0, 0
}

// ended takes a group, whole or not.
func (p *peer) ended(g *irgraph.Group, whole bool) {
	if !whole {
		p.group = g
		return
	}
	p.now = nil
	p.listener.deliver(Event{Peer: p.name, Kind: Arrived, Format: p.format, Group: g})
	p.settle(true)
}

// read reads what the peer sends to its end.
func (p *peer) read(ctx context.Context) {
	defer func() {
		p.settle(p.group != nil)
		p.listener.free.Add(p.reader)
	}()
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
	to := irgraph.Receiver{Began: func(g *irgraph.Group) { p.now = g }, Ended: p.ended, Holds: p.holds}
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
	if err != nil && len(problems) > 0 && p.ours(err) {
		problems = problems[:len(problems)-1] // the reader's version of it says less
	}
	for i, e := range problems {
		if e.Line > 0 { // right after the peer's port a line number would be misread
			e.Msg, e.Line = fmt.Sprintf("line %d: %s", e.Line, e.Msg), 0
		}
		event := Event{Peer: p.name, Kind: Broken, Format: p.format, Err: e}
		if i == len(problems)-1 && !p.ours(err) {
			event.Group = p.group
		}
		p.listener.deliver(event)
	}
	if p.ours(err) {
		p.broken(err)
	}
}

// ours reports whether the connection or a limit ended the reading, and not what was read.
func (p *peer) ours(err error) bool {
	var n net.Error
	return over(err) || errors.As(err, &n)
}

// over reports whether a limit ended the reading.
func over(err error) bool {
	return errors.Is(err, errLimit) || errors.Is(err, errMethod) || errors.Is(err, errSent)
}

// broken reports what ended the connection.
func (p *peer) broken(err error) {
	e := &traceio.Error{File: p.name, Err: err}
	const cut = "it was dropped and the peer sent away"
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		e.Msg = fmt.Sprintf("the peer stopped in the middle and sent nothing for %v", p.listener.opt.Patience)
		e.Hint = "what it sent before is kept"
	case errors.Is(err, errLimit):
		e = p.full(fmt.Sprintf("the peer was sent away and %s dropped", p.under()))
	case errors.Is(err, errMethod):
		e.Msg = fmt.Sprintf("%s takes more than %s of memory after %s were sent; %s", p.under(),
			size(p.listener.opt.Method), size(p.of), cut)
		e.Hint = "let the compiler tell fewer phases (-XX:PrintIdealGraphLevel), or allow more (orrery graph listen --memory)"
	case errors.Is(err, errSent) && p.now == nil:
		e.Msg = fmt.Sprintf("%s were sent without a method in them; the peer was sent away", size(p.listener.opt.Sent))
		e.Hint = "is it a compiler? let it send to another address"
	case errors.Is(err, errSent):
		e.Msg = fmt.Sprintf("more than %s were sent of %s; %s", size(p.listener.opt.Sent), p.under(), cut)
		e.Hint = "let the compiler tell fewer phases (-XX:PrintIdealGraphLevel)"
	case errors.Is(err, errForeign):
		e.Msg = "what the peer sends is neither the graph visualizer's XML nor GraalVM's BGV; it was sent away"
		e.Hint = "is it looking for another program at this port? listen at another one"
	default:
		e.Msg, e.Hint = fmt.Sprintf("the connection broke: %v", err), "what was sent before is kept"
	}
	if over(err) {
		p.group = nil
	}
	p.listener.deliver(Event{Peer: p.name, Kind: Broken, Format: p.format, Group: p.group, Err: e})
}

// full is the error when there is no memory for more.
func (p *peer) full(what string) *traceio.Error {
	e := &traceio.Error{File: p.name, Err: errLimit}
	if p.listener.opt.Release {
		e.Msg = fmt.Sprintf("what compilers send at the same time takes the %s of memory that are allowed; %s",
			size(p.listener.opt.Limit), what)
		e.Hint = "let fewer of them send at a time, or allow more (orrery graph listen --memory)"
	} else {
		e.Msg = fmt.Sprintf("the graphs that came take the %s of memory that are allowed; %s",
			size(p.listener.opt.Limit), what)
		e.Hint = "listen anew, and let the compiler tell fewer methods (-XX:CompileCommand=IGVPrintLevel)"
	}
	return e
}

// under names the method that is being received.
func (p *peer) under() string {
	switch {
	case p.now == nil:
		return "what it sent"
	case p.now.Name == "":
		return "a method without a name"
	}
	return fmt.Sprintf("method %.60q", p.now.Name)
}

// size is a number of bytes for people.
func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
