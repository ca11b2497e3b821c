//go:build !amd64

package heapmap

// scatter adds the strokes to the cells.
func (b *brush) scatter() { b.scatterAny() }
