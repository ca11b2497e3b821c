package listen

import (
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"orrery/traceio/irgraph/graphtest"
)

// heard is what a test waits for at most; nothing depends on it but how long a failure takes.
const heard = 2 * time.Minute

// start listens on a free port and gives the events.
func start(t *testing.T, opt Options) (addr string, events chan Event) {
	t.Helper()
	events = make(chan Event, 1000)
	opt.Address = "127.0.0.1:0"
	opt.Deliver = func(e Event) { events <- e }
	l, err := Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	return l.Addr(), events
}

// connect is a compiler's side: it waits for the answer.
func connect(t *testing.T, addr string) (c net.Conn, answer byte) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(heard))
	var b [1]byte
	if _, err := io.ReadFull(c, b[:]); err != nil {
		return c, 0
	}
	return c, b[0]
}

// until gives the events up to the first of a kind.
func until(t *testing.T, events chan Event, k Kind) (all []Event) {
	t.Helper()
	for {
		select {
		case e := <-events:
			if all = append(all, e); e.Kind == k {
				return all
			}
		case <-time.After(heard):
			t.Fatalf("no event %d comes after %v", k, all)
		}
	}
}

func last(all []Event) Event { return all[len(all)-1] }

// TestGroupsArriveWhileTheStreamGoesOn sends a document in parts, as HotSpot does, and asks for each method when it is
// done.
func TestGroupsArriveWhileTheStreamGoesOn(t *testing.T) {
	addr, events := start(t, Options{})
	c, answer := connect(t, addr)
	if answer != 'y' {
		t.Fatalf("the answer is %q", answer)
	}
	text := graphtest.Sample(t, "hotspot.xml")
	body := text[strings.Index(text, "<group") : strings.Index(text, "</group>")+len("</group>")]
	io.WriteString(c, "<graphDocument>"+body)
	got := last(until(t, events, Arrived))
	if got.Format != "igv" || len(got.Group.Snapshots) != 3 || len(got.Group.Snapshots[2].Blocks) != 4 {
		t.Errorf("%+v", got)
	}
	io.WriteString(c, body)
	if again := last(until(t, events, Arrived)); again.Group == got.Group || again.Group.Name != got.Group.Name {
		t.Errorf("the second group is %+v", again.Group)
	}
	io.WriteString(c, "</graphDocument>")
	c.Close()
	for _, e := range until(t, events, Ended) {
		if e.Kind == Broken {
			t.Errorf("a whole document is said to be broken: %v", e.Err)
		}
	}
}

func TestBGVArrives(t *testing.T) {
	addr, events := start(t, Options{})
	c, _ := connect(t, addr)
	io.WriteString(c, graphtest.Sample(t, "sum.bgv"))
	if got := last(until(t, events, Arrived)); got.Format != "bgv" || len(got.Group.Groups) != 1 ||
		len(got.Group.Groups[0].Snapshots) != 2 {
		t.Errorf("%+v", got)
	}
	c.Close()
	until(t, events, Ended)
}

func TestUnwantedIsTold(t *testing.T) {
	addr, events := start(t, Options{Want: func(string) bool { return false }})
	if _, answer := connect(t, addr); answer != 'n' {
		t.Errorf("the answer is %q", answer)
	}
	until(t, events, Refused)
}

func TestTooManyAreSentAway(t *testing.T) {
	addr, events := start(t, Options{Peers: 1})
	first, _ := connect(t, addr)
	if _, answer := connect(t, addr); answer != 0 {
		t.Errorf("the second gets the answer %q", answer)
	}
	if e := last(until(t, events, Refused)); e.Err == nil || !strings.Contains(e.Err.Msg, "another is connected already") {
		t.Errorf("%+v", e)
	}
	first.Close()
	until(t, events, Ended)
}

