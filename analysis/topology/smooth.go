package topology

import (
	"context"
	"fmt"
	"math"
)

// Digits of the coordinates: those of a first look are exact enough for a picture.
const (
	fullDigits  = 9
	quickDigits = 6
)

// potential finds the function f on the points that minimises sum of weight(e) (c(e) + f(hi) - f(lo))^2: the cocycle c
// + df is the smoothest of c's class, and f modulo 1 is the class's circular coordinate (de Silva, Morozov,
// Vejdemo-Johansson, section 2.4; their sign of f is the opposite). It runs the conjugate gradient method on the
// weighted graph Laplacian with its diagonal as preconditioner. Every component of the graph keeps a free constant, in
// which the iteration never moves. It ends when the residual has shrunk by so many digits.
func (g *network) potential(ctx context.Context, c []int32, weight []float64, digits int) ([]float64, error) {
	f, rest, diagonal := make([]float64, g.n), make([]float64, g.n), make([]float64, g.n)
	for e, w := range weight {
		lo, hi := g.lo[e], g.hi[e]
		diagonal[lo] += w
		diagonal[hi] += w
		rest[lo] += w * float64(c[e])
		rest[hi] -= w * float64(c[e])
	}
	for i, d := range diagonal {
		if d == 0 {
			diagonal[i] = 1
		}
	}
	z, dir, image := make([]float64, g.n), make([]float64, g.n), make([]float64, g.n)
	precondition := func() (sum float64) {
		for i, r := range rest {
			z[i] = r / diagonal[i]
			sum += r * z[i]
		}
		return sum
	}
	size := precondition()
	goal := size * math.Pow10(-2*digits) // size is a square
	copy(dir, z)
	for steps := 0; size > goal && size > 0; steps++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if steps > 10*g.n+100 {
			return nil, fmt.Errorf("the smoothing did not converge in %d steps", steps)
		}
		g.laplacian(weight, dir, image)
		along := dot(dir, image)
		if along <= 0 {
			break // nothing but rounding is left
		}
		step := size / along
		for i := range f {
			f[i] += step * dir[i]
			rest[i] -= step * image[i]
		}
		next := precondition()
		turn := next / size
		size = next
		for i := range dir {
			dir[i] = z[i] + turn*dir[i]
		}
	}
	return f, nil
}

// laplacian sets out = L x. Edges stand row by row of their higher end, which stays in registers.
func (g *network) laplacian(weight, x, out []float64) {
	clear(out)
	for e := 0; e < len(weight); {
		i := g.hi[e]
		end := e + 1
		for end < len(weight) && g.hi[end] == i {
			end++
		}
		at, sum := x[i], 0.0
		w := weight[e:end]
		for k, j := range g.lo[e:end] {
			d := w[k] * (at - x[j])
			sum += d
			out[j] -= d
		}
		out[i] += sum
		e = end
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// harmonic is one class on one network: an integer cocycle and the potential that smooths it.
type harmonic struct {
	g *network
	c []int32
	f []float64
}

// along is the smoothed value of edge e from lo to hi.
func (h *harmonic) along(e int32) float64 {
	return float64(h.c[e]) + h.f[h.g.hi[e]] - h.f[h.g.lo[e]]
}

// combine is the sum of times[i] list[i]; all that count are on network g.
func combine(g *network, list []*harmonic, times []int32) *harmonic {
	out := &harmonic{g, make([]int32, len(g.lo)), make([]float64, g.n)}
	for i, k := range times {
		if k == 0 {
			continue
		}
		for e, c := range list[i].c {
			out.c[e] += k * c
		}
		for v, f := range list[i].f {
			out.f[v] += float64(k) * f
		}
	}
	return out
}

// gram is the matrix of weighted inner products of the smoothed values; rows of missing ones are 0. It takes some edges
// at a time: the values of all classes on all edges would be larger than everything else.
func gram(list []*harmonic, weight []float64) [][]float64 {
	const piece = 4096
	out, values := make([][]float64, len(list)), make([][]float64, len(list))
	for i := range list {
		out[i], values[i] = make([]float64, len(list)), make([]float64, piece)
	}
	for from := 0; from < len(weight); from += piece {
		part := weight[from:min(from+piece, len(weight))]
		for i, h := range list {
			if h == nil {
				continue
			}
			for e, w := range part {
				values[i][e] = math.Sqrt(w) * h.along(int32(from+e))
			}
			for j := range i + 1 {
				if list[j] != nil {
					out[i][j] += dot(values[i][:len(part)], values[j])
				}
			}
		}
	}
	for i := range out {
		for j := range i {
			out[j][i] = out[i][j]
		}
	}
	return out
}
