package heapmap

// scatter adds the strokes to the cells.
func (b *brush) scatter() {
	if b.shades == nil {
		b.scatterAny()
		return
	}
	scatterClasses(b)
}

// scatterClasses is scatterAny for classes of blocks, four numbers at a time.
//
//go:noescape
func scatterClasses(b *brush)
