package topology

import "context"

// Analyze finds the cycles in a sequence of symbols; Symbols makes one from a recording. report, which may be nil,
// is told the units of work done and in all. The error is an *Error for input that cannot be analysed, or ctx's.
func Analyze(ctx context.Context, symbols []uint32, opt Options, report func(done, total int64)) (*Result, error) {
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return nil, err
	}
	if len(symbols) < opt.Window+3 {
		return nil, tooShort(len(symbols), opt.Window)
	}
	return nil, ctx.Err()
}
