package simulator

import (
	"context"

	"orrery/traceio"
)

// eachBlock calls do with every block in order, checking ctx between them, and reports data references.
func eachBlock(ctx context.Context, rec Recording, report func(done, total int64),
	do func(i int, b *traceio.Block) error) error {
	for i := range rec.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := rec.Block(i)
		if err != nil {
			return err
		}
		if err := do(i, b); err != nil {
			return err
		}
		if report != nil {
			report(int64(b.First)+int64(b.Data()), int64(rec.Len()))
		}
	}
	return nil
}
