package session

import (
	"context"

	"orrery/traceio"
)

// eachBlock calls f with every block of references in order, checking ctx between them. report, which may be nil, is
// told blocks.
func (r *Recording) eachBlock(ctx context.Context, report func(done, total int64), f func(b *traceio.Block)) error {
	for i := range r.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := r.Block(i)
		if err != nil {
			return err
		}
		f(b)
		if report != nil {
			report(int64(i+1), int64(r.Blocks()))
		}
	}
	return nil
}
