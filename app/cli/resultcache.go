package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"orrery/cachesim"
	"orrery/traceio/resultcache"
	"orrery/views/words"
)

// resultCacheJSON is the object that `result-cache --json` prints.
type resultCacheJSON struct {
	Directory string `json:"directory"` // "" when the result cache is switched off
	Entries   int    `json:"entries"`
	Bytes     int64  `json:"bytes"`
	Limit     int64  `json:"limit"`
}

func resultCacheCommand(s Streams) *cobra.Command {
	var asJSON, clear bool
	var limit string
	c := &cobra.Command{
		Use:     "result-cache",
		Aliases: []string{"shelf"},
		Short:   "tell what is kept so that long files open at once, or throw it away",
		Long: `The first time that a long file is opened, what was found out about it is kept in the user's cache directory: the counts of its
references, and of a file of another tool its references in Orrery's own format. The next time it is there at once. What was not used for
longest goes when the limit is reached. The cache is optional: what is missing is computed again.

The environment variable ` + resultcache.Variable + ` names another directory, or is "off".`,
		Example: "  orrery result-cache                 # its directory and size\n" +
			"  orrery result-cache --limit 2GiB    # 0 keeps nothing\n  orrery result-cache --clear",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("%s takes no files", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			kept := resultcache.Open()
			if limit != "" {
				size, err := cachesim.ParseSize(limit)
				if err != nil {
					return usagef("--limit: %w", err)
				}
				if err := kept.SetLimit(int64(min(size, 1<<62))); err != nil {
					return err
				}
			}
			if clear {
				kept.Clear()
			}
			return printResultCache(s, kept, asJSON)
		},
	}
	c.Flags().BoolVar(&clear, "clear", false, "throw away all that is kept")
	c.Flags().StringVar(&limit, "limit", "", "how much may be kept from now on, for instance 2GiB; 0 keeps nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func printResultCache(s Streams, kept *resultcache.Cache, asJSON bool) error {
	out := resultCacheJSON{Limit: kept.Limit()}
	out.Entries, out.Bytes = kept.Usage()
	if kept != nil {
		out.Directory = kept.Dir()
	}
	switch {
	case asJSON:
		return printJSON(s.Out, "", out)
	case kept == nil:
		_, err := fmt.Fprintf(s.Out, "the result cache is switched off by the environment variable %s\n",
			resultcache.Variable)
		return err
	}
	_, err := fmt.Fprintf(s.Out, "%s: %d entries, %s of at most %s\n", out.Directory, out.Entries,
		words.Bytes(uint64(out.Bytes)), words.Bytes(uint64(out.Limit)))
	return err
}
