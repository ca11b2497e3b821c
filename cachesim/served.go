package cachesim

import "orrery/traceio"

// ServedBetween tells which level had the data of each data reference in [from, to), in order.
func (r *Replay) ServedBetween(from, to traceio.Seq) ([]Served, error) {
	to = min(to, r.Len())
	if from >= to {
		return nil, nil
	}
	out := make([]Served, 0, to-from)
	err := r.serve(from, to, func(k traceio.Kind, _ traceio.Thread, s Served) {
		if k != traceio.Fetch {
			out = append(out, s)
		}
	})
	return out, err
}
