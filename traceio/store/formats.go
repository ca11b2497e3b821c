package store

import (
	"io"

	"orrery/traceio"
	"orrery/traceio/champsim"
	"orrery/traceio/csv"
	"orrery/traceio/dinero"
	"orrery/traceio/drmemtrace"
	"orrery/traceio/gem5"
	"orrery/traceio/lackey"
	"orrery/traceio/pin"
)

// format is a foreign format: how to tell it from the first bytes of an unpacked file, and how to read it.
type format struct {
	name  string                 // as in Recording.Format
	sniff func(head []byte) bool // head is up to traceio.HeadLen bytes and not empty
	open  func(r io.Reader, path string) (traceio.Source, error)
}

// formats are all foreign formats, in the order in which they are asked: those with a signature first, those whose
// lines are most particular before those that many texts resemble.
var formats = []format{
	{"drmemtrace", drmemtrace.Sniff, func(r io.Reader, path string) (traceio.Source, error) {
		return drmemtrace.New(r, path), nil
	}},
	{"drmemtrace-zip", drmemtrace.SniffZip, func(r io.Reader, path string) (traceio.Source, error) {
		return drmemtrace.NewZip(r, path), nil
	}},
	{"gem5", gem5.Sniff, func(r io.Reader, path string) (traceio.Source, error) { return gem5.New(r, path), nil }},
	{"lackey", lackey.Sniff, func(r io.Reader, path string) (traceio.Source, error) { return lackey.New(r, path), nil }},
	{"pinatrace", pin.Sniff, func(r io.Reader, path string) (traceio.Source, error) { return pin.New(r, path), nil }},
	{"champsim", champsim.Sniff, func(r io.Reader, path string) (traceio.Source, error) {
		return champsim.New(r, path), nil
	}},
	{"din", dinero.Sniff, func(r io.Reader, path string) (traceio.Source, error) { return dinero.New(r, path), nil }},
	{"csv", csv.Sniff, func(r io.Reader, path string) (traceio.Source, error) { return csv.New(r, path), nil }},
}

// recognise gives the format that a file begins like, nil when there is none.
func recognise(head []byte) *format {
	for i := range formats {
		if formats[i].sniff(head) {
			return &formats[i]
		}
	}
	return nil
}
