// Package flame is what can be chosen in the flame graph of allocations, in the window and on the command line.
package flame

import (
	"orrery/analysis/heap"
	"orrery/app/panes"
	"orrery/views/flame"
)

// Choices are what the user chose. Each change is an undoable step.
type Choices struct {
	Metric heap.Metric
	Color  flame.ColorBy
	Focus  []int // replaced, never changed
}

// The options.
var (
	Widths = panes.Option[Choices, heap.Metric]{ID: "width", Label: "what the boxes are as wide as",
		Step: "width of the flame graph", Was: []string{"metric"}, Values: widths(),
		Get: func(c *Choices) heap.Metric { return c.Metric },
		Set: func(c *Choices, to heap.Metric) { c.Metric = to },
		Word: func(c *Choices) string {
			if c.Metric == heap.ByBlocks {
				return "calls"
			}
			return c.Metric.String()
		},
	}
	Colors = panes.Option[Choices, flame.ColorBy]{ID: "color", Label: "colour", Step: "colours of the flame graph",
		Values: colors(),
		Get:    func(c *Choices) flame.ColorBy { return c.Color },
		Set:    func(c *Choices, to flame.ColorBy) { c.Color = to },
		Word:   func(c *Choices) string { return "by " + flame.ColorNames[c.Color] },
	}
)

// Options are all of them.
var Options = panes.Options[Choices]{Widths, Colors}

func widths() (list []panes.Value[heap.Metric]) {
	for _, m := range flame.Metrics {
		list = append(list, panes.Value[heap.Metric]{ID: m.String(), Title: "Width: " + flame.Words(m), Is: m})
	}
	return list
}

func colors() (list []panes.Value[flame.ColorBy]) {
	titles := []string{"Colours by function", "Colours by source file", "Colours of the sites in the heap map"}
	for i, id := range flame.ColorNames {
		list = append(list, panes.Value[flame.ColorBy]{ID: id, Title: titles[i], Is: flame.ColorBy(i)})
	}
	return list
}
