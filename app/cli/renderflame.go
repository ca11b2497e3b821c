package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orrery/analysis/heap"
	"orrery/app/session"
	"orrery/views/flame"
	"orrery/views/palette"
	"orrery/views/scene"
)

// flamePicture is the options of `render flame`.
type flamePicture struct{ width, colors, find, under string }

func (f *flamePicture) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.width, "width", heap.ByBytes.String(), "flame: what the boxes are as wide as: "+heapMetrics())
	flags.StringVar(&f.colors, "flame-colors", flame.ColorNames[0], "flame: colours by "+strings.Join(flame.ColorNames, ", "))
	flags.StringVar(&f.find, "find", "", "flame: light the functions with these words in their names")
	flags.StringVar(&f.under, "under", "", "flame: only what is called below a function, with the calls on the way: \"main;parse\"")
}

// check refuses what no picture can show.
func (f *flamePicture) check() error {
	if _, ok := heap.ParseMetric(f.width); !ok {
		return usagef("--width %q is none of %s", f.width, heapMetrics())
	}
	if !slices.Contains(flame.ColorNames, f.colors) {
		return usagef("--flame-colors %q is none of %s", f.colors, strings.Join(flame.ColorNames, ", "))
	}
	return nil
}

// way is the way to the function that --under names.
func (f *flamePicture) way(n *heap.Node) (out []int, err error) {
	if f.under == "" {
		return nil, nil
	}
	for _, name := range strings.Split(f.under, ";") {
		i := slices.IndexFunc(n.Children, func(c *heap.Node) bool { return c.Name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, usagef("--under: %q is not called by %q on the way to an allocation; orrery heap FILE --flame bytes lists all ways", strings.TrimSpace(name), n.Name)
		}
		out, n = append(out, i), n.Children[i]
	}
	return out, nil
}

func drawFlame(_ context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size, _ *progress) (scene.Drawing, error) {
	s := flame.State{Theme: theme, Color: flame.ColorBy(slices.Index(flame.ColorNames, f.flame.colors)), Sites: rec.HeapMap(theme, 0).Sites, Filter: f.flame.find}
	s.Metric, _ = heap.ParseMetric(f.flame.width)
	if len(rec.Heap.Blocks) == 0 {
		s.Empty = "No allocations in this recording."
		return flame.Scene(s, size), nil
	}
	s.Root = rec.Heap.Tree()
	var err error
	if s.Focus, err = f.flame.way(s.Root); err != nil {
		return scene.Drawing{}, err
	}
	return flame.Scene(s, size), nil
}
