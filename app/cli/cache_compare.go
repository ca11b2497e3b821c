package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"orrery/app/session"
	"orrery/cachesim"
)

// oneOrTwoFiles are the arguments of `cache`: a second recording is compared with the first.
func oneOrTwoFiles(_ *cobra.Command, args []string) error {
	if len(args) != 1 && len(args) != 2 {
		return usagef("cache takes a recording, or two to be compared")
	}
	return nil
}

// compared is what `cache` was asked to compare, false when it was not.
type compared struct {
	files   []string
	config  cachesim.Config
	source  string // of the configuration
	cores   int    // of both
	against string // a configuration for the second side; "" when that is the second file
}

// compare runs both sides and tells the difference.
func (q compared) run(ctx context.Context, s Streams, asJSON bool) error {
	other := q.config
	out := comparisonJSON{Hierarchy: hierarchyObject(q.config, q.source)}
	if q.against != "" {
		if len(q.files) > 1 {
			return usagef("give a second recording or --against, not both: one thing at a time is compared")
		}
		flags := anyHierarchy(q.against, q.cores)
		var err error
		if other, err = flags.hierarchy(); err != nil {
			return err
		}
		second := hierarchyObject(other, flags.source())
		out.Against = &second
	} else {
		out.Other = q.files[1]
	}
	tell := func(a, b session.Side, p *progress) error {
		c, err := compareSides(ctx, a, b, p)
		switch {
		case err != nil:
			return err
		case asJSON:
			out.add(c)
			return printJSON(s.Out, q.files[0], out)
		}
		return printComparison(s, c)
	}
	return withRecording(ctx, s, q.files[0], "comparing", func(a *loaded, p *progress) error {
		if err := a.needsReferences(); err != nil {
			return err
		}
		if q.against != "" {
			one := session.Side{Name: q.config.Name, Of: a.Recording, Config: q.config}
			return tell(one, session.Side{Name: other.Name, Of: a.Recording, Config: other}, p)
		}
		p.Done()
		return withRecording(ctx, s, q.files[1], "comparing", func(b *loaded, p *progress) error {
			if err := b.needsReferences(); err != nil {
				return err
			}
			one, two := session.Side{Name: stem(a.Name()), Of: a.Recording, Config: q.config}, session.Side{Name: stem(b.Name()),
				Of: b.Recording, Config: q.config}
			return tell(one, two, p)
		})
	})
}

// anyHierarchy chooses a shipped hierarchy by its name, or one from a file.
func anyHierarchy(name string, cores int) *cacheFlags {
	if strings.EqualFold(filepath.Ext(name), ".toml") {
		return &cacheFlags{config: name, cores: cores}
	}
	return &cacheFlags{preset: name, cores: cores}
}

func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// comparisonJSON is the object that `cache --json` prints of a comparison. Pairs are the first and the second side.
type comparisonJSON struct {
	Hierarchy  hierarchyJSON     `json:"hierarchy"`
	Against    *hierarchyJSON    `json:"against,omitempty"` // of the second side, where hierarchies are compared
	Other      string            `json:"other,omitempty"`   // the second file, where files are
	Sides      [2]string         `json:"sides"`
	References [2]uint64         `json:"references"`
	AMAT       [2]*float64       `json:"amat"` // as in cacheJSON
	Levels     []levelMissesJSON `json:"levels"`
	Regions    []missChangeJSON  `json:"regions"`
	Lines      []missChangeJSON  `json:"lines"`
	Words      []string          `json:"words"`
}

type levelMissesJSON struct {
	Names    [2]string `json:"names"`
	Requests [2]uint64 `json:"requests"`
	Misses   [2]uint64 `json:"misses"`
}

type missChangeJSON struct {
	Key        string      `json:"key"`
	References [2]uint64   `json:"references"`
	Misses     [][]uint64  `json:"misses"`  // by side and level
	Time       *[2]float64 `json:"miss_ns"` // null where not both hierarchies say how long accesses take
}

// compareSides runs both sides, under names that tell them apart.
func compareSides(ctx context.Context, a, b session.Side, p *progress) (*session.Comparison, error) {
	if a.Name == b.Name {
		a.Name, b.Name = "the first "+a.Name, "the second "+b.Name
	}
	c, err := session.CompareCaches(ctx, a, b, p.Report)
	p.Done()
	return c, err
}

// add puts the difference into the object.
func (out *comparisonJSON) add(c *session.Comparison) {
	out.Words = c.Words()
	for i := range c.Sides {
		out.Sides[i], out.References[i], out.AMAT[i] = c.Sides[i].Name, c.Totals[i].References,
			timed(c.Sides[i].Config, c.Totals[i].AMAT)
	}
	for _, l := range c.Levels {
		out.Levels = append(out.Levels, levelMissesJSON{l.Names, l.Requests, l.Misses})
	}
	rows := func(list []session.Change) []missChangeJSON {
		out := []missChangeJSON{}
		for _, r := range list {
			row := missChangeJSON{Key: r.Key, References: r.References, Misses: r.Misses[:]}
			if c.Timed() {
				row.Time = &r.Time
			}
			out = append(out, row)
		}
		return out
	}
	out.Regions, out.Lines = rows(c.Regions), rows(c.Lines)
}

// comparedRows is how many lines and regions the table has; --json has all.
const comparedRows = 10

func printComparison(s Streams, c *session.Comparison) error {
	for _, line := range c.Words() {
		fmt.Fprintln(s.Out, line)
	}
	fmt.Fprintln(s.Out)
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\t%s\tdifference\t\n", c.Sides[0].Name, c.Sides[1].Name)
	fmt.Fprintf(w, "references\t%d\t%d\t%s\t\n", c.Totals[0].References, c.Totals[1].References,
		signed(c.Totals[0].References, c.Totals[1].References))
	for _, l := range c.Levels {
		name := l.Names[0]
		if l.Names[1] != name {
			name = strings.Trim(name+"/"+l.Names[1], "/")
		}
		fmt.Fprintf(w, "%s misses\t%d\t%d\t%s\t\n", name, l.Misses[0], l.Misses[1], signed(l.Misses[0], l.Misses[1]))
	}
	what := "misses in " + c.Levels[0].Name()
	if c.Timed() {
		what = "time in misses, ns"
		fmt.Fprintf(w, "average access, ns\t%.2f\t%.2f\t%+.2f\t\n", c.Totals[0].AMAT, c.Totals[1].AMAT,
			c.Totals[1].AMAT-c.Totals[0].AMAT)
	}
	for _, group := range []struct {
		title string
		list  []session.Change
	}{{"region", c.Regions}, {"line", c.Lines}} {
		fmt.Fprintf(w, "\t\t\t\t\n%s: %s\t\t\t\t\n", group.title, what)
		for i := range min(comparedRows, len(group.list)) {
			if r := &group.list[i]; r.Time[0] != 0 || r.Time[1] != 0 {
				fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%+.0f\t\n", r.Key, r.Time[0], r.Time[1], r.Delta())
			}
		}
	}
	return w.Flush()
}

// signed is by how much b is more than a.
func signed(a, b uint64) string { return fmt.Sprintf("%+d", int64(b)-int64(a)) }
