package igv

import (
	"strings"

	"orrery/traceio/irgraph"
)

// describe adds what the server compiler's nodes do, where the dump does not say it itself in a property "category"
// that we know: HotSpot writes "data", "memory", "control", "mixed" and "other". It tells which of the properties are
// guesses.
func describe(p irgraph.Properties) (irgraph.Properties, irgraph.Guess) {
	guessed, name := irgraph.Guess(0), p.Get(irgraph.KeyName)
	if name == "" {
		return p, guessed
	}
	access := ""
	switch {
	case strings.HasPrefix(name, "LoadStore"), strings.HasPrefix(name, "GetAndSet"), strings.HasPrefix(name, "GetAndAdd"),
		strings.HasPrefix(name, "CompareAnd"):
		access = "load store"
	case strings.HasPrefix(name, "Load"):
		access = "load"
	case strings.HasPrefix(name, "Store"):
		access = "store"
	}
	if _, ok := p.Lookup(irgraph.KeyAccess); !ok && access != "" {
		p = append(p, irgraph.Property{Key: irgraph.KeyAccess, Value: access})
		guessed |= irgraph.GuessedAccess
	}
	if _, ok := p.Lookup(irgraph.KeyCategory); !ok {
		p = append(p, irgraph.Property{Key: irgraph.KeyCategory, Value: category(name, access, p)})
		guessed |= irgraph.GuessedCategory
	}
	return p, guessed
}

func category(name, access string, p irgraph.Properties) string {
	switch {
	case isProjection(name) && (p.Get(irgraph.KeyType) == "control" || p.Get("dump_spec") == "control"):
		return "control" // the flow of control enters a method through its first parameter
	case access != "":
		return "memory"
	case name == "Phi":
		return "phi"
	case name == "MergeMem" || name == "Initialize" || strings.HasPrefix(name, "MemBar"):
		return "effect"
	case strings.HasPrefix(name, "Con") && len(name) <= 4:
		return "constant"
	case strings.HasPrefix(name, "If"), strings.HasPrefix(name, "Call"), strings.HasSuffix(name, "Loop"):
		return "control"
	}
	switch name {
	case "Start", "Root", "Region", "Return", "Goto", "Jump", "Catch", "CatchProj", "Halt", "SafePoint",
		"CountedLoopEnd", "Rethrow":
		return "control"
	}
	return "data"
}

// isProjection reports whether a node is one of the results of another that has several.
func isProjection(name string) bool { return name == "Parm" || strings.HasSuffix(name, "Proj") }
