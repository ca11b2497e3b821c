//go:build !amd64

package heapmap

const vectors = false

func fours(*lens) { panic("no vectors") }

func scatterClasses(*brush) { panic("no vectors") }

func resolveClasses(*line) { panic("no vectors") }

func scatterAmounts(*brush) { panic("no vectors") }

func rows(*level) { panic("no vectors") }
