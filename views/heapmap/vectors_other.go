//go:build !amd64

package heapmap

const vectors = false

func strokesByFour(*strokeArgs) { panic("no vectors") }

func scatterClasses(*brush) { panic("no vectors") }

func resolveClasses(*line) { panic("no vectors") }

func scatterAmounts(*brush) { panic("no vectors") }

func rows(*level) { panic("no vectors") }
