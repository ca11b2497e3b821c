package design

import (
	"fmt"
	"math"
	"strings"

	"orrery/views/palette"
	"orrery/views/scene"
	"orrery/views/words"
)

// number is "1 channel", "3 channels".
func number(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return words.Count(n) + " " + what
}

// hexagons draws a hexagon for each generation, the first the smallest, inside one another; those in which the design
// was evaluated are red. Where there are more generations than room, several share a hexagon.
func (c *canvas) hexagons(at scene.Rect) {
	t, g := c.s.Theme, &c.sp.Generations
	list := g.Of(int(c.p))
	at.Max.Y -= 30
	o, radius := at.Center(), min(at.W()/2/0.87, at.H()/2)-2
	if radius < 8 {
		return
	}
	rings := max(1, min(g.Count, int((radius-3)/0.85)))
	in := make([]int, rings)
	for _, k := range list {
		in[int(k)*rings/g.Count]++
	}
	step := (radius - 3) / float64(rings)
	red, grey := palette.Objective(0, 0.85), palette.Mix(t.Panel, t.Faint, 0.75)
	for k := rings - 1; k >= 0; k-- {
		r := 3 + step*float64(k+1)
		first, last := (k*g.Count+rings-1)/rings, ((k+1)*g.Count+rings-1)/rings-1
		ink := palette.Mix(t.Panel, grey, 0.55)
		if in[k] > 0 {
			ink = red
		}
		c.Add(scene.Fill{Path: hexagon(o, r), Color: ink})
		if step > 2.6 || in[k] == 0 {
			c.Add(scene.Stroke{Path: hexagon(o, r), Width: min(0.8, step/3), Color: palette.Mix(t.Panel, t.Dim, 0.45)})
		}
		text := "generation " + words.Count(first)
		if last > first {
			text = fmt.Sprintf("generations %s to %s", words.Count(first), words.Count(last))
		}
		state := "not evaluated"
		if in[k] > 0 {
			state = "evaluated"
		}
		c.tooltip(scene.R(o.X-0.87*r, o.Y-r/2, 1.74*r, r), text, state)
	}
	c.Add(scene.Fill{Path: hexagon(o, 3), Color: t.Panel})
	text := fmt.Sprintf("%s of %s, the first in the middle", number(len(list), "generation"), words.Count(g.Count))
	c.Add(scene.Text{At: scene.Point{X: at.Center().X, Y: at.Max.Y + 13}, Size: 10, Color: t.Dim, Align: 0.5,
		S: text, Max: at.W()},
		scene.Text{At: scene.Point{X: at.Center().X, Y: at.Max.Y + 26}, Face: scene.Mono, Size: 9.5, Color: t.Text,
			Align: 0.5, S: runs(list), Max: at.W()})
}

func hexagon(o scene.Point, r float64) (p scene.Path) {
	for k := range 6 {
		a := math.Pi/6 + float64(k)*math.Pi/3
		if x, y := o.X+r*math.Cos(a), o.Y+r*math.Sin(a); k == 0 {
			p.Move(x, y)
		} else {
			p.Line(x, y)
		}
	}
	p.Close()
	return p
}

// runs writes growing numbers with what follows on each other together: "3, 7–12".
func runs(list []int32) string {
	var out []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		text := fmt.Sprint(list[i])
		if j > i {
			text += fmt.Sprintf("–%d", list[j])
		}
		out = append(out, text)
		i = j + 1
	}
	return strings.Join(out, ", ")
}
