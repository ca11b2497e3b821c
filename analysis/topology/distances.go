package topology

import (
	"context"
	"fmt"
)

// Distances gives the points that Analyze makes of a trace, for other analyses of the same space: the lower triangle of
// their edit distances row by row (points i > j at i*(i-1)/2+j), and for every time index its point. landmarks, if not
// 0, is how many points are kept at most, as in Options; each of the other windows then belongs to the nearest one.
func Distances(ctx context.Context, symbols []uint32, window, landmarks int) (lower []uint8, point []int32, err error) {
	if window < MinWindow || window > MaxWindow {
		return nil, nil, &Error{BadOption, fmt.Sprintf("window %d is not between %d and %d", window, MinWindow, MaxWindow),
			"choose another one"}
	}
	if len(symbols) < window {
		return nil, nil, tooShort(len(symbols), window)
	}
	c := makeCloud(symbols, window)
	if landmarks > 0 && len(c.start) > landmarks {
		if _, err := c.thin(ctx, landmarks); err != nil {
			return nil, nil, err
		}
	}
	lower, err = c.distances(ctx, func(int64) {})
	return lower, c.point, err
}
