package cli

import (
	"context"
	"slices"
	"strings"

	"orrery/analysis/heap"
	flamepane "orrery/app/recording/flame"
	"orrery/app/session"
	"orrery/views/flame"
	"orrery/views/palette"
	"orrery/views/scene"

	"github.com/spf13/cobra"
)

// flamePicture is the options of `render flame`: those of the pane in the window, and what is looked for.
type flamePicture struct {
	flamepane.Choices
	find, under string
}

func (f *flamePicture) add(c *cobra.Command) {
	flags := c.Flags()
	flamepane.Options.Flags(&f.Choices, flags)
	flags.StringVar(&f.find, "find", "", "light the functions with these words in their names")
	flags.StringVar(&f.under, "under", "",
		"only what a function calls: \"main\", or \"main;parse\" for the parse below main")
}

// way is the way to the function that --under names: each name is looked for below the one before, the nearest first.
func (f *flamePicture) way(root *heap.Node) (way []int, err error) {
	if f.under == "" {
		return nil, nil
	}
	type place struct {
		node *heap.Node
		way  []int
	}
	at := place{node: root}
	for _, name := range strings.Split(f.under, ";") {
		name = strings.TrimSpace(name)
		queue := []place{at}
		for at.node = nil; len(queue) > 0 && at.node == nil; queue = queue[1:] {
			for i, c := range queue[0].node.Children {
				next := place{c, append(slices.Clone(queue[0].way), i)}
				if c.Name == name {
					at = next
					break
				}
				queue = append(queue, next)
			}
		}
		if at.node == nil {
			return nil, usagef(
				"--under %q: %q is not on the way to an allocation there; orrery heap FILE --flame bytes lists all ways", f.under,
				name)
		}
	}
	return at.way, nil
}

func drawFlame(_ context.Context, rec *session.Recording, f *renderFlags, theme palette.Theme, size scene.Size,
	_ *progress) (scene.Drawing, error) {
	s := flame.State{Theme: theme, Color: f.flame.Color, Metric: f.flame.Metric,
		Sites: rec.HeapMap(theme, 0).Sites, Filter: f.flame.find}
	if rec.Heap.Count() == 0 {
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