// TestBadPeers sends what a peer should not.
func TestBadPeers(t *testing.T) {
	group := "<graphDocument><group><properties><p name='name'>f</p></properties><graph name='a'><nodes><node id='1'/>"
	for _, c := range []struct {
		name, text string
		opt        Options
		hang       bool // it neither sends more nor goes
		want       string
		nodes      int // of what is kept
	}{
		{"rubbish", strings.Repeat("GET / HTTP/1.1\r\n", 10), Options{}, false,
			"neither the graph visualizer's XML nor GraalVM's BGV", -1},
		{"rubbish in brackets", "<html><body>", Options{}, false, `: line 1: the outermost element is "html"`, -1},
		{"too short", "x", Options{}, false, "the connection broke", -1},
		{"a cut group", group, Options{}, false, "the document ends before its elements do", 1},
		{"a stall", group + "<node", Options{Patience: 50 * time.Millisecond}, true,
			"stopped in the middle and sent nothing for 50ms", 1},
		{"more than is taken", group + strings.Repeat("<node id='2'/>", 1<<17), Options{Limit: 1 << 20, Method: 2 << 20},
			true, `the graphs that came take the 1 MiB of memory that are allowed; the peer was sent away and method "f" dropped`, -1},
		{"more than is taken of a method", group + strings.Repeat("<node id='2'/>", 1<<17), Options{Sent: 1 << 20}, true,
			`more than 1 MiB were sent of method "f"; it was dropped`, -1},
		{"a method that is large in memory", group + strings.Repeat("<node id='2'/>", 1<<17), Options{Method: 1 << 20}, true,
			`method "f" takes more than 1 MiB of memory after`, -1},
		{"a broken BGV", "BIGV\x07\x00\x09", Options{}, false, "9 begins neither a group nor a graph", -1},
	} {
		addr, events := start(t, c.opt)
		conn, _ := connect(t, addr)
		go func() {
			io.WriteString(conn, c.text) // an error only says that the listener has heard enough
			if !c.hang {
				conn.(*net.TCPConn).CloseWrite()
			}
		}()
		var said []string
		nodes := -1
		for _, e := range until(t, events, Ended) {
			if e.Kind == Broken {
				said = append(said, e.Err.Error())
				if e.Err.File != conn.LocalAddr().String() {
					t.Errorf("%s: the peer is called %s", c.name, e.Err.File)
				}
				if e.Group != nil {
					nodes = len(e.Group.Snapshots[0].Nodes)
				}
			}
		}
		if len(said) == 0 || !strings.Contains(said[len(said)-1], c.want) || nodes != c.nodes {
			t.Errorf("%s: it says %.300q and keeps %d nodes, want %q and %d", c.name, said, nodes, c.want, c.nodes)
		}
	}
}

// TestMethodsAreCountedOneByOne sends methods that are together larger than what is taken of one.
func TestMethodsAreCountedOneByOne(t *testing.T) {
	addr, events := start(t, Options{Sent: 200 << 10})
	conn, _ := connect(t, addr)
	one := "<group><graph name='a'><nodes><node id='1'/></nodes>" + strings.Repeat(" ", 64<<10) + "</graph></group>"
	go func() {
		io.WriteString(conn, "<graphDocument>"+strings.Repeat(one, 12)+"</graphDocument>")
		conn.(*net.TCPConn).CloseWrite()
	}()
	arrived := 0
	for _, e := range until(t, events, Ended) {
		if e.Kind == Broken {
			t.Error(e.Err)
		}
		if e.Kind == Arrived {
			arrived++
		}
	}
	if arrived != 12 {
		t.Errorf("%d methods arrived, want 12", arrived)
	}
}

// TestFloodTakesNoMemory sends 256 MB of each kind of thing that a reader might keep, to a limit of half a MiB.
func TestFloodTakesNoMemory(t *testing.T) {
	for _, c := range []struct{ name, head, body string }{
		{"text", "<graphDocument>", "x"},
		{"empty groups", "<graphDocument>", "<group/>"},
		{"an endless tag", "<graphDocument ", "a='b' "},
		{"nested groups", "<graphDocument>", "<group>"},
		{"nodes", "<graphDocument><group><graph><nodes>", "<node id='1'/>"},
		{"a comment", "<!--", "x"},
		{"no tag at all", "", "rubbish "},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		addr, events := start(t, Options{Limit: 512 << 10, Sent: 512 << 10})
		conn, _ := connect(t, addr)
		go func() {
			io.WriteString(conn, c.head)
			piece := []byte(strings.Repeat(c.body, 1<<16/len(c.body)))
			for range 4096 {
				if _, err := conn.Write(piece); err != nil {
					return
				}
			}
		}()
		broken := false
		for open := true; open; {
			e := <-events
			broken = broken || e.Kind == Broken
			open = e.Kind != Ended
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); !broken || grown > 64<<20 {
			t.Errorf("%s: broken %v, the heap grew by %d MiB", c.name, broken, grown>>20)
		}
		if total := int64(after.TotalAlloc) - int64(before.TotalAlloc); total > 1<<30 {
			t.Errorf("%s: %d MiB were allocated in all", c.name, total>>20)
		}
	}
}
