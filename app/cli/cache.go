package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"orrery/analysis/attribution"
	"orrery/app/session"
	"orrery/cachesim"
)

// cacheFlags choose a hierarchy; `cache` and `render cache` share them.
type cacheFlags struct{ config, preset string }

func (f *cacheFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.config, "config", "", "the hierarchy, a TOML file")
	c.Flags().StringVar(&f.preset, "preset", "", fmt.Sprintf("a shipped hierarchy: %s (default %q)", strings.Join(cachesim.Presets(), ", "), cachesim.DefaultPreset))
}

func (f *cacheFlags) hierarchy() (cachesim.Config, error) {
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

// maxConfig is larger than any configuration: what is longer is another file, or a device without end.
const maxConfig = 1 << 20

func readConfig(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err == nil && len(data) > maxConfig {
		err = fmt.Errorf("%s is longer than 1 MiB and so no cache configuration, which is TOML with one [[level]] table per cache", path)
	}
	return data, err
}

// cacheJSON is the object that `cache --json` prints.
type cacheJSON struct {
	References uint64           `json:"references"`
	Levels     []levelJSON      `json:"levels"`
	Memory     cachesim.Traffic `json:"memory"`
	AMAT       float64          `json:"amat"`
	Rows       []missRowJSON    `json:"rows,omitempty"`
}

type levelJSON struct {
	Name string `json:"name"`
	cachesim.Counts
}

type missRowJSON struct {
	Key    string            `json:"key"`
	Reads  uint64            `json:"reads"`
	Writes uint64            `json:"writes"`
	Misses map[string]uint64 `json:"misses"`
}

func cacheCommand(s Streams) *cobra.Command {
	var f cacheFlags
	var asJSON, classes bool
	var by, against string
	c := &cobra.Command{
		Use:   "cache FILE [FILE]",
		Short: "simulate a cache hierarchy, compare two runs",
		Long: `Cache runs the recording through a simulated cache hierarchy from cold and counts exactly. A reference that crosses a block
boundary counts once in the references and once per block in the levels; a write-back from above is a write. A second recording, or a second hierarchy with --against, is
compared with the first: what it changes in words and figures, and which regions and lines change most.`,
		Example: `  orrery cache testdata/recordings/matmul-standard.orr
  orrery cache testdata/recordings/matmul-standard.orr --preset example --by line
  orrery cache testdata/recordings/matmul-standard.orr --config assets/presets/tiny.toml --classes --json
  orrery cache testdata/recordings/matmul-standard.orr testdata/recordings/matmul-blocked.orr
  orrery cache testdata/recordings/matmul-standard.orr --against tiny`,
		Args: oneOrTwoFiles,
		RunE: func(c *cobra.Command, args []string) error {
			hierarchy, err := f.hierarchy()
			if err != nil {
				return err
			}
			if len(args) > 1 || against != "" {
				return compared{args, hierarchy, against}.run(c.Context(), s, asJSON)
			}
			return withRecording(c.Context(), s, args[0], "simulating", func(rec *loaded, p *progress) error {
				if err := rec.needsReferences(); err != nil {
					return err
				}
				out, err := simulate(c.Context(), rec.Recording, hierarchy, classes, by, p)
				if err != nil {
					return err
				}
				p.Done()
				if asJSON {
					return printJSON(s.Out, out)
				}
				return printCache(s, hierarchy, out, classes)
			})
		},
	}
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&classes, "classes", false, "sort misses into compulsory, capacity and conflict")
	c.Flags().StringVar(&against, "against", "", "compare with a second hierarchy: a shipped one by name, or a TOML file")
	c.Flags().StringVar(&by, "by", "", "also count by line, function, region or set")
	return c
}

func simulate(ctx context.Context, rec *session.Recording, config cachesim.Config, classes bool, by string, p *progress) (*cacheJSON, error) {
	totals, err := rec.Simulate(ctx, config, classes, p.Report)
	if err != nil {
		return nil, err
	}
	out := &cacheJSON{References: totals.References, Memory: totals.Memory, AMAT: totals.AMAT}
	for i, l := range config.Levels {
		out.Levels = append(out.Levels, levelJSON{l.Name, totals.Levels[i]})
	}
	if by == "" {
		return out, nil
	}
	rows, err := rec.MissesBy(ctx, config, by, p.Report)
	if err != nil {
		return nil, usageError{err}
	}
	for _, r := range rows {
		out.Rows = append(out.Rows, missRow(r, config))
	}
	return out, nil
}

func missRow(r attribution.Row, config cachesim.Config) missRowJSON {
	q := missRowJSON{Key: r.Key, Reads: r.Reads, Writes: r.Writes, Misses: map[string]uint64{}}
	for i, l := range config.Levels {
		q.Misses[l.Name] = r.Misses[i]
	}
	return q
}

func printCache(s Streams, config cachesim.Config, out *cacheJSON, classes bool) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(s.Out, "%d references, hierarchy %s, average access %.2f ns\n", out.References, config.Name, out.AMAT)
	fmt.Fprint(w, "level\trequests\tmisses\tmiss ratio\twrite-backs\t")
	if classes {
		fmt.Fprint(w, "compulsory\tcapacity\tconflict\t")
	}
	fmt.Fprintln(w)
	for _, l := range out.Levels {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f %%\t%d\t", l.Name, l.Requests(), l.Misses(), percent(l.Misses(), l.Requests()), l.WriteBacks)
		if classes {
			fmt.Fprintf(w, "%d\t%d\t%d\t", l.Compulsory, l.Capacity, l.Conflict)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "memory\t%d\t\t\t%d\t\n", out.Memory.Reads+out.Memory.Writes, out.Memory.Writes)
	if err := w.Flush(); err != nil || out.Rows == nil {
		return err
	}
	fmt.Fprint(w, "\n\treads\twrites\t")
	for _, l := range config.Levels {
		fmt.Fprintf(w, "%s misses\t", l.Name)
	}
	fmt.Fprintln(w)
	for _, r := range out.Rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t", r.Key, r.Reads, r.Writes)
		for _, l := range config.Levels {
			fmt.Fprintf(w, "%d\t", r.Misses[l.Name])
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func percent(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
