package store

import (
	"context"
	"io"
	"os"

	"orrery/traceio"
	"orrery/traceio/heaplog"
	"orrery/traceio/orr"
)

// EventSource yields the allocator events of a recording that has no references, straight from its file, so that a log
// of any length takes the memory of one block.
type EventSource struct {
	traceio.Source
	Path, Format string
	Expect       int // events, estimated from the length of the file

	report func()
	close  func() error
}

// What Expect is estimated by: the least average length of a log's lines, and how many bytes of lines a compressed byte
// stands for.
const (
	bytesPerEvent = 16
	packedLines   = 6
)

// OpenEvents opens the allocator events of a file. It gives nil, and no error, for one that may have references or
// still grows, which Open is for. report gets bytes of the file and may be nil.
func OpenEvents(ctx context.Context, path string, report func(done, total int64)) (*EventSource, error) {
	// A pipe is opened once, by Open: whoever writes to it would take the close here for its reader's end.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, traceio.Unreadable(path, err)
	}
	s, err := openEvents(path, f, report)
	if s == nil {
		f.Close()
	}
	return s, err
}

func openEvents(path string, f *os.File, report func(done, total int64)) (*EventSource, error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || growing(f) {
		return nil, nil // if anything is wrong, Open returns the error
	}
	head := make([]byte, 16)
	if n, _ := f.ReadAt(head, 0); orr.Magic(head[:n]) {
		return openOwnEvents(path, f, info.Size(), report)
	}
	in := &counting{r: f}
	u, err := traceio.Unpack(in, path)
	if err != nil {
		return nil, nil
	}
	start, _ := u.Peek(traceio.HeadLen)
	src, format := heaplog.Detect(u, start, path)
	if src == nil {
		u.Close()
		return nil, nil
	}
	s := &EventSource{Source: src, Path: path, Format: format + suffix(u), Expect: int(info.Size() / bytesPerEvent),
		close: func() error {
			u.Close()
			return f.Close()
		}}
	if u.Packing != "" {
		s.Expect *= packedLines
	}
	if report != nil {
		s.report = func() { report(in.n, max(info.Size(), in.n)) }
	}
	return s, nil
}

// openOwnEvents is openEvents for our own format.
func openOwnEvents(path string, f *os.File, size int64, report func(done, total int64)) (*EventSource, error) {
	file, err := orr.Open(f, size, path)
	if err != nil || len(file.Entries()) == 0 {
		return nil, nil
	}
	for _, e := range file.Entries() {
		if e.Rows > 0 {
			return nil, nil
		}
	}
	own := &ownEvents{file: file}
	s := &EventSource{Source: own, Path: path, Format: "orr", Expect: int(size / 4), close: f.Close}
	if report != nil {
		s.report = func() { report(int64(own.next), int64(len(file.Entries()))) }
	}
	return s, nil
}

// Next is traceio.Source's.
func (s *EventSource) Next(b *traceio.Block) error {
	if s.report != nil {
		s.report()
	}
	return s.Source.Next(b)
}

// Close closes the file.
func (s *EventSource) Close() error { return s.close() }

// ownEvents is the events of a file of ours, block by block.
type ownEvents struct {
	file *orr.File
	next int
	lost []traceio.Loss
}

func (o *ownEvents) Next(b *traceio.Block) error {
	b.Reset(0)
	if o.next == len(o.file.Entries()) {
		return io.EOF
	}
	b.Allocs, b.Marks, o.lost = appendEvents(o.file, o.next, b.Allocs, b.Marks, o.lost)
	o.next++
	return nil
}

func (o *ownEvents) Loss() []traceio.Loss {
	loss := append(o.file.Loss(), o.file.Program().Lost...)
	return append(loss, o.lost...)
}

func (o *ownEvents) Program() *traceio.Program { return o.file.Program() }
