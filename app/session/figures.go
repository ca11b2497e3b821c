package session

import (
	"fmt"
	"math"

	"orrery/views/words"
)

// Sampled tells whether the figures of the whole recording (Lines, Use, Digest) are estimates from a sample of its
// references. All else, and every single reference, is exact.
func (r *Recording) Sampled() bool { return !r.Digest.Exact() }

// Beginning tells whether there will be more of the recording: it is being written, or indexed.
func (r *Recording) Beginning() bool { return r.beginning || r.Live() }

// Estimated is the remark that belongs to figures of the whole recording; "" when they are exact.
func (r *Recording) Estimated() string {
	switch {
	case r.Sampled() && r.Beginning():
		return "so far, sampled"
	case r.Sampled():
		return "sampled, counting"
	case r.Beginning():
		return "so far"
	}
	return ""
}

// Remarked is a caption with the remark behind it, where there is one.
func (r *Recording) Remarked(caption string) string {
	switch remark := r.Estimated(); {
	case remark == "":
		return caption
	case caption == "":
		return remark
	default:
		return caption + " · " + remark
	}
}

// Figure writes a count of the whole recording; an estimated one with three digits and a mark: "≈ 61 200 000".
func (r *Recording) Figure(n uint64) string {
	if !r.Sampled() {
		return words.Count(n)
	}
	unit := uint64(math.Pow10(max(0, len(fmt.Sprint(n))-3)))
	return "≈ " + words.Count((n+unit/2)/unit*unit)
}

// useText says how often something in the whole recording was referenced.
func (r *Recording) useText(loads, stores uint64) string {
	share := 100 * float64(loads+stores) / float64(max(1, r.Len()))
	if r.Sampled() {
		return fmt.Sprintf("%s loads, %s stores, %.1f %% of all references: %s", r.Figure(loads), r.Figure(stores),
			share, r.Estimated())
	}
	return fmt.Sprintf("%s, %s, %.1f %% of all references", words.Plural(loads, "load"),
		words.Plural(stores, "store"), share)
}
