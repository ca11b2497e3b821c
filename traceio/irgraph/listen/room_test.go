package listen

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// method is one with a number of nodes.
func method(name string, nodes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<group><properties><p name='name'>%s</p></properties><graph name='a'><nodes>", name)
	for i := range nodes {
		fmt.Fprintf(&b, "<node id='%d'/>", i)
	}
	b.WriteString("</nodes></graph></group>")
	return b.String()
}

// sends sends a document of methods and gives what is told up to the end.
func sends(t *testing.T, addr string, events chan Event, methods ...string) []Event {
	t.Helper()
	conn, answer := connect(t, addr)
	if answer != 'y' {
		t.Fatalf("the answer is %q", answer)
	}
	go func() {
		io.WriteString(conn, "<graphDocument>"+strings.Join(methods, "")+"</graphDocument>")
		conn.(*net.TCPConn).CloseWrite()
	}()
	return until(t, events, Ended)
}

// count gives how many methods arrived, and what was told of trouble.
func count(events []Event) (arrived int, trouble []string) {
	for _, e := range events {
		if e.Kind == Arrived {
			arrived++
		}
		if e.Err != nil {
			trouble = append(trouble, e.Err.Error())
		}
	}
	return arrived, trouble
}

// TestReleasedMethodsGiveTheirRoomBack sends far more in all than may be held at a time, over several connections.
func TestReleasedMethodsGiveTheirRoomBack(t *testing.T) {
	addr, events := start(t, Options{Limit: 1 << 20, Release: true})
	list := make([]string, 20)
	for i := range list {
		list[i] = method(fmt.Sprint("f", i), 1000)
	}
	for range 3 {
		if n, trouble := count(sends(t, addr, events, list...)); n != len(list) || len(trouble) > 0 {
			t.Fatalf("%d of %d methods arrived, %v", n, len(list), trouble)
		}
	}
}

// TestKeptMethodsFillTheRoom is the same with a receiver that keeps them: a peer that comes when there is no room is
// not asked to send.
func TestKeptMethodsFillTheRoom(t *testing.T) {
	addr, events := start(t, Options{Limit: 1 << 20})
	list := make([]string, 60)
	for i := range list {
		list[i] = method(fmt.Sprint("f", i), 200)
	}
	n, trouble := count(sends(t, addr, events, list...))
	if n < 5 || n == len(list) || len(trouble) != 1 || !strings.Contains(trouble[0],
		fmt.Sprintf(
			`the graphs that came take the 1 MiB of memory that are allowed; the peer was sent away and method "f%d" dropped`,
			n)) {
		t.Errorf("%d methods arrived, %v", n, trouble)
	}
	if _, answer := connect(t, addr); answer != 'n' {
		t.Errorf("the next peer gets the answer %q", answer)
	}
	if e := last(until(t, events, Refused)); e.Err == nil ||
		!strings.Contains(e.Err.Msg, "the graphs that came take the 1 MiB") {
		t.Errorf("%+v", e)
	}
}

// TestACutMethodGivesItsRoomBack cuts one peer after the other; the next one finds all the room there was.
func TestACutMethodGivesItsRoomBack(t *testing.T) {
	addr, events := start(t, Options{Limit: 2 << 20})
	for i := range 5 {
		n, trouble := count(sends(t, addr, events, method("huge", 30_000)))
		if n != 0 || len(trouble) != 1 ||
			!strings.Contains(trouble[0], `method "huge" takes more than 1 MiB of memory after`) {
			t.Fatalf("peer %d: %d methods arrived, %v", i, n, trouble)
		}
	}
	if n, trouble := count(sends(t, addr, events, method("small", 1000))); n != 1 || len(trouble) > 0 {
		t.Errorf("%d methods arrived, %v", n, trouble)
	}
}
