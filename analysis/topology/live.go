package topology

import "context"

// Stage says how thorough an analysis was. Its text is what a view shows beside the picture.
type Stage uint8

// The stages. While a range is dragged, a first look follows the pointer; the full analysis comes when it rests.
const (
	Full        Stage = iota
	FirstScales       // scales up to QuickEps only: longer bars read "at least QuickEps", and classes may change places in the full analysis
	FirstBlocks       // by blocks of QuickBlock bytes instead of the alphabet asked for
	FirstBoth         // both of them
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
	}
	return "full"
}

// What a first look is restricted to.
const (
	QuickEps   = 4
	QuickBlock = 64
	QuickTop   = 3
	// quickPoints is how many points are few enough to do all scales.
	quickPoints = 200
	// mostlyNew is the share of distinct windows from which a trace counts as one that streams: blocks merge what addresses keep apart.
	mostlyNew = 0.5
)

// Quick is the first of the two stages of a live analysis: what can be found while a pointer moves. Where more than half of the
// windows differ from all others, and coarse is not nil, it analyses the symbols that coarse gives, which are those of the
// same references by blocks of QuickBlock bytes; where many are left, scales up to QuickEps only; in either case the first
// QuickTop classes. Result.Stage names what was done. The second stage is Analyze.
func Quick(ctx context.Context, symbols []uint32, coarse func() ([]uint32, error), opt Options, report func(done, total int64)) (*Result, error) {
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return nil, err
	}
	if len(symbols) < opt.Window+3 {
		return nil, tooShort(len(symbols), opt.Window)
	}
	blocks, scales := false, false
	c := makeCloud(symbols, opt.Window)
	if coarse != nil && float64(len(c.start)) > mostlyNew*float64(len(c.point)) {
		coarser, err := coarse()
		if err != nil {
			return nil, err
		}
		if len(coarser) == len(symbols) {
			c, blocks = makeCloud(coarser, opt.Window), true
		}
	}
	if len(c.start) > quickPoints && opt.Eps > QuickEps {
		opt.Eps, scales = QuickEps, true
	}
	opt.Top, opt.quick = min(opt.Top, QuickTop), true
	res, err := analyzeCloud(ctx, c, opt, report)
	if err != nil {
		return nil, err
	}
	switch {
	case blocks && scales:
		res.Stage = FirstBoth
	case blocks:
		res.Stage = FirstBlocks
	case scales:
		res.Stage = FirstScales
	}
	return res, nil
}
