package session

// Stop is one stop of the guided tour: a shipped recording, or the design space of the example, and what to look for in
// one of its panes. Title names the idea, Look says what to do and what is seen then; Paper is the case study that it
// goes through, "" for none.
type Stop struct {
	File, Pane, Title, Look, Paper string
}

// Tour leads a newcomer through the application, with the case studies of the papers.
func Tour() []Stop {
	return []Stop{
		{"bubble-vector-shuffled.orr", "cycles", "Cycles",
			"Distance from the centre is time, the angle is where in its recurring behaviour the program is. Press N to go " +
				"from one parameterization to the next: #3 turns with each of the six swaps, #5 with each of the four " +
				"comparisons that leave a pair in place.",
			"bubble sort, Choudhury et al. 2012"},
		{"mpm-5.orr", "cycles", "Loops in loops",
			"Five particles give mass and momentum to a grid. Press N: the parameterizations turn 5, 20, 40 and 80 times, one " +
				"for each level of nesting. The slider at the left lets one morph into the next.",
			"material point method, Choudhury et al. 2012"},
		{"matmul-standard.orr", "cache", "Caches",
			"Press Space. A miss draws a glyph in from the ring of memory in red; the right-hand matrix is walked by columns " +
				"and misses every time, the left one stays. The tab Curve says which cache would be large enough.",
			"matrix multiply, Choudhury and Rosen 2011"},
		{"matmul-transposed.orr", "table", "What a change bought",
			"The same product with the right-hand matrix stored by columns: the table counts its misses by line, function, " +
				"region and set. Press Ctrl+Shift+D to see both runs side by side.",
			"matrix multiply, Choudhury and Rosen 2011"},
		{"list.orr", "heap", "The heap",
			"Every block is a rectangle of time and address; what was never freed runs to the right edge. Click a block: " +
				"every other view shows who made it and who touches it. Keys 8 and 9 count by place and by call stack.",
			"dynamic allocations, Moreta and Telea 2007"},
		{"habits-structs.orr", "findings", "Findings",
			"What costs is found, ranked and said in words. F8 selects the first finding: its line and its data light up in " +
				"every view, and the explanation says what to do about it.",
			""},
		{"", "designs", "Designs",
			"A tree of all platforms that a Motion-JPEG encoder could run on; each leaf is a design on the Pareto front, off " +
				"it or far from it. Drag a slider of the filter, fold a branch with a double click, play the generations of the " +
				"search with Space.",
			"VMODEX, Taghavi, Pimentel and Sabeghi"},
		{"gomatmul.orr", "code", "The compiler's graph",
			"The graph of the hot line as Go's compiler sees it, block by block; one load has the misses. F8 and then G goes " +
				"from the finding to that load. In the tab Phases the graph is gone through pass by pass.",
			"program dependence graphs, Würthinger et al. 2008"},
	}
}
