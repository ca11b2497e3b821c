//go:build !amd64

package heaplog

const vectors = false

func scanLines(*scan) { panic("no vectors") }
