package session

import (
	"context"
	"slices"

	"orrery/analysis/digest"
	"orrery/traceio/resultcache"
	"orrery/traceio/store"
)

// CountFile counts the references of a recording that has just been written, and puts the counts on the user's result
// cache where opening it would: then the first opening is as quick as the second. like, which may be nil, is a
// recording with the same contents; what is known of that is not counted again. An error leaves nothing undone but
// that.
func CountFile(ctx context.Context, path string, like *Recording, report func(done, total int64)) error {
	stored, err := store.Open(ctx, path, store.Options{}, report)
	if err != nil {
		return err
	}
	defer stored.Close()
	if digest.Short(stored) {
		return nil // that is counted anew each time
	}
	if like == nil || like.result == nil || like.Sampled() || !slices.Equal(like.Summaries(), stored.Summaries()) ||
		!slices.Equal(like.PCs(), stored.PCs()) {
		_, err := derive(ctx, stored, &naming{}, nil, report)
		return err
	}
	_, names, err := name(ctx, stored, &naming{})
	if err != nil {
		return err
	}
	return like.keep(resultcache.Open(), resultcache.Key(stored.Identity(), "counts", names...))
}
