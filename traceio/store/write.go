package store

import (
	"context"
	"io"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// Write saves a recording in our own format, with its program's description in front and at the end. report gets data
// references and may be nil.
func Write(ctx context.Context, r *Recording, w io.Writer, report func(done, total int64)) error {
	out, err := orr.Create(w, &traceio.Program{Command: r.prog.Command, Recorder: r.prog.Recorder, Started: r.prog.Started, Modules: r.prog.Modules})
	if err != nil {
		return err
	}
	src := r.Source(0, r.Len())
	var b traceio.Block
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := src.Next(&b)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := out.WriteBlock(&b); err != nil {
			return err
		}
		if report != nil {
			report(int64(b.First)+int64(b.Data()), int64(r.Len()))
		}
	}
	return out.Close(r.prog)
}
