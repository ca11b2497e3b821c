package topology

import (
	"fmt"
	"math"
)

// maxPrime keeps a coefficient in the 15 bits that a packed entry has for it.
const maxPrime = 1<<15 - 1

// check refuses options out of range; o has its defaults.
func (o Options) check() error {
	switch {
	case o.Window < MinWindow || o.Window > MaxWindow:
		return &Error{BadOption, fmt.Sprintf("a window of %d records is out of range", o.Window),
			fmt.Sprintf("choose %d to %d", MinWindow, MaxWindow)}
	case !prime(o.Prime) || o.Prime > maxPrime:
		return &Error{BadOption, fmt.Sprintf("%d is not a prime below %d", o.Prime, maxPrime+1), "47 is a good one"}
	case math.IsNaN(o.Eps) || o.Eps < 0:
		return &Error{BadOption, "eps cannot be negative", "leave it out to use every scale"}
	case math.IsNaN(o.Scale) || o.Scale > 1:
		return &Error{BadOption, fmt.Sprintf("scale %g is beyond death (1)", o.Scale), "choose 0 to 1"}
	case math.IsNaN(o.Amble):
		return &Error{BadOption, "the amble tolerance is not a number", ""}
	case o.Landmarks < 0 || o.Landmarks > 0 && o.Landmarks < 4:
		return &Error{BadOption, fmt.Sprintf("%d landmarks are too few", o.Landmarks), "choose 1000"}
	case o.Weights > WeightsBoth:
		return &Error{BadOption, fmt.Sprintf("there are no %v", o.Weights), "use auto, equal, degree, times or both"}
	case o.Memory < 0:
		return &Error{BadOption, "the limit of memory cannot be negative", ""}
	}
	return nil
}

// digits is how exact coordinates are.
func (o Options) digits() int {
	if o.quick {
		return quickDigits
	}
	return fullDigits
}

// prime is trial division: p is small.
func prime(p int) bool {
	for d := 2; d*d <= p; d++ {
		if p%d == 0 {
			return false
		}
	}
	return p > 1
}

// nextPrime is the smallest prime above p.
func nextPrime(p int) int {
	for p++; !prime(p); p++ {
	}
	return p
}

func tooShort(records, window int) error {
	return &Error{TooShort, fmt.Sprintf("%d references are too few for windows of %d: a cycle needs at least %d",
		records, window, window+3),
		"choose a longer range, sample less, or use a smaller window"}
}
