//go:build ignore

// Nearest prints how far the nearest shop is from each of a few customers, in all. Usage: nearest SHOPS CUSTOMERS
package main

import (
	"fmt"
	"os"
	"strconv"
)

type point struct{ x, y int32 }

func towns(n int) []point {
	list := make([]point, n)
	seed := uint32(1)
	for i := range list {
		seed = seed*1664525 + 1013904223
		list[i] = point{int32(seed >> 20), int32(seed >> 8 & 4095)}
	}
	return list
}

func nearest(shops []point, at point) int64 {
	best := int64(1) << 40
	for i := range shops {
		dx, dy := int64(shops[i].x-at.x), int64(shops[i].y-at.y)
		best = min(best, dx*dx+dy*dy)
	}
	return best
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	customers, _ := strconv.Atoi(os.Args[2])
	shops := towns(n)
	total := int64(0)
	for c := range customers {
		total += nearest(shops, point{int32(c * 37 % 4096), int32(c * 91 % 4096)})
	}
	fmt.Println(total)
}
