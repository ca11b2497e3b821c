package filter

// Shipped is the list that a new profile begins with. Categories and types are those that every reader of package
// irgraph sets, states those of a difference, misses and references those that the open recording lends to nodes.
func Shipped() []Filter {
	return []Filter{
		{Name: "Colour by category", On: true, Script: `colorize("category", "control", "#e39b8f");
colorize("category", "data", "#a9c7ec");
colorize("category", "memory", "#f2c879");
colorize("category", "effect", "#c9b3e6");
colorize("category", "constant", "#d5d9dd");
colorize("category", "phi", "#a5d6a7");
`},
		{Name: "Colour edges by type", On: true, Script: `colorizeEdges("type", "control|successor", "#d0604f");
colorizeEdges("type", "memory", "#c88a1e");
colorizeEdges("type", "effect", "#8e63c8");
colorizeEdges("type", "frame.?state", "#8a9099");
`},
		{Name: "Colour the difference", Script: `colorize("state", "same", "#d5d9dd");
colorize("state", "changed", yellow);
colorize("state", "new", green);
colorize("state", "deleted", red);
colorizeEdges("state", "new", green);
colorizeEdges("state", "deleted", red);
`},
		{Name: "Heat by misses", Script: `heat("misses");
`},
		{Name: "Heat by references", Script: `heat("references");
`},
		{Name: "Colour by operation", Script: `colorizeBy("name");
`},
		{Name: "Colour by source line", Script: `colorizeBy("line");
`},
		{Name: "Colour the paper's integers", Script: `colorize("name", "I.*", red);
`},
		{Name: "Control only", Script: `keep("category", "control");
`},
		{Name: "Data only", Script: `keep("category", "data|constant|phi");
`},
		{Name: "Memory and what it needs", Script: `keep("category", "memory", 1);
`},
		{Name: "Effects only", Script: `keep("category", "effect|memory|control");
`},
		{Name: "Hide constants", Script: `remove("category", "constant");
`},
		{Name: "A constant for each use", Script: `split("category", "constant");
`},
		{Name: "Projections into their nodes",
			Script: `mergeUp("name", "Proj.*|Projection|Parm|SelectN?|IfTrue|IfFalse|IfSuccess|IfException");
`},
		{Name: "Hide frame states", Script: `remove("name", "FrameState|StateValues|TypedStateValues|Checkpoint|SafePoint");
removeEdges("type", "frame.?state");
`},
		{Name: "Hide edges of control", Script: `removeEdges("type", "control");
`},
		{Name: "Hide edges of memory and effect", Script: `removeEdges("type", "memory|effect");
`},
		{Name: "Hide what has no edges", Script: `removeLoose();
`},
		{Name: "One node for each source line", Script: `mergeBy("line");
`},
	}
}
