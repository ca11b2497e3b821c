package topology

import "context"

// Stage is how thorough an analysis was. Views show its text beside the picture.
type Stage uint8

// The stages. While a range is dragged, a first look follows the pointer; the full analysis comes when it rests.
const (
	Full Stage = iota
	// scales up to QuickEps only: longer bars read "at least QuickEps", and classes may change places in the full analysis
	FirstScales
	FirstBlocks     // by blocks of QuickBlock bytes instead of the alphabet asked for
	FirstBoth       // both of them
	FirstCode       // by instruction instead of the alphabet asked for
	FirstCodeScales // and scales up to QuickEps only
)

// String names the stage.
func (s Stage) String() string {
	switch s {
	case FirstScales:
		return "first look: scales up to 4"
	case FirstBlocks:
		return "first look: by block of 64 bytes"
	case FirstBoth:
		return "first look: by block of 64 bytes, scales up to 4"
	case FirstCode:
		return "first look: by instruction"
	case FirstCodeScales:
		return "first look: by instruction, scales up to 4"
	}
	return "full"
}

// As is what Analyze needs to repeat what a quick analysis by alphabet a found: the alphabet, and the largest scale, 0
// for all of them.
func (s Stage) As(a Alphabet) (Alphabet, float64) {
	for _, c := range coarser {
		if s == c.full || s == c.scales {
			a = c.alphabet
		}
	}
	switch s {
	case FirstScales, FirstBoth, FirstCodeScales:
		return a, QuickEps
	}
	return a, 0
}

// What a first look is restricted to.
const (
	QuickEps   = 4
	QuickBlock = 64
	QuickTop   = 3
	// quickPoints is how many points are few enough to do all scales.
	quickPoints = 200
	// mostlyNew is the share of distinct windows from which a trace counts as one that streams: blocks merge what
	// addresses keep apart.
	mostlyNew = 0.5
)

// Coarse gives the symbols of the same references by another alphabet; nil where that is not coarser than the one asked
// for, or the recording has nothing to tell by.
type Coarse func(Alphabet) ([]uint32, error)

// coarser are the alphabets that a first look goes through, with the stages that name them.
var coarser = []struct {
	alphabet Alphabet
	full     Stage // all scales
	scales   Stage // scales up to QuickEps
}{
	{Alphabet{Kind: ByBlock, Block: QuickBlock}, FirstBlocks, FirstBoth},
	{Alphabet{Kind: ByPC}, FirstCode, FirstCodeScales},
}

// Quick is the first of the two stages of a live analysis: what can be found while a pointer moves. Where more than
// half of the windows differ from all others, and coarse is not nil, it analyses the same references by blocks of
// QuickBlock bytes, and where these are as different (look-ups in a hash table), by instruction; where many windows are
// left, scales up to QuickEps only; in either case the first QuickTop classes. Result.Stage names what was done. The
// second stage is Analyze.
func Quick(ctx context.Context, symbols []uint32, coarse Coarse, opt Options,
	report func(done, total int64)) (*Result, error) {
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return nil, err
	}
	if len(symbols) < opt.Window+3 {
		return nil, tooShort(len(symbols), opt.Window)
	}
	c := makeCloud(symbols, opt.Window)
	stage, scales := Full, FirstScales
	for _, next := range coarser {
		if coarse == nil || float64(len(c.start)) <= mostlyNew*float64(len(c.point)) {
			break
		}
		other, err := coarse(next.alphabet)
		if err != nil {
			return nil, err
		}
		if len(other) != len(symbols) {
			continue
		}
		if d := makeCloud(other, opt.Window); len(d.start) > 1 { // one window shows nothing
			c, stage, scales = d, next.full, next.scales
		}
	}
	if len(c.start) > quickPoints && opt.Eps > QuickEps {
		opt.Eps, stage = QuickEps, scales
	}
	opt.Top, opt.quick = min(opt.Top, QuickTop), true
	res, err := analyzeCloud(ctx, c, opt, report)
	if err != nil {
		return nil, err
	}
	res.Stage = stage
	return res, nil
}
