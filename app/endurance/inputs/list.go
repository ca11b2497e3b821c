package main

import "slices"

// formats are all that are read, with the good files of the tree.
func formats(root string) ([]*format, error) {
	t := &tree{root: root}
	trace := func(name string, seeds ...seed) *format {
		return &format{name: name, seeds: seeds, commands: recordingCommands, packs: true}
	}
	log := func(name, path string) *format {
		return &format{name: name, seeds: t.files(path), commands: allocationCommands, packs: true}
	}
	graph := func(name string, seeds ...seed) *format {
		return &format{name: name, seeds: seeds, commands: graphCommands, packs: true}
	}
	lackey := prefix(t.unpacked("testdata/oracles/quicksort.lk.gz", 8<<10), 8<<10)
	ssa := t.unpacked("testdata/graphs/golist.ssa.gz", 24<<10)
	turbo := t.unpacked("testdata/graphs/list.turbo.json.gz", 1<<30)
	slam := t.beginning("testdata/designs/slam.csv", 4<<10)
	recordings := slices.Concat(
		[]seed{smallRecording()},
		t.files("testdata/recordings/bubble-array-*.orr", "testdata/recordings/fill.orr",
			"testdata/recordings/sharing-packed.orr", "testdata/recordings/list.orr"),
	)
	short := slices.Concat([]seed{lackey}, t.files("testdata/traces/sum.din", "testdata/traces/sum.csv"))
	presets := t.files("assets/presets/*.toml")
	all := []*format{
		{name: "orr", seeds: recordings, commands: recordingCommands,
			sealed: true},
		{name: "orr-made", seeds: recordings, commands: recordingCommands, always: true, make: madeRecording},
		trace(
			"lackey",
			lackey,
			text(
				"verbose.lackey",
				"==1== Lackey, an example Valgrind tool\n==1== Command: ./a\n--1-- Reading syms from /bin/a\n"+
					"I  04001000,3\n L 1ffe,8\n S 2ffe,8\n M 3ffe,4\nI  04001003,3\n L 1ffe,8\n",
			),
		),
		trace("drmemtrace", t.files("testdata/traces/sum.drmemtrace")...),
		{
			name:     "drmemtrace-zip",
			seeds:    t.files("testdata/traces/sum.drmemtrace.zip"),
			commands: recordingCommands,
			make:     rezip,
		},
		trace("pinatrace", t.files("testdata/traces/sum.pinatrace")...),
		trace("champsim", t.files("testdata/traces/*.champsim")...),
		trace("din", t.files("testdata/traces/sum.din")...),
		trace("gem5", t.files("testdata/traces/sum.gem5")...),
		trace(
			"csv",
			append(
				t.files("testdata/traces/sum.csv"),
				text("few.csv", "address,kind,size,thread,seq,pc\n0x10,load,8,0,0,0x400\n32,S,4,1,1,\n"),
			)...),
		log("mtrace", "traceio/heaplog/testdata/sample.mtrace"),
		elsewhere(log("heaptrack", "traceio/heaplog/testdata/sample.heaptrack")),
		log("valgrind", "traceio/heaplog/testdata/sample.valgrind"),
		log("ltrace", "traceio/heaplog/testdata/sample.ltrace"),
		{name: "designs", seeds: slices.Concat(designTables, []seed{slam}), commands: designCommands, packs: true},
		{
			name:  "description",
			seeds: []seed{{name: "table.csv.json", data: []byte(described), beside: []seed{table}}},
			commands: lines(`
designs --json table.csv
designs --describe table.csv
render designs table.csv -o %.svg`),
		},
		graph("igv", t.files("testdata/graphs/hotspot.xml")...),
		graph("bgv", t.files("testdata/graphs/sum.bgv")...),
		graph("v8", fewPhases(turbo), text("small.json", smallTurbo)),
		graph("gossa", ssa),
		graph("gossa-html", t.unpacked("testdata/graphs/golist.ssa.html.gz", 48<<10)),
		graph("graphml", t.files("testdata/graphs/calls.graphml")...),
		graph(
			"dot",
			append(
				t.files("testdata/graphs/gcc/*.dot"),
				text("few.dot", "digraph g {\n a -> b [label=\"x\"];\n b -> c;\n c -> a;\n}\n"),
			)...),
		{name: "toml", seeds: presets, commands: lines(`
cache --config @ --json testdata/recordings/fill.orr
cache --config @ --by set testdata/recordings/matmul-blocked.orr
cache --against @ testdata/recordings/fill.orr
cache --config @ --cores 2 --sharing testdata/recordings/fill.orr
cache --config @ --curve --bound --classes testdata/recordings/fill.orr
findings --config @ --json testdata/recordings/fill.orr
render cache --config @ --at 300 testdata/recordings/fill.orr -o %.svg
cycles --explain --count 120 --config @ testdata/recordings/fill.orr`)},
		{name: "filter", seeds: filters(), commands: lines(`
graph --filter @ --json testdata/graphs/hotspot.xml
graph --filter @ testdata/graphs/calls.graphml
render graph --filter @ testdata/graphs/hotspot.xml -o %.svg`)},
		{
			name: "bins",
			seeds: []seed{
				text("bins.txt", "small: size <= 64\nlarge: size > 64 and thread = 1..2; list: site list.c\nrest: *\n"),
				text("sizes.txt", "sizes 16 64 4K 65536"),
			},
			commands: lines(`
heap --bins @@ --json testdata/recordings/list.orr
heap --bins @@ testdata/recordings/list.orr`),
		},
		{
			name:     "points",
			seeds:    []seed{text("points.csv", circle(24))},
			commands: lines("cycles --points @ --json\ncycles --points @ --landmarks 8"),
		},
		{
			name:     "matrix",
			seeds:    []seed{text("matrix.csv", triangle(12))},
			commands: lines("cycles --matrix @ --json\ncycles --matrix @"),
		},
		{name: "search-state", seeds: []seed{{name: "state.json"}}, prepare: searchState,
			commands: lines("designs search --json --generations 2 --resume @ testdata/recordings/fill.orr")},
		{name: "session", seeds: []seed{{name: "window.orrery", data: session()}}, commands: [][]string{{"(session)", "@"}}},
		{
			name:     "perf-map",
			seeds:    []seed{text("m.perf.map", "1000 40 LazyCompile:*f a.js:1\n2000 10 Stub:x\n0x2010 20 Builtin:y z\n")},
			commands: [][]string{{"(map)", "@"}},
		},
		{
			name:  "symbols",
			seeds: t.programs(),
			commands: lines(
				"info --json run.lackey\ninfo --all run.lackey\ncache --preset tiny --by line run.lackey\nconvert run.lackey %.orr",
			),
		},
		{name: "result-cache", seeds: []seed{{name: "kept"}}, prepare: kept, inCache: true, sealed: true, make: resealKept,
			commands: [][]string{{"info", "--json", keptFile}}},
		{
			name:     "cache-limit",
			seeds:    []seed{text("limit", "1073741824\n")},
			inCache:  true,
			commands: lines("result-cache --json\nresult-cache"),
		},
	}
	for _, packing := range packings {
		all = append(
			all,
			&format{name: packing + "-trace", seeds: packedAs(packing, short), sealed: true, commands: recordingCommands},
			&format{
				name:     packing + "-graph",
				seeds:    packedAs(packing, t.files("testdata/graphs/calls.graphml", "testdata/graphs/sum.bgv")),
				sealed:   true,
				commands: graphCommands,
			},
			&format{
				name:     packing + "-designs",
				seeds:    packedAs(packing, designTables[:3]),
				sealed:   true,
				commands: designCommands,
			},
		)
	}
	return all, t.err
}
