package vector

import (
	"math"

	"orrery/views/scene"
)

// stop is one step of a gradient: at is the share of the outer radius.
type stop struct{ at, strength float64 }

// slopeSteps is into how many straight pieces one slope of a glow is cut. The slope is t^2 (3-2t) with |f”| <= 6, so a
// piece of length h lies within 6 h^2/8 of it: 1/340 for 16, less than one of 255 steps of opacity.
const slopeSteps = 16

// stops samples the glow's strength from the centre outward; nil when there is nothing to see.
func stops(g scene.Glow) []stop {
	if !visible(g) {
		return nil
	}
	inner, n := 0.0, slopeSteps
	var out []stop
	if g.Inner > 0 {
		inner, n = g.Inner/g.Outer, 2*slopeSteps
	}
	for i := range n + 1 {
		at := inner + (1-inner)*float64(i)/float64(n)
		out = append(out, stop{at, g.Strength(at * g.Outer)})
	}
	return out
}

func visible(g scene.Glow) bool {
	return finite(g.Center.X, g.Center.Y, g.Inner, g.Outer) && g.Outer >= 1e-3 && g.Outer > g.Inner && g.Color.A != 0
}

// layer is one flat ring (a disc where inner is 0) of a glow that is built from them.
type layer struct{ inner, outer, alpha float64 }

// layers builds a glow from rings nested in each other, each a little more light over what lies there already, for a
// format whose gradients cannot be transparent. Nested rings leave no seams, as rings side by side would: an edge is
// one faint step. There is about one for each of the 255 steps of opacity, as far as the radius has room for two a
// unit. Opacities have the three decimals that the file keeps; rounding is carried to the next ring.
func layers(g scene.Glow) []layer {
	if !visible(g) {
		return nil
	}
	inner := max(0, g.Inner)
	room := g.Outer - inner
	if inner > 0 {
		room /= 2
	}
	n := int(max(6, min(float64(g.Color.A), 2*room)))
	var out []layer
	have := 0.0
	for i := range n {
		t := (float64(i) + 0.5) / float64(n) // strength that the ring completes
		want := t * float64(g.Color.A) / 255
		alpha := math.Round((want-have)/(1-have)*1000) / 1000
		if alpha <= 0 {
			continue
		}
		have = 1 - (1-have)*(1-alpha)
		// The ring's edge is where the glow passes from one step to the next.
		d := rise(float64(i)/float64(n)) * room
		l := layer{0, g.Outer - d, alpha}
		if inner > 0 {
			l.inner = inner + d
		}
		out = append(out, l)
	}
	return out
}

// rise is the t in 0..1 at which t^2 (3-2t) is v.
func rise(v float64) float64 { return 0.5 - math.Sin(math.Asin(1-2*v)/3) }
