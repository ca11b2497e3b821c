package cli

import (
	"context"
	"fmt"

	"orrery/app/session"
	"orrery/traceio"
)

// loaded is a recording opened for a command.
type loaded struct{ *session.Recording }

// withRecording opens a recording, gives it to f and says afterwards what of it was unusable. title is what the
// progress line says. f may print; the progress line is gone once it calls p.Done.
func withRecording(ctx context.Context, s Streams, path, title string, f func(rec *loaded, p *progress) error) error {
	p := newProgress(s.Err, title)
	defer p.Done()
	rec, err := session.Load(ctx, path, p.Report)
	if err != nil {
		return err
	}
	defer rec.Close()
	l := &loaded{rec}
	if err := f(l, p); err != nil {
		return err
	}
	p.Done()
	return l.told(s)
}

// needsReferences is the error of a command that shows references when the recording has only allocations.
func (l *loaded) needsReferences() error {
	if l.EventsOnly() {
		return fmt.Errorf("%s: %w", l.Path(), session.ErrEventsOnly)
	}
	return nil
}

// told says what of the input was unusable, if anything, and makes that the command's exit status.
func (l *loaded) told(s Streams) error { return tell(s, l.Name(), l.Loss()) }

func tell(s Streams, name string, losses []traceio.Loss) error {
	var err error
	for _, loss := range losses {
		fmt.Fprintf(s.Err, "orrery: %s: %s\n", name, loss)
		err = errPartial
	}
	return err
}
