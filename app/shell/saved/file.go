package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orrery/app/output"
	"orrery/traceio"
)

// Bounds of what is believed of a file: hundreds of documents do not fit into a window, and a state is some kilobytes.
const (
	largest   = 64 << 20
	documents = 256
	bookmarks = 10_000
)

// mark begins every session file, after a brace and white space.
const mark = `"orrery-session"`

// Is tells from the first bytes of a file whether it is a session; a hundred are enough.
func Is(head []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(mark))
}

// IsFile is Is for a file; what is no regular file, or has no readable contents, is no session.
func IsFile(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	return Is(head[:n])
}

// Read reads a session file and finds the files that it names: a path that leads nowhere is replaced by the one beside
// the session file where that leads somewhere.
func Read(path string) (*Session, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the session %s cannot be opened: %w; choose the file again with Ctrl+O", path, cause(err))
	case info.Size() > largest:
		return nil, broken(path, 0, fmt.Sprintf("%d bytes are no session", info.Size()))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the session %s cannot be read: %w; choose the file again with Ctrl+O", path, cause(err))
	}
	s, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	for i := range s.Documents {
		s.Documents[i].find(filepath.Dir(path))
	}
	return s, nil
}

// cause is an error without the name of the file, which the sentence around it has.
func cause(err error) error {
	var where *os.PathError
	if errors.As(err, &where) {
		return where.Err
	}
	return err
}

// find replaces a path that leads nowhere by the one near the session, if that leads somewhere.
func (d *Document) find(dir string) {
	if _, err := os.Stat(d.Path); err == nil || d.Near == "" {
		return
	}
	if near := filepath.Join(dir, d.Near); exists(near) {
		d.Path = near
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Parse reads a session; name stands in errors, which are *traceio.Error with the line.
func Parse(name string, data []byte) (*Session, error) {
	var version struct {
		Version *int `json:"orrery-session"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, unreadable(name, data, err)
	}
	switch v := version.Version; {
	case v == nil || *v < 1:
		return nil, broken(name, 1, `it does not say "orrery-session": `+fmt.Sprint(Version))
	case *v > Version:
		return nil, &traceio.Error{File: name, Line: 1, Msg: fmt.Sprintf(
			"the session was written by a newer Orrery (version %d of the file, this one reads %d)", *v, Version),
			Hint: "open it with that Orrery, or open its recordings themselves with Ctrl+O"}
	}
	s := &Session{Front: -1, Beside: -1}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, unreadable(name, data, err)
	}
	return s, s.check(name)
}

// check refuses what no window has written, and mends what can be told to be nothing.
func (s *Session) check(name string) error {
	if len(s.Documents) > documents {
		return broken(name, 0, fmt.Sprintf("%d documents are more than a window holds", len(s.Documents)))
	}
	for i, d := range s.Documents {
		switch {
		case d.Path == "" || bytes.ContainsRune([]byte(d.Path), 0):
			return broken(name, 0, fmt.Sprintf("document %d has no path", i+1))
		case len(d.Bookmarks) > bookmarks:
			return broken(name, 0, fmt.Sprintf("document %d has %d bookmarks", i+1, len(d.Bookmarks)))
		}
	}
	for _, at := range []*int{&s.Front, &s.Beside} {
		if *at < 0 || *at >= len(s.Documents) {
			*at = -1
		}
	}
	if !slices.Contains([]string{"dark", "light", "system"}, s.Theme) {
		s.Theme = ""
	}
	s.Restoring = max(0, s.Restoring)
	return nil
}

// unreadable says at which line the text is no session.
func unreadable(name string, data []byte, err error) error {
	line := func(offset int64) int {
		return 1 + bytes.Count(data[:max(0, min(int(offset), len(data)))], []byte("\n"))
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return broken(name, line(syntax.Offset), "the session ends too early")
	case errors.As(err, &syntax):
		return broken(name, line(syntax.Offset), "this is no JSON ("+syntax.Error()+")")
	case errors.As(err, &kind):
		return broken(name, line(kind.Offset), fmt.Sprintf("%s cannot be a %.80s", kind.Field, kind.Value))
	}
	return broken(name, 0, err.Error())
}

// broken is the error of a file that is no session any more.
func broken(name string, line int, msg string) error {
	return &traceio.Error{File: name, Line: line, Msg: msg,
		Hint: "take a copy of the session, or open its recordings themselves with Ctrl+O; what is open stays open"}
}

// Bytes is the session as a file that will stand in a directory: paths are given as seen from there too.
func (s Session) Bytes(dir string) ([]byte, error) {
	s.Version = Version
	s.Documents = slices.Clone(s.Documents)
	for i := range s.Documents {
		d := &s.Documents[i]
		if near, err := filepath.Rel(dir, d.Path); err == nil && dir != "" {
			d.Near = near
		}
	}
	if s.Documents == nil {
		s.Documents = []Document{}
	}
	data, err := json.MarshalIndent(s, "", " ")
	return append(data, '\n'), err
}

// Write writes the session to a file, or leaves what was there when that fails.
func (s Session) Write(path string) error {
	data, err := s.Bytes(filepath.Dir(path))
	if err != nil {
		return err
	}
	return output.Write(path, data)
}
