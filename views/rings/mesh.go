package rings

import (
	"math"

	"orrery/views/scene"
)

// mesh is the places of a level's dots. All arms have the same course, each turned by its own angle; so both angles and
// courses are worked out once each, when first needed, and a place is one turned by the other.
type mesh struct {
	g      *ring
	arm    func(i int) float64 // which set's arm, or between which two
	along  func(i int) float64 // how far along it, in ranks
	turns  []scene.Point       // by arm: cosine and sine; 0, 0 is not known yet
	course []scene.Point       // by position along an arm: from the centre, on the arm of set 0; 0, 0 likewise
}

// meshed is the number of arms, and of positions, up to which they are kept.
const meshed = 1 << 14

func newMesh(g *ring, arms, places int, arm, along func(i int) float64) *mesh {
	m := &mesh{g: g, arm: arm, along: along}
	if arms <= meshed && places <= meshed {
		both := make([]scene.Point, arms+places)
		m.turns, m.course = both[:arms], both[arms:]
	}
	return m
}

// at is the place of a dot.
func (m *mesh) at(arm, place int) scene.Point {
	if m.turns == nil {
		return m.g.at(m.arm(arm), m.along(place))
	}
	t, p := &m.turns[arm], &m.course[place]
	if *t == (scene.Point{}) {
		t.Y, t.X = math.Sincos(m.g.angle(m.arm(arm)))
	}
	if *p == (scene.Point{}) {
		*p = m.g.spiral(m.along(place))
	}
	return scene.Point{X: m.g.c.X + t.X*p.X - t.Y*p.Y, Y: m.g.c.Y + t.X*p.Y + t.Y*p.X}
}

// mesh is the places of the dots of lines that share none: by set, and by rank, dot of the line and shift of the arm.
func (g *ring) mesh() *mesh {
	dots := g.dots()
	return newMesh(g, g.sets, g.ways*dots*g.stagger, func(i int) float64 { return float64(i) }, func(i int) float64 {
		line := i / g.stagger
		return g.slot(i%g.stagger*g.strand, float64(line/dots), line%dots*g.fold)
	})
}

// place is the number in the mesh of glyph sub of the line at a rank.
func (g *ring) place(set, rank, sub int) int {
	return (rank*g.dots()+sub>>g.folds)*g.stagger + set/g.strand%g.stagger
}

// shared is the places of the dots that lines share: by group of arms, and by cell along them and shift.
func (g *ring) shared(groups, cells int) *mesh {
	arm := func(group int) float64 { return min((float64(group)+0.5)*float64(g.strand), float64(g.sets)) - 0.5 }
	return newMesh(g, groups, cells*g.stagger, arm, func(i int) float64 {
		shift := (float64(i%g.stagger) + 0.5) / float64(g.stagger)
		return min((float64(i/g.stagger)+shift)*float64(g.merge)/float64(g.dots()), float64(g.ways))
	})
}
