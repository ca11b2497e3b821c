package topology

import (
	"context"
	"slices"
)

// thin keeps at most k points as landmarks, chosen so that every other point is near one: always more of those farthest
// from the ones so far (T. Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985). As many as one
// word compares at once are chosen together, spread evenly over the farthest points. It gives the largest distance that
// is left.
func (c *cloud) thin(ctx context.Context, k int) (radius uint8, err error) {
	n := len(c.start)
	near, owner := slices.Repeat([]uint8{uint8(c.w)}, n), make([]int32, n)
	marks := []int32{0}
	p := newPatterns(c.w, c.kinds)
	for fresh := marks; ; {
		if err := c.approach(ctx, p, fresh, near, owner); err != nil {
			return 0, err
		}
		radius = slices.Max(near)
		room := min(lanes(c.w), k-len(marks))
		if radius == 0 || room == 0 {
			break
		}
		var far []int32
		for i, d := range near {
			if d == radius {
				far = append(far, int32(i))
			}
		}
		room = min(room, len(far))
		fresh = nil
		for i := range room {
			fresh = append(fresh, far[i*len(far)/room])
		}
		marks = append(marks, fresh...)
	}
	c.keep(marks, owner)
	return radius, nil
}

// approach updates every point's nearest landmark by some new ones. near and owner are per point; owner is a point.
func (c *cloud) approach(ctx context.Context, p *patterns, fresh []int32, near []uint8, owner []int32) error {
	var windows [][]uint32
	for _, m := range fresh {
		windows = append(windows, c.window(m))
	}
	p.load(windows...)
	const chunk = 2048
	return parallel(ctx, (len(near)+chunk-1)/chunk, func() func(int) {
		return func(i int) { // patterns are only read here
			for j := i * chunk; j < min((i+1)*chunk, len(near)); j++ {
				if near[j] == 0 {
					continue
				}
				vp, vn := p.compare(c.window(int32(j)))
				for l, m := range fresh {
					if d := p.distance(l, vp, vn); d < near[j] {
						near[j], owner[j] = d, m
					}
				}
			}
		}
	})
}

// keep drops all points but the marks and sends each dropped one's times to its owner.
func (c *cloud) keep(marks, owner []int32) {
	slices.Sort(marks)
	number := make(map[int32]int32, len(marks))
	start := make([]int32, len(marks))
	for i, m := range marks {
		number[m] = int32(i)
		start[i] = c.start[m]
	}
	for t, v := range c.point {
		c.point[t] = number[owner[v]]
	}
	c.start = start
}
