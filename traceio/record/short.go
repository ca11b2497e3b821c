package record

import (
	"errors"
	"fmt"
	"io/fs"

	"orrery/traceio"
)

// endShort ends a recording whose file can take no more, because of why: so much of what was written last is taken back that the end
// finds room, and the end tells how much of the program's references and events is missing.
func (im *image) endShort(why error) error {
	whole := im.prog
	for room := int64(0); ; room = max(2*room, 1<<12) {
		left, err := im.writer.Retreat(room)
		if err != nil {
			return err
		}
		if !left && room > 0 { // not even with nothing else in the file: then without names
			im.prog = traceio.Program{Command: whole.Command, Recorder: whole.Recorder, Started: whole.Started, Ticking: whole.Ticking, Limits: whole.Limits}
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

// unwritten notes in the program's description what is not in the file, and gives a block without references that says so at the end
// of the time line.
func (im *image) unwritten(why error) *traceio.Block {
	var of *fs.PathError
	if errors.As(why, &of) {
		why = of.Err
	}
	d, n := im.drain, uint64(im.writer.Len())
	im.res.Refs, im.res.Allocs = n, 0
	events := d.allocs + d.marks
	for _, e := range im.put.events[:im.writer.Blocks()] {
		im.res.Allocs += uint64(e.allocs)
		events -= uint64(e.allocs + e.marks)
	}
	im.prog.Lost = nil
	at := fmt.Sprintf("reference %d", n)
	if lost := d.data() + d.missed - n; lost > 0 {
		im.prog.Lost = append(im.prog.Lost, traceio.Loss{Kind: "unwritten-references", Count: lost, First: at,
			Why: fmt.Sprintf("data references that the program made and that are not in the file, because it could not be written: %v", why)})
	}
	if events > 0 {
		im.prog.Lost = append(im.prog.Lost, traceio.Loss{Kind: "unwritten-events", Count: events, First: at,
			Why: fmt.Sprintf("allocations and other events that are not in the file, because it could not be written: %v", why)})
	}
	return &traceio.Block{First: traceio.Seq(n), Start: d.ticks, End: d.ticks, Marks: []traceio.Mark{{Seq: traceio.Seq(n), Ticks: d.ticks,
		Kind: traceio.Gap, Value: d.data() + d.missed - n, Text: fmt.Sprintf("the file could not be written: %v", why)}}}
}
