package record

import (
	"errors"
	"fmt"
	"io/fs"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// endOnFullDisk ends a recording whose file cannot grow, because of why: it removes as many of the last blocks as are
// needed to write the end, which says how many references and events are missing.
func (im *image) endOnFullDisk(why error) error {
	whole := im.prog
	for room := int64(0); ; room = max(2*room, 1<<12) {
		left, err := im.writer.Rollback(room)
		if err != nil {
			return err
		}
		if !left && room > 0 { // there is no room even without blocks: leave out the names
			im.prog = traceio.Program{Command: whole.Command, Recorder: whole.Recorder, Started: whole.Started,
				Ticking: whole.Ticking, Limits: whole.Limits, Notes: whole.Notes}
		}
		gap := im.unwritten(why)
		if err = im.writer.WriteBlock(gap); err == nil {
			err = im.writer.Close(&im.prog)
		}
		if err == nil || !left && room > 0 {
			return err
		}
	}
}

// endKept ends a recording of the last references, which w has written, or could not because of err. Where there is no
// room for the end, it drops more of the oldest blocks, and full becomes the reason. The end says what is missing of
// what was asked for.
func (im *image) endKept(w *orr.Writer, err error, full *error) error {
	d, k := im.drain, im.keep
	for err == nil {
		im.res.Refs, im.res.Allocs = k.refs, k.allocs
		im.prog.Lost = im.drain.losses()
		if *full != nil {
			// after a failure nothing was written, and of what was written before the oldest may be dropped
			total := d.data() + d.missed
			low := max(total, k.want) - k.want
			lost := total - low - (max(k.gone+k.refs, low) - max(k.gone, low))
			im.prog.Lost = append(im.prog.Lost, traceio.Loss{Kind: "unwritten-references", Count: lost,
				First: "reference 0", Why: fmt.Sprintf(
					"data references that were to be kept and that are not in the file, because it could not be written: %v",
					reason(*full))})
		}
		why := w.Close(&im.prog)
		if why == nil {
			return k.close()
		}
		if *full = why; !k.halve() {
			return why
		}
		w, err = k.fit(&im.prog, full)
	}
	im.res.Refs, im.res.Allocs = k.data, 0
	return err
}

// reason is the system's error without the file.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// unwritten notes in the program's description what is not in the file, and gives a block with a Gap mark for the end
// of the time line.
func (im *image) unwritten(why error) *traceio.Block {
	why = reason(why)
	d, n := im.drain, uint64(im.writer.Len())
	im.res.Refs, im.res.Allocs = n, 0
	events := d.allocs + d.marks
	for _, e := range im.put.events[:im.writer.Blocks()] {
		im.res.Allocs += uint64(e.allocs)
		events -= uint64(e.allocs + e.marks)
	}
	im.prog.Lost = im.drain.losses()
	at := fmt.Sprintf("reference %d", n)
	if lost := d.data() + d.missed - n; lost > 0 {
		im.prog.Lost = append(im.prog.Lost, traceio.Loss{Kind: "unwritten-references", Count: lost, First: at,
			Why: fmt.Sprintf(
				"data references that the program made and that are not in the file, because it could not be written: %v", why)})
	}
	if events > 0 {
		im.prog.Lost = append(im.prog.Lost, traceio.Loss{Kind: "unwritten-events", Count: events, First: at,
			Why: fmt.Sprintf("allocations and other events that are not in the file, because it could not be written: %v", why)})
	}
	return &traceio.Block{First: traceio.Seq(n), Start: d.ticks, End: d.ticks,
		Marks: []traceio.Mark{{Seq: traceio.Seq(n), Ticks: d.ticks,
			Kind: traceio.Gap, Value: d.data() + d.missed - n, Text: fmt.Sprintf("the file could not be written: %v", why)}}}
}

// losses are records that the program began and never completed.
func (d *drain) losses() []traceio.Loss {
	if d.lost == 0 {
		return nil
	}
	return []traceio.Loss{{Kind: "interrupted-records", Count: d.lost, First: fmt.Sprintf("reference %d", d.firstLost),
		Why: "references and events that a signal handler interrupted before they were written, and did not return to in " +
			"time: what a handler " +
			"leaves by longjmp was most often still to be made"}}
}
