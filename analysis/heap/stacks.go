package heap

// Cost is what a place in the program, or a call stack, did to the heap.
type Cost struct {
	Blocks       uint64
	Bytes        uint64 // asked for
	LiveBytes    uint64 // of blocks never freed
	LeakedBlocks uint64
	Temporary    uint64 // blocks freed by the next heap event of their thread
	Crossed      uint64 // blocks freed by another thread
	PeakBytes    uint64 // live at the heap's peak
	WasteBytes   uint64 // set aside and not asked for
}

func (c *Cost) plus(o *Cost) {
	c.Blocks += o.Blocks
	c.Bytes += o.Bytes
	c.LiveBytes += o.LiveBytes
	c.LeakedBlocks += o.LeakedBlocks
	c.Temporary += o.Temporary
	c.Crossed += o.Crossed
	c.PeakBytes += o.PeakBytes
	c.WasteBytes += o.WasteBytes
}
