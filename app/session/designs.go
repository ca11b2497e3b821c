package session

import (
	"context"
	"os"

	"orrery/analysis/dse/search/mjpeg"
	"orrery/traceio/designs"
)

// DesignExample is the path by which the built-in design space is opened, where no file has it: the Motion-JPEG case of
// the VMODEX paper, a reconstruction.
const DesignExample = "motion-jpeg"

// DesignExamplePath is the path that it has whatever files there are.
const DesignExamplePath = builtin + DesignExample

// DesignExampleWhat says what to look for in it.
const DesignExampleWhat = "An encoder mapped onto 99 platforms, after the VMODEX paper: who is on the front, " +
	"and what was never tried?"

// IsDesignExample tells whether a path means the built-in design space.
func IsDesignExample(path string) bool {
	if path != DesignExample {
		return path == DesignExamplePath
	}
	_, err := os.Stat(path)
	return err != nil
}

// exampleSeed decides the search of the built-in design space.
const exampleSeed = 1

// ExploreExample searches the built-in design space anew, which takes about a second. It reports generations.
func ExploreExample(ctx context.Context, report func(done, total int64)) (*designs.Set, error) {
	return mjpeg.Explored(ctx, exampleSeed, report)
}
