package record

import (
	"fmt"
	"strings"
)

// limits says which references the options left out, for traceio.Program: without it, bytes that only those touched
// would seem unused. made is how many wanted references there were.
func (o *Options) limits(made uint64, hooks bool) (list []string) {
	var who []string
	for _, name := range o.Only {
		switch name {
		case "program":
			name = "the program's own code"
		case "jit":
			name = "code that the program makes"
		}
		who = append(who, name)
	}
	switch {
	case who != nil:
		list = append(list, "references made by "+strings.Join(who, " or "))
	case hooks:
		list = append(list, "references made by code that was compiled with hooks")
	}
	if o.From != "" {
		list = append(list, fmt.Sprintf("references from the first call of %s until it returns", o.From))
	}
	if o.MaxRefs > 0 && made >= o.MaxRefs {
		list = append(list, fmt.Sprintf("the first %d references", o.MaxRefs))
	}
	if o.KeepLast > 0 && made > o.KeepLast {
		list = append(list, fmt.Sprintf("the last %d references and the blocks and threads that lived then or came later",
			o.KeepLast))
	}
	return list
}
