package store

import (
	"context"
	"io"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// Write saves a recording in our own format, with its program's description in front and at the end. What the recording
// lost before, the file goes on telling. report gets data
// references and may be nil.
func Write(ctx context.Context, r *Recording, w io.Writer, report func(done, total int64)) error {
	out, err := orr.Create(w, &traceio.Program{Command: r.prog.Command, Recorder: r.prog.Recorder, Started: r.prog.Started,
		Modules: r.prog.Modules})
	if err != nil {
		return err
	}
	src := r.Source(0, r.Extent())
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
		if b.Len() == 0 && r.Len() == 0 {
			unnumber(&b)
		}
		if err := out.WriteBlock(&b); err != nil {
			return err
		}
		if report != nil {
			report(int64(b.First)+int64(b.Data()), int64(r.Extent()))
		}
	}
	prog := *r.prog
	prog.Lost = r.Loss()
	return out.Close(&prog)
}

// unnumber takes the numbers from events that stand in no reference's time: a file has them all before the first one,
// and opening it numbers them again.
func unnumber(b *traceio.Block) {
	for i := range b.Allocs {
		b.Allocs[i].Seq = 0
	}
	for i := range b.Marks {
		b.Marks[i].Seq = 0
	}
}
