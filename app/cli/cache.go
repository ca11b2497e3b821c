package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orrery/app/session"
	"orrery/cachesim"
)

// cacheFlags choose a hierarchy; `cache` and `render cache` share them.
type cacheFlags struct {
	config, preset string
	cores          int
}

func (f *cacheFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.config, "config", "", "the hierarchy, a TOML file")
	c.Flags().StringVar(&f.preset, "preset", "", fmt.Sprintf("a shipped hierarchy: %s (default %q)",
		strings.Join(cachesim.Presets(), ", "), cachesim.DefaultPreset))
	c.Flags().IntVar(&f.cores, "cores", 0, "simulate so many cores, each with levels of its own above the shared ones; "+
		"thread t runs on core t modulo their number")
}

// hierarchy is the configuration, with the levels of every core.
func (f *cacheFlags) hierarchy() (cachesim.Config, error) {
	c, err := f.chosen()
	if err != nil || f.cores == 0 {
		return c.PerCore(), err
	}
	c = c.WithCores(f.cores)
	if err := c.Validate(); err != nil {
		return c, usageError{err}
	}
	return c.PerCore(), nil
}

func (f *cacheFlags) chosen() (cachesim.Config, error) {
	switch {
	case f.config != "" && f.preset != "":
		return cachesim.Config{}, usagef("give --config or --preset, not both")
	case f.config != "":
		data, err := readConfig(f.config)
		if err != nil {
			return cachesim.Config{}, err
		}
		return cachesim.ParseConfig(data, f.config)
	case f.preset != "":
		c, err := cachesim.Preset(f.preset)
		if err != nil {
			return c, usageError{err}
		}
		return c, nil
	}
	return cachesim.Preset(cachesim.DefaultPreset)
}

func readConfig(path string) ([]byte, error) {
	return readBounded(path, cachesim.MaxConfig, "cache configuration, which is TOML with one [[level]] table per cache")
}

// cacheJSON is the object that `cache --json` prints.
type cacheJSON struct {
	Hierarchy  hierarchyJSON    `json:"hierarchy"`
	References uint64           `json:"references"`
	Levels     []levelJSON      `json:"levels"`
	Memory     cachesim.Traffic `json:"memory"`
	TLBs       []levelJSON      `json:"tlbs,omitempty"`
	Walks      uint64           `json:"walks,omitempty"`
	// nanoseconds; null in a hierarchy that does not say how long accesses take
	AMAT *float64      `json:"amat"`
	Rows []missRowJSON `json:"rows,omitzero"` // with --by
}

type levelJSON struct {
	Name string `json:"name"`
	cachesim.Counts
	Bound *uint64 `json:"min_misses,omitempty"` // of Belady's MIN

	// These stand for the counts of the same names, which are 0 where misses were not classed: there they are null.
	Compulsory *uint64 `json:"compulsory"`
	Capacity   *uint64 `json:"capacity"`
	Conflict   *uint64 `json:"conflict"`
	Coherence  *uint64 `json:"coherence"`
}

func levelObject(name string, c cachesim.Counts, classed bool) levelJSON {
	l := levelJSON{Name: name, Counts: c}
	if classed {
		l.Compulsory, l.Capacity, l.Conflict, l.Coherence = &c.Compulsory, &c.Capacity, &c.Conflict, &c.Coherence
	}
	return l
}

// timed is a time where the hierarchy says how long accesses take, nil where it does not.
func timed(c cachesim.Config, ns float64) *float64 {
	if !c.Timed() {
		return nil
	}
	return &ns
}

type missRowJSON struct {
	Key    string            `json:"key"`
	Reads  uint64            `json:"reads"`
	Writes uint64            `json:"writes"`
	Misses map[string]uint64 `json:"misses"`

	WriteBacks map[string]uint64 `json:"write_backs"`
}

func cacheCommand(s Streams) *cobra.Command {
	var f cacheFlags
	var ask cacheQuestions
	var asJSON bool
	var against, csv string
	c := &cobra.Command{
		Use:   "cache FILE [FILE]",
		Short: "simulate a cache hierarchy, compare two runs",
		Long: `Cache runs the recording through a simulated cache hierarchy from cold and counts exactly. A reference that crosses a block
boundary counts once in the references and once per block in the levels; a write-back from above is a write. A second recording, or a second hierarchy with --against, is
compared with the first: what it changes in words and figures, and which regions and lines change most.

--curve tells the misses of LRU caches of every size from the stack distances, and of every associativity with the first level's
sets; --bound what no replacement policy could beat (Belady's MIN). With --cores the levels that are not shared are there once for
each core and kept coherent by MESI; --sharing then lists the blocks that cores take from each other, false sharing first.`,
		Example: `  orrery cache testdata/recordings/matmul-standard.orr
  orrery cache testdata/recordings/matmul-standard.orr --preset example --by line
  orrery cache testdata/recordings/matmul-standard.orr --by region --csv regions.csv
  orrery cache testdata/recordings/matmul-standard.orr --config assets/presets/tiny.toml --classes --json
  orrery cache testdata/recordings/matmul-standard.orr testdata/recordings/matmul-blocked.orr
  orrery cache testdata/recordings/matmul-standard.orr --against tiny
  orrery cache testdata/recordings/matmul-standard.orr --curve --bound
  orrery cache testdata/recordings/sharing-packed.orr --preset desktop --cores 4 --sharing`,
		Args: oneOrTwoFiles,
		RunE: func(c *cobra.Command, args []string) error {
			two := len(args) > 1 || against != ""
			if err := refuse(c.Flags(),
				applies{!two, "classes by bound curve sharing csv", "to one run, not to a comparison"},
				applies{ask.by != "", "csv", "with --by, which says what its rows are"},
				applies{ask.sharing, "turn", "with --sharing"}); err != nil {
				return err
			}
			hierarchy, err := f.hierarchy()
			if err != nil {
				return err
			}
			if csv != "" && (!slices.Contains(session.Keys(), ask.by)) {
				return usagef("--csv writes the table of one run; say what it counts by with --by and one of %s",
					strings.Join(session.Keys(), ", "))
			}
			if two {
				return compared{args, hierarchy, f.source(), f.cores, against}.run(c.Context(), s, asJSON)
			}
			return withRecording(c.Context(), s, args[0], "simulating", func(rec *loaded, p *progress) error {
				if err := rec.needsReferences(); err != nil {
					return err
				}
				out, err := ask.answer(c.Context(), rec.Recording, hierarchy, p)
				if err != nil {
					return err
				}
				out.Hierarchy = hierarchyObject(hierarchy, f.source())
				if csv != "" {
					if err := writeMissTable(c.Context(), rec.Recording, hierarchy, ask.by, csv, p); err != nil {
						return err
					}
				}
				p.Done()
				if asJSON {
					return printJSON(s.Out, args[0], out)
				}
				return out.print(s.Out, hierarchy, ask)
			})
		},
	}
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	ask.add(c)
	c.Flags().StringVar(&csv, "csv", "", "with --by: write the table, with classes, hits and write-backs, to this file")
	c.Flags().StringVar(&against, "against", "", "compare with a second hierarchy: a shipped one by name, or a TOML file")
	return c
}

func percent(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
