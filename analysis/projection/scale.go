package projection

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// scale is classical multidimensional scaling of the landmarks, with every other point placed where its distances to
// them put it (de Silva and Tenenbaum 2004, section 2.3): with B = -1/2 J D2 J of the landmarks' squared distances D2,
// its largest eigenvalues l1, l2 and eigenvectors v1, v2, a point with squared distances d to the landmarks goes to
//
//	( -1/2 v1.(d - mean) / sqrt(l1),  -1/2 v2.(d - mean) / sqrt(l2) )
//
// where mean is the mean row of D2. For a landmark that is the same as sqrt(l) v, so that one formula serves all.
func scale(marks []int32, rows [][]float64) (x, y []float64) {
	k := len(marks)
	mean := make([]float64, k) // of the landmarks' squared distances, by landmark
	total := 0.0
	for i := range k {
		for _, m := range marks {
			mean[i] += rows[i][m] * rows[i][m] / float64(k)
		}
		total += mean[i] / float64(k)
	}
	b := mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			a := rows[i][marks[j]]
			b.SetSym(i, j, -0.5*(a*a-mean[i]-mean[j]+total))
		}
	}
	x, y = make([]float64, len(rows[0])), make([]float64, len(rows[0]))
	var e mat.EigenSym
	if !e.Factorize(b, true) {
		return x, y // only for numbers that are not finite, which no distances give
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil) // ascending
	for c, out := range [2][]float64{x, y} {
		at := k - 1 - c
		if at < 0 || !(values[at] > 1e-9*math.Abs(values[k-1])) {
			continue // the points lie on a line: there is no second direction
		}
		place(out, rows, mean, mat.Col(nil, at, &vectors), math.Sqrt(values[at]))
	}
	return x, y
}

// place sets one coordinate of all points. An eigenvector has no sign of its own: the point farthest out gets a
// positive coordinate, the first of them where several are as far.
func place(out []float64, rows [][]float64, mean, v []float64, root float64) {
	far := 0.0
	sign := 1.0
	for i := range out {
		for k, row := range rows {
			out[i] -= v[k] * (row[i]*row[i] - mean[k]) / (2 * root)
		}
		if math.Abs(out[i]) > far*(1+1e-9) {
			far, sign = math.Abs(out[i]), math.Copysign(1, out[i])
		}
	}
	for i := range out {
		out[i] *= sign
	}
}
