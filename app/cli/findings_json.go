package cli

import (
	"orrery/analysis/findings"
	"orrery/traceio"
)

// findingsJSON is the object that `findings --json` prints.
type findingsJSON struct {
	Hierarchy hierarchyJSON   `json:"hierarchy"`
	Findings  []findingJSON   `json:"findings"`
	Remainder []remainderJSON `json:"remainder"` // costs that no finding explains; nothing looks for them yet
}

type findingJSON struct {
	Kind     findings.Kind      `json:"kind"`
	Title    string             `json:"title"`
	Cost     float64            `json:"cost"`
	Unit     string             `json:"unit"`  // of the cost: "ns", "bytes", or "misses" in a hierarchy without latencies
	Share    float64            `json:"share"` // of the whole
	Evidence map[string]float64 `json:"evidence"`
	File     string             `json:"file"`
	Line     int                `json:"line"`
	Function string             `json:"function"`
	Regions  []string           `json:"regions"`
	From     traceio.Seq        `json:"from"`
	To       traceio.Seq        `json:"to"`

	// What a remedy would bring. Nothing tries remedies yet.
	Remedy string         `json:"remedy"`
	Before map[string]any `json:"before"`
	After  map[string]any `json:"after"`
	Exact  bool           `json:"exact"`

	Details findingDetailsJSON `json:"details"`
}

// findingDetailsJSON is what is known of a finding beside the fields that other programs rely on.
type findingDetailsJSON struct {
	Advice      string            `json:"advice"`
	Of          string            `json:"of"` // what the share is of
	Misses      uint64            `json:"misses,omitempty"`
	Nanoseconds float64           `json:"nanoseconds,omitempty"`
	Bytes       uint64            `json:"bytes,omitempty"`
	Units       map[string]string `json:"units"` // of the evidence; plain numbers have none
	Level       string            `json:"level,omitempty"`
	Sets        []int             `json:"sets,omitempty"`
	Low         string            `json:"low,omitempty"`
	High        string            `json:"high,omitempty"`
}

// remainderJSON is a place whose misses no finding explains.
type remainderJSON struct {
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Function string  `json:"function"`
	Region   string  `json:"region"`
	Share    float64 `json:"share"`
	Pattern  string  `json:"pattern"`
}

func findingsObject(list []findings.Finding, h hierarchyJSON) findingsJSON {
	out := findingsJSON{Hierarchy: h, Findings: []findingJSON{}, Remainder: []remainderJSON{}}
	for i := range list {
		out.Findings = append(out.Findings, findingObject(&list[i]))
	}
	return out
}

func findingObject(f *findings.Finding) findingJSON {
	c := f.Cost
	out := findingJSON{
		Kind: f.Kind, Title: f.Title, Share: c.Share, Evidence: map[string]float64{}, File: f.File, Line: f.Line,
		Function: f.Function,
		Regions:  append([]string{}, f.Regions...), From: f.Range.From, To: f.Range.To, Before: map[string]any{},
		After: map[string]any{},
		Details: findingDetailsJSON{Advice: f.Advice, Of: c.Of, Misses: c.Misses, Nanoseconds: c.Nanoseconds, Bytes: c.Bytes,
			Units: map[string]string{},
			Level: f.Level, Sets: f.Sets},
	}
	switch {
	case c.Bytes > 0:
		out.Cost, out.Unit = float64(c.Bytes), "bytes"
	case c.Nanoseconds > 0:
		out.Cost, out.Unit = c.Nanoseconds, "ns"
	default:
		out.Cost, out.Unit = float64(c.Misses), "misses"
	}
	for _, e := range f.Evidence {
		out.Evidence[e.What] = e.Value
		if e.Unit != "" {
			out.Details.Units[e.What] = e.Unit
		}
	}
	if f.High > 0 {
		out.Details.Low, out.Details.High = f.Low.String(), f.High.String()
	}
	return out
}
