package spiral

import (
	"math"
	"math/rand/v2"

	"orrery/traceio"
	"orrery/views/palette"
	"orrery/views/scene"
)

// loop is a program of n windows, k references apart, that goes round a loop: its angle makes the given number of
// turns, now faster and now slower, and every turn passes five source lines. A twentieth of the windows lead in and
// out.
func loop(n int, turns float64, k traceio.Seq, theme palette.Theme) State {
	s := State{Theme: theme, Seq: make([]traceio.Seq, n), Line: make([]int32, n), From: even(n, turns)}
	for i := range n {
		s.Seq[i] = 1000 + traceio.Seq(i)*k
		phase := s.From.Turns[i] - math.Floor(s.From.Turns[i])
		s.Line[i] = int32(phase * 5)
	}
	texts := []string{"for (j = 0; j < n - 1 - i; j++)", "if (a[j] > a[j + 1])", "t = a[j];",
		"a[j] = a[j + 1];", "a[j + 1] = t;"}
	for i, text := range texts {
		s.Lines = append(s.Lines, Line{File: "src/bubble.c", Number: 8 + i, Function: "sort", Text: "\t" + text,
			Color: palette.Qualitative(theme, i)})
	}
	s.Lines[0].Function = "main"
	return s
}

// even is a parameterization with a number of turns whose speed varies a little.
func even(n int, turns float64) Angles {
	a := Angles{Turns: make([]float64, n), Members: make([]bool, n)}
	for i := range n {
		t := float64(i) / float64(max(1, n-1))
		a.Turns[i] = 0.1 + turns*t + 0.05*math.Sin(2*math.Pi*turns*t)
		a.Members[i] = i >= n/20 && i < n-n/20
	}
	return a
}

// random is a state whose angles wander, with windows that the class says nothing about and others that are no members.
func random(seed uint64, n int) State {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := loop(n, 3, 1, palette.Dark())
	seq, turn := traceio.Seq(rng.IntN(5000)), rng.Float64()*4-2
	for i := range n {
		s.Seq[i] = seq
		seq += 1 + traceio.Seq(rng.IntN(4))
		s.From.Turns[i] = turn
		turn += rng.Float64()*0.2 - 0.05
		if rng.IntN(9) == 0 {
			s.From.Turns[i] = math.NaN()
		}
		s.From.Members[i] = rng.IntN(6) > 0
		s.Line[i] = int32(rng.IntN(6)) - 1
	}
	return s
}

// dots are the places of all windows, in order of time; the picture must be so sparse that it has them.
func dots(d scene.Drawing, n int) []scene.Point {
	for _, shape := range d.Shapes {
		if discs, ok := shape.(scene.Discs); ok && len(discs.Centers) == n {
			return discs.Centers
		}
	}
	return nil
}

// polar is where p lies seen from the centre of a picture without a legend: distance, and angle in turns from 0 to 1.
func polar(p scene.Point, size scene.Size) (r, turn float64) {
	x, y := p.X-size.W/2, p.Y-size.H/2
	turn = math.Atan2(y, x) / (2 * math.Pi)
	return math.Hypot(x, y), turn - math.Floor(turn)
}

// apart is the distance of two angles in turns, the shorter way.
func apart(a, b float64) float64 {
	d := math.Abs(a - b)
	d -= math.Floor(d)
	return min(d, 1-d)
}
