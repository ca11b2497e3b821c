package cli

import (
	"context"
	"fmt"

	"orrery/app/session"
)

// loaded is a recording opened for a command.
type loaded struct{ *session.Recording }

func load(ctx context.Context, path string, p *progress) (*loaded, error) {
	rec, err := session.Load(ctx, path, p.Report)
	if err != nil {
		return nil, err
	}
	return &loaded{rec}, nil
}

// told says what of the input was unusable, if anything, and makes that the command's exit status.
func (l *loaded) told(s Streams) error {
	var err error
	for _, loss := range l.Loss() {
		fmt.Fprintf(s.Err, "orrery: %s: %d %s, the first at %s: %s\n", l.Name(), loss.Count, loss.Kind, loss.First, loss.Why)
		err = errPartial
	}
	return err
}
