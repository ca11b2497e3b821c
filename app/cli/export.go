package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"orrery/app/output"
	"orrery/traceio"
	"orrery/traceio/export"
	"orrery/traceio/store"
)

// exportFlags are the flags of export.
type exportFlags struct {
	output, format string
	from, to       uint64
	events         bool
	fetches        bool
	given          bool // --to
}

func exportCommand(s Streams) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export FILE -o OUT",
		Short: "write a recording's references for other programs: CSV, Parquet, din, lackey",
		Long: `Export writes the references of a recording of any format as a table or as a trace that other programs read. The format is that of
--format, else the one that OUT's name ends in. OUT may be - for standard output, FILE for standard input.

` + cannots() + `

A reference is a row seq, thread, kind, address, size, pc: its ordinal, load, store or fetch, the bytes it touches from address on, and
the address of its instruction, 0 where that is unknown. A fetch has the seq of the data reference behind it. With --events a row is an
allocation or a mark instead: seq, ticks (nanoseconds), thread, event, address, size, usable, stack, value, text. Orrery reads CSV, din
and lackey back; in CSV from elsewhere only a column address must be there: kind, size, pc, thread and seq may be, in any order and under
the usual names, numbers with 0x or decimal.`,
		Example: `  orrery export testdata/recordings/list.orr -o list.parquet
  orrery export testdata/recordings/list.orr -o allocations.csv --events
  orrery export testdata/oracles/quicksort.lk.gz -o part.din --from 1000 --to 2000
  orrery export testdata/recordings/list.orr -o list.lk --fetches
  orrery export testdata/recordings/list.orr -o - --format csv | head`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			f.given = c.Flags().Changed("to")
			return f.run(c.Context(), s, args[0])
		},
	}
	flags := c.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "the file to write, or - for standard output")
	flags.StringVar(&f.format, "format", "", "one of "+export.Names())
	flags.Uint64Var(&f.from, "from", 0, "first data reference")
	flags.Uint64Var(&f.to, "to", 0, "data reference to stop in front of (default: the end)")
	flags.BoolVar(&f.fetches, "fetches", false,
		"put a fetch of one byte in front of references whose instruction was not fetched (din, lackey)")
	flags.BoolVar(&f.events, "events", false, "write allocations and marks instead of references")
	return c
}

// cannots says of every format what it has no place for.
func cannots() string {
	var lines []string
	for _, f := range export.Formats {
		lines = append(lines, "  "+f.Cannot+".")
	}
	return strings.Join(lines, "\n")
}

// suffixes are the ends of names that stand for a format.
var suffixes = map[string]string{".csv": "csv", ".parquet": "parquet", ".din": "din",
	".lk": "lackey", ".lackey": "lackey"}

func (f *exportFlags) check() (export.Format, error) {
	if f.output == "" {
		return export.Format{}, usagef("export needs -o and the file to write")
	}
	name := f.format
	if name == "" {
		if f.output == "-" {
			return export.Format{}, usagef("standard output does not tell the format; give --format, one of %s", export.Names())
		}
		if name = suffixes[strings.ToLower(filepath.Ext(f.output))]; name == "" {
			return export.Format{}, usagef("%s does not tell the format; give --format, one of %s",
				filepath.Base(f.output), export.Names())
		}
	}
	format, ok := export.Lookup(name)
	switch {
	case !ok:
		return format, usagef("there is no format %q; the formats are %s", name, export.Names())
	case f.events && !format.Events:
		return format, usagef("%s has no place for allocations and marks; export them as csv or parquet", format.Name)
	case f.fetches && (f.events || format.Name != "din" && format.Name != "lackey"):
		return format,
			usagef("--fetches applies only to references as din or lackey, which have no column for the instruction")
	case f.given && f.to <= f.from:
		return format, usagef("--to %d is not behind --from %d", f.to, f.from)
	}
	return format, nil
}

func (f *exportFlags) run(ctx context.Context, s Streams, path string) error {
	format, err := f.check()
	if err != nil {
		return err
	}
	p := newProgress(s.Err, "exporting")
	defer p.Done()
	path = input(s, path)
	rec, err := store.Open(ctx, path, store.Options{}, p.Report)
	if err != nil {
		return err
	}
	defer rec.Close()
	end := uint64(rec.Extent())
	if !f.given {
		f.to = end
	}
	if f.from > 0 && f.from >= end {
		return fmt.Errorf("%s has %s; --from %d is behind its end", path, plainly(end, "data reference"), f.from)
	}
	f.to = min(f.to, end)
	var rep export.Report
	write := func(w io.Writer) error {
		report := func(done int64) { p.Report(done, int64(f.to-f.from)) }
		src := rec.Source(traceio.Seq(f.from), traceio.Seq(f.to))
		if f.events {
			rep, err = export.Events(ctx, format, src, w, report)
		} else {
			rep, err = export.References(ctx, format, src, w, export.Options{Fetches: f.fetches}, report)
		}
		return err
	}
	to := f.output
	if to == "-" {
		to, err = "standard output", write(data(s.Out))
	} else {
		err = output.Replace(to, write)
	}
	if err != nil {
		return err
	}
	p.Done()
	if f.events {
		fmt.Fprintf(s.Err, "orrery: %s in %s\n", plainly(rep.Events, "allocation or mark", "allocations and marks"), to)
	} else {
		fmt.Fprintf(s.Err, "orrery: %s and %s in %s\n", plainly(rep.References, "reference"),
			plainly(rep.Fetches+rep.Added, "fetch", "fetches"), to)
	}
	if note := rep.Note(); note != "" && !f.events {
		fmt.Fprintf(s.Err, "orrery: %s: %s\n", note, format.Cannot)
	}
	return tell(s, path, rec.Loss())
}
