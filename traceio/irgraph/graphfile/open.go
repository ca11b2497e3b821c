// Package graphfile opens files of compilers' graphs of any format, told by their content.
package graphfile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"orrery/traceio"
	"orrery/traceio/irgraph"
	"orrery/traceio/irgraph/bgv"
	"orrery/traceio/irgraph/dot"
	"orrery/traceio/irgraph/gossa"
	"orrery/traceio/irgraph/graphml"
	"orrery/traceio/irgraph/igv"
	"orrery/traceio/irgraph/v8"
)

// formats are all formats in the order in which they are tried: those with a signature first. A new format is one line
// here, a package with Sniff and Read, and its name in the error below.
var formats = []struct {
	sniff func(head []byte) bool // head is up to traceio.HeadLen bytes and not empty
	read  func(r io.Reader, name string) (*irgraph.Document, error)
}{
	{bgv.Sniff, bgv.Read},
	{igv.Sniff, igv.Read},
	{v8.Sniff, v8.Read},
	{gossa.SniffHTML, gossa.ReadHTML},
	{gossa.Sniff, gossa.Read},
	{graphml.Sniff, graphml.Read},
	{dot.Sniff, dot.Read},
}

// mark is the byte order mark that some editors put in front of UTF-8.
var mark = []byte("\xef\xbb\xbf")

// Sniff reports whether a file begins like one that Read reads; head is up to traceio.HeadLen bytes without
// compression.
func Sniff(head []byte) bool {
	head = bytes.TrimPrefix(head, mark)
	for i := range formats {
		if len(head) > 0 && formats[i].sniff(head) {
			return true
		}
	}
	return false
}

// Open reads the file at path, or the dumps of GCC's passes in the directory at path; gzip, zstd and xz around a file
// are removed. report gets bytes of the file and may be nil. Errors are *traceio.Error, or the context's; what is
// wrong with parts of the file is in the document's problems.
func Open(ctx context.Context, path string, report func(done, total int64)) (*irgraph.Document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, traceio.Unreadable(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, traceio.Unreadable(path, err)
	case info.IsDir():
		return dot.ReadSeries(ctx, path, report)
	}
	return Read(ctx, &watched{ctx: ctx, r: f, total: info.Size(), report: report}, path)
}

// Read reads a stream; name is its path for errors.
func Read(ctx context.Context, r io.Reader, name string) (*irgraph.Document, error) {
	u, err := traceio.Unpack(r, name)
	if err != nil {
		return nil, err
	}
	defer u.Close()
	head, err := u.Peek(traceio.HeadLen)
	if bytes.HasPrefix(head, mark) {
		head = head[len(mark):]
		_, _ = u.Discard(len(mark)) // they are in its buffer
	}
	if len(head) == 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil && err != io.EOF {
			return nil, &traceio.Error{File: name, Msg: fmt.Sprintf("the file cannot be read: %v", err),
				Hint: "was it cut? copy it again", Err: err}
		}
		return nil, &traceio.Error{File: name, Msg: "the file is empty",
			Hint: "make graphs with `orrery graph record --func NAME ./package`"}
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return nil, &traceio.Error{File: name, Msg: "the file is text in UTF-16 or UTF-32", Hint: "write it in UTF-8"}
	}
	for i := range formats {
		if !formats[i].sniff(head) {
			continue
		}
		doc, err := formats[i].read(u, name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if doc != nil && u.Packing != "" {
			doc.Format += "+" + u.Packing
		}
		return doc, err
	}
	e := &traceio.Error{File: name, Msg: "the file is in no known format of graphs",
		Hint: "known are IGV's XML, V8's --trace-turbo JSON, Go's GOSSAFUNC text and HTML, GCC's -fdump-tree-all-graph, " +
			"BGV, DOT and GraphML"}
	return nil, e.Because(err)
}

// watched reports how far a file is read, and ends the reading with the context.
type watched struct {
	ctx         context.Context
	r           io.Reader
	done, total int64
	report      func(done, total int64)
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(p)
	w.done += int64(n)
	if w.report != nil {
		w.report(w.done, max(w.done, w.total))
	}
	return n, err
}
