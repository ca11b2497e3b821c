package topology

import "context"

// AnalyzeMatrix finds the cycles in a finite metric space, given by the lower triangle of its distance matrix row by
// row: the distance of points i > j is lower[i*(i-1)/2+j]. Time is the order of the points. Distances need not be
// integers nor fulfil the triangle inequality, but must be finite and not negative. opt.Window is ignored.
func AnalyzeMatrix(ctx context.Context, lower []float64, opt Options, report func(done, total int64)) (*Result, error) {
	return nil, ctx.Err()
}

// AnalyzePoints finds the cycles in a cloud of points under the Euclidean metric; see AnalyzeMatrix.
func AnalyzePoints(ctx context.Context, points [][]float64, opt Options, report func(done, total int64)) (*Result, error) {
	return nil, ctx.Err()
}
