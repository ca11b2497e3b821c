// Package export writes recordings in formats that other programs read: tables (CSV, Parquet) and the traces of lackey
// and din. Each writer takes a traceio.Source and gives back what its format could not carry.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"orrery/traceio"
)

// Format is one of the formats that can be written.
type Format struct {
	Name   string
	Cannot string // a sentence: what the format has no place for
	Events bool   // it can write a table of allocations and marks
	write  func(w *bufio.Writer, opt Options) sink
	events func(w *bufio.Writer) eventSink
}

// Formats are all formats, in alphabetical order.
var Formats = []Format{
	{Name: "csv", Cannot: "CSV carries every reference whole, but neither time nor the names of the program; --events " +
		"writes the allocations and marks as a second table", Events: true,
		write: newCSV, events: newEventCSV},
	{Name: "din", Cannot: "din carries kinds, addresses and sizes; it has no threads, allocations or time, and an " +
		"instruction only as a fetch in front of its data, which --fetches puts in", write: newDin},
	{Name: "lackey", Cannot: "lackey carries kinds, addresses, sizes and threads; it has no allocations or time, and an " +
		"instruction only as a fetch in front of its data, which --fetches puts in", write: newLackey},
	{Name: "parquet", Cannot: "Parquet carries every reference whole, but neither time nor the names of the program; " +
		"--events writes the allocations and marks as a second table", Events: true,
		write: newParquet, events: newEventParquet},
}

// Options change what is written.
type Options struct {
	// Fetches puts a fetch of one byte in front of every reference whose instruction is known but was not fetched last,
	// so that din and lackey carry instructions of recordings without fetches. Tables do not need it.
	Fetches bool
}

// Lookup gives the format of a name, in any case.
func Lookup(name string) (Format, bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

// Names are the names of all formats between commas, for messages.
func Names() string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// Report is what happened: how many references or events were written, and how much of what the source had was left
// behind for want of a place.
type Report struct {
	References   uint64 // loads and stores
	Fetches      uint64
	Added        uint64 // fetches that the source does not have
	Events       uint64 // allocations and marks written
	Left         uint64 // allocations and marks not written
	Instructions uint64 // references written without their instruction
	Threads      uint64 // references written without their thread, which is not 0
}

// Note says in a sentence what was left behind, "" when nothing was.
func (r *Report) Note() string {
	var parts []string
	for _, p := range []struct {
		n    uint64
		one  string
		what string
	}{
		{r.Added, "1 fetch of one byte was put in", "%d fetches of one byte were put in"},
		{r.Left, "1 allocation or mark was left behind", "%d allocations and marks were left behind"},
		{r.Instructions, "1 reference lost its instruction", "%d references lost their instruction"},
		{r.Threads, "1 reference lost its thread", "%d references lost their thread"},
	} {
		switch p.n {
		case 0:
		case 1:
			parts = append(parts, p.one)
		default:
			parts = append(parts, fmt.Sprintf(p.what, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

// sink writes references. block may count in rep what it cannot carry.
type sink interface {
	block(b *traceio.Block, rep *Report) error
	end() error
}

// eventSink writes allocations and marks.
type eventSink interface {
	event(e *event) error
	end() error
}

// References writes the references of src to w. report gets those done so far and may be nil. Errors are those of w, of
// src or of ctx.
func References(ctx context.Context, f Format, src traceio.Source, w io.Writer, opt Options,
	report func(done int64)) (Report, error) {
	var rep Report
	buf := bufio.NewWriterSize(w, 1<<18)
	out := f.write(buf, opt)
	err := blocks(ctx, src, func(b *traceio.Block) error {
		if err := out.block(b, &rep); err != nil {
			return err
		}
		rep.References += uint64(b.Data())
		rep.Fetches += uint64(b.Fetches)
		rep.Left += uint64(len(b.Allocs) + len(b.Marks))
		if report != nil {
			report(int64(rep.References))
		}
		return nil
	})
	if err == nil {
		err = out.end()
	}
	if err == nil {
		err = buf.Flush()
	}
	return rep, err
}

// Events writes the allocations and marks of src to w, in their order. f.Events must be true.
func Events(ctx context.Context, f Format, src traceio.Source, w io.Writer, report func(done int64)) (Report, error) {
	var rep Report
	buf := bufio.NewWriterSize(w, 1<<18)
	out := f.events(buf)
	done := int64(0)
	err := blocks(ctx, src, func(b *traceio.Block) error {
		for _, e := range merge(b) {
			if err := out.event(&e); err != nil {
				return err
			}
			rep.Events++
		}
		if done += int64(b.Data()); report != nil {
			report(done)
		}
		return nil
	})
	if err == nil {
		err = out.end()
	}
	if err == nil {
		err = buf.Flush()
	}
	return rep, err
}

func blocks(ctx context.Context, src traceio.Source, f func(*traceio.Block) error) error {
	var b traceio.Block
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := src.Next(&b)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f(&b); err != nil {
			return err
		}
	}
}
