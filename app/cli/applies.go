package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// applies says when options of a command apply: when holds in this run, or what they apply to otherwise.
type applies struct {
	when bool
	list string // of options, with blanks between
	to   string // "with --over", "to a film"
}

// listed is "a, b and c".
func listed(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// refuse gives a sentence about the first option on the command line that does not apply in this run.
func refuse(flags *pflag.FlagSet, rules ...applies) error {
	for _, r := range rules {
		if r.when {
			continue
		}
		for _, name := range strings.Fields(r.list) {
			if flags.Changed(name) {
				return usagef("--%s applies only %s", name, r.to)
			}
		}
	}
	return nil
}
