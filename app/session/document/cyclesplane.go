package document

import (
	"context"

	"orrery/app/jobs"
	"orrery/app/session"
	"orrery/app/shell"
	"orrery/cachesim"
	"orrery/views/spiral"
)

// extras are what some pictures need beside the analysis.
type extras struct {
	served   []cachesim.Served // for servedOf
	servedOf servedKey
	plane    *session.Plane // for planeOf
	planeOf  *session.Cycles
	refused  string          // why there is no plane
	asked    *session.Cycles // of which a plane was asked for
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

// project asks for the windows' places in the plane, unless they are at hand or on their way.
func (d *Document) project(found *session.Cycles) {
	p := &d.cycles.extras
	if found == nil || p.asked.Same(found) {
		return
	}
	p.asked = found
	rec := d.rec
	jobs.Start(d.host.Engine, d.key("plane"), "laying out windows by ISOMAP",
		func(ctx context.Context, report func(done, total int64)) (*session.Plane, error) {
			return rec.Project(ctx, found, report)
		}, func(plane *session.Plane, err error) {
			p.plane, p.planeOf, p.refused = plane, found, ""
			if err != nil {
				p.refused = err.Error()
			}
			d.changed(shell.Cycles)
		})
}

// onPlane turns the state of a spiral into that of the projection.
func (v *cyclesView) onPlane(s *spiral.State, found *session.Cycles) {
	if v.d.cycles.count() == 0 {
		return // which the picture says why
	}
	v.d.project(found)
	p := &v.d.cycles.extras
	s.Shape, s.Top = spiral.Plane, lower-8
	switch {
	case !p.planeOf.Same(found):
		s.Empty = "Laying out windows by ISOMAP …"
	case p.plane == nil:
		s.Empty = p.refused
	default:
		p.plane.On(s)
	}
}
