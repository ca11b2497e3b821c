package heap

import (
	"cmp"
	"fmt"
	"slices"
)

// Sentences says what is most worth knowing of how the blocks are used: at most n sentences, the sites that hold most
// memory in vain over time first.
func (u *Usage) Sentences(h *Heap, n int) []string {
	order := make([]int, len(u.Sites))
	for i := range order {
		order[i] = i
	}
	idle := func(i int) float64 { return u.Sites[i].WeightedDrag + u.Sites[i].WeightedLag }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(idle(b), idle(a)) })
	var out []string
	for _, i := range order {
		if s := u.sentence(h, i); s != "" && len(out) < n {
			out = append(out, s)
		}
	}
	return out
}

// Caveat says what counts as touched, for whoever tells of bytes that never are; "" where all are.
func (u *Usage) Caveat(h *Heap) string {
	if u.Total.Touched >= u.Total.Bytes {
		return ""
	}
	if h.Program != nil {
		if limited := h.Program.Limited(); limited != "" {
			return limited + " What is left out may have touched more."
		}
	}
	return "Only recorded references count: what --only, --from, --max-refs or --keep-last left out may have touched more."
}

// notable is the share from which lag, drag and bytes never touched are worth a sentence.
const notable = 0.1

func (u *Usage) sentence(h *Heap, i int) string {
	s := &u.Sites[i]
	name := h.Sites[i].Name()
	never := share(float64(s.Bytes-s.Touched), float64(s.Bytes))
	switch {
	case s.Blocks == 0:
		return ""
	case s.Unused == s.Blocks:
		return fmt.Sprintf("No recorded reference uses a block of %s: %d bytes.", name, s.Bytes)
	case s.DragShare() >= notable:
		text := fmt.Sprintf("%s holds its memory %.0f %% of the time after the last use, a block %d references on average",
			name, 100*s.DragShare(), s.Drag/s.Blocks)
		if never >= notable {
			text += fmt.Sprintf("; %.0f %% of its bytes have no recorded reference", 100*never)
		}
		return text + "."
	case s.LagShare() >= notable:
		return fmt.Sprintf("%s allocates early: %.0f %% of the time its memory is held before the first use.",
			name, 100*s.LagShare())
	case never >= notable:
		return fmt.Sprintf("%.0f %% of the bytes of %s have no recorded reference: %d of %d.", 100*never, name,
			s.Bytes-s.Touched, s.Bytes)
	}
	return ""
}
