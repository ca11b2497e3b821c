package recording

import (
	"context"

	"orrery/app/panes"
	"orrery/app/session"
	"orrery/cachesim"
	"orrery/views/spiral"
)

// extras are what some pictures need beside the analysis.
type extras struct {
	served   []cachesim.Served // for servedOf
	servedOf servedKey
	plane    *panes.Lazy[planeKey, *session.Plane]
	planeOf  *session.Cycles // what is laid out; others of the same windows have the same places
}

type servedKey struct {
	found  *session.Cycles
	caches *session.Caches
}

// served are the cache levels that had the data of the windows' references; nil while nothing is simulated.
func (d *Document) served(found *session.Cycles) []cachesim.Served {
	p := &d.cycles.extras
	if found == nil || d.caches() == nil {
		return nil
	}
	if of := (servedKey{found, d.caches()}); of.caches != p.servedOf.caches || !found.Same(p.servedOf.found) {
		p.servedOf, p.served = of, nil
		// the simulation may still be of a shorter beginning
		if last := found.Seqs[len(found.Seqs)-1]; last < d.caches().Len() {
			p.served, _ = d.rec.Served(found, d.caches())
		}
	}
	return p.served
}

// planeKey is what the windows' places in the plane depend on.
type planeKey struct {
	rec *session.Recording
	of  *session.Cycles
}

func newPlane(d *Document) *panes.Lazy[planeKey, *session.Plane] {
	return panes.NewLazy(d.set, panes.Work[planeKey, *session.Plane]{Name: "plane", Quiet: true,
		Title: func(planeKey) string { return "laying out windows by ISOMAP" },
		Run: func(ctx context.Context, k planeKey, report func(done, total int64)) (*session.Plane, error) {
			return k.rec.Project(ctx, k.of, report)
		}})
}

// onPlane turns the state of a spiral into that of the projection.
func (v *cyclesView) onPlane(s *spiral.State, found *session.Cycles) {
	if v.d.cycles.count() == 0 {
		return // which the picture says why
	}
	p := &v.d.cycles.extras
	if !p.planeOf.Same(found) {
		p.planeOf = found
	}
	s.Shape, s.Top = spiral.Plane, lower-8
	plane, ok := p.plane.For(planeKey{v.d.rec, p.planeOf})
	switch {
	case ok:
		plane.On(s)
	case p.plane.Err() != nil:
		s.Empty = p.plane.Err().Error()
	default:
		s.Empty = p.plane.Say("Laying out windows by ISOMAP")
		if p.plane.WasStopped() {
			s.Empty = "The projection " + goOn
		}
	}
}
