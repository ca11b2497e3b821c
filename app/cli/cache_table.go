package cli

import (
	"context"

	"orrery/app/output"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/views/palette"
	misses "orrery/views/table"
)

// writeMissTable writes what `cache --by` counts as CSV: the table of the window, with the classes of the misses, the
// hits and the write-backs of every level.
func writeMissTable(ctx context.Context, rec *session.Recording, config cachesim.Config, by,
	path string, p *progress) error {
	m, err := rec.FindMissTable(ctx, config, by, p.Report)
	if err != nil {
		return err
	}
	return output.Write(path, misses.CSV(rec.Table(palette.Dark(), m, nil)))
}
