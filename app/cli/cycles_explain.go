package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"orrery/app/session"
)

// explainCycles writes every parameterization in words: turns, lines, data, and misses in the simulated hierarchy.
func explainCycles(ctx context.Context, w io.Writer, c *session.Cycles, rec *session.Recording,
	cache *cacheFlags) error {
	config, err := cache.hierarchy()
	if err != nil {
		return err
	}
	caches, err := rec.RunCaches(ctx, config, nil)
	if err != nil {
		return err
	}
	served, err := rec.Served(c, caches)
	if err != nil {
		return err
	}
	var b strings.Builder
	for i := range c.Parameterizations {
		words := rec.Words(c, i, served, config)
		fmt.Fprintf(&b, "rank %d: %s\n", c.Parameterizations[i].Rank, words[0])
		for _, line := range words[1:] {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	if c.Problem != nil {
		fmt.Fprintln(&b, c.Problem.Error())
	}
	for _, n := range c.Notes {
		fmt.Fprintln(&b, n)
	}
	_, err = io.WriteString(w, b.String())
	return err
}
