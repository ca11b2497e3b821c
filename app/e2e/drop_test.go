package e2e

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// drop drops files on a point of the window as a file manager does: an X client of its own follows the XDND protocol
// (freedesktop.org, version 5), offers a list of URIs and hands it over when the application asks.
//
//	source                          application
//	  Enter, Position  ──────────>
//	                   <──────────  Status: will take it
//	  Drop             ──────────>
//	                   <──────────  SelectionRequest for text/uri-list
//	  SelectionNotify  ──────────>
//	                   <──────────  Finished
func (w *window) drop(x, y float64, paths ...string) {
	w.t.Helper()
	if err := dropFiles(w.display, w.id, int(x), int(y), paths); err != nil {
		w.fail("dropping files: " + err.Error())
	}
}

// dragSource is the X client that files are dragged from.
type dragSource struct {
	conn   *xgb.Conn
	own    xproto.Window
	target xproto.Window
	uris   []byte
	atoms  map[string]xproto.Atom
}

func dropFiles(display, id string, x, y int, paths []string) error {
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return err
	}
	defer conn.Close()
	n, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return err
	}
	s := &dragSource{conn: conn, target: xproto.Window(n), atoms: map[string]xproto.Atom{}}
	for _, p := range paths {
		s.uris = append(s.uris, (&url.URL{Scheme: "file", Path: p}).String()+"\r\n"...)
	}
	if err := s.offer(); err != nil {
		return err
	}
	if err := s.send("XdndEnter", 5<<24, uint32(s.atoms["text/uri-list"]), 0, 0); err != nil {
		return err
	}
	if err := s.send("XdndPosition", 0, uint32(x)<<16|uint32(y), xproto.TimeCurrentTime,
		uint32(s.atoms["XdndActionCopy"])); err != nil {
		return err
	}
	return s.serve()
}

// offer makes the source's window and owns the selection of things dragged.
func (s *dragSource) offer() error {
	for _, name := range []string{"XdndSelection", "XdndEnter", "XdndPosition", "XdndStatus", "XdndDrop", "XdndFinished",
		"XdndActionCopy", "text/uri-list"} {
		a, err := xproto.InternAtom(s.conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return err
		}
		s.atoms[name] = a.Atom
	}
	var err error
	if s.own, err = xproto.NewWindowId(s.conn); err != nil {
		return err
	}
	screen := xproto.Setup(s.conn).DefaultScreen(s.conn)
	if err := xproto.CreateWindowChecked(s.conn, screen.RootDepth, s.own, screen.Root, 0, 0, 1, 1, 0,
		xproto.WindowClassInputOutput, screen.RootVisual, 0, nil).Check(); err != nil {
		return err
	}
	return xproto.SetSelectionOwnerChecked(s.conn, s.own, s.atoms["XdndSelection"], xproto.TimeCurrentTime).Check()
}

// send sends one message of the protocol: its first word is always the source's window.
func (s *dragSource) send(name string, words ...uint32) error {
	m := xproto.ClientMessageEvent{Format: 32, Window: s.target, Type: s.atoms[name],
		Data: xproto.ClientMessageDataUnionData32New(append([]uint32{uint32(s.own)}, words...))}
	return xproto.SendEventChecked(s.conn, false, s.target, xproto.EventMaskNoEvent, string(m.Bytes())).Check()
}

// serve answers the application until it has what it wants.
func (s *dragSource) serve() error {
	for {
		event, err := s.conn.WaitForEvent()
		if err != nil {
			return err
		}
		switch e := event.(type) {
		case nil:
			return fmt.Errorf("the display has gone")
		case xproto.ClientMessageEvent:
			switch e.Type {
			case s.atoms["XdndStatus"]:
				if e.Data.Data32[1]&1 == 0 {
					return fmt.Errorf("the application does not take files here")
				}
				if err := s.send("XdndDrop", 0, xproto.TimeCurrentTime, 0, 0); err != nil {
					return err
				}
			case s.atoms["XdndFinished"]:
				return nil
			}
		case xproto.SelectionRequestEvent:
			if err := s.hand(e); err != nil {
				return err
			}
		}
	}
}

// hand gives the list of URIs to the application.
func (s *dragSource) hand(e xproto.SelectionRequestEvent) error {
	if err := xproto.ChangePropertyChecked(s.conn, xproto.PropModeReplace, e.Requestor, e.Property, e.Target, 8,
		uint32(len(s.uris)), s.uris).Check(); err != nil {
		return err
	}
	said := make([]byte, 32) // a SelectionNotify event
	said[0] = 31
	for i, v := range []uint32{uint32(e.Time), uint32(e.Requestor), uint32(e.Selection), uint32(e.Target),
		uint32(e.Property)} {
		xgb.Put32(said[4+4*i:], v)
	}
	return xproto.SendEventChecked(s.conn, false, e.Requestor, xproto.EventMaskNoEvent, string(said)).Check()
}
