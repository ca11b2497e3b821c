package link

import "slices"

// names are the kinds of thing, in their order.
var names = []string{"nothing", "line", "function", "region", "block", "address", "set", "time", "design", "subspace",
	"instructions", "error"}

// String names the kind as it stands in files: "line".
func (w What) String() string {
	if int(w) < len(names) {
		return names[w]
	}
	return "unknown"
}

// ParseWhat is the kind with a name, and whether there is one.
func ParseWhat(name string) (What, bool) {
	i := slices.Index(names, name)
	return What(max(0, i)), i >= 0
}
