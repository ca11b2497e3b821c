package symbols

import (
	"debug/dwarf"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"orrery/traceio"
)

// golang is DW_LANG_Go.
const golang = 0x16

// note adds a sentence to what is known of a program, once.
func note(prog *traceio.Program, sentence string) {
	if sentence != "" && !slices.Contains(prog.Notes, sentence) {
		prog.Notes = append(slices.Clip(prog.Notes), sentence)
	}
}

// unopened says what a module's file that cannot be used means for names.
func unopened(path string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return path + " is not on this machine: functions, lines and variables in it have no names"
	}
	return "no names from " + err.Error()
}

// lacks says what the file's debug information leaves without names, "" when nothing is known to be missing.
func (o *object) lacks() string {
	name := filepath.Base(o.path)
	switch {
	case o.debug == nil && o.file.Section(".symtab") == nil: // what it exports has names all the same
		return name + " is stripped: its functions, lines and variables have no names; build it with -g and do not strip it"
	case o.debug == nil:
		return name + " has no debug information: its lines and the variables on its stack have no names; build it with -g"
	}
	if o.parted && o.shared == nil {
		return name + " shares debug information with other files, and the file of that (see readelf " +
			"--string-dump=.gnu_debugaltlink) is missing or another one: types, some variables and inlined functions have " +
			"no names"
	}
	const gnuName = dwarf.Attr(0x2130) // DW_AT_GNU_dwo_name of the skeletons of DWARF 4
	for _, u := range o.unitHeads() {
		if u.entry.Val(gnuName) != nil && u.entry.Val(dwarf.AttrLanguage) == nil {
			return name + " has its debug information in .dwo files of DWARF 4, which are not read: inlined functions and the " +
				"variables on its stack have no names; build it with -gdwarf-5 or without -gsplit-dwarf"
		}
		if u.entry.Tag == dwarf.TagSkeletonUnit {
			return name + " has its debug information in .dwo files, some of which are not where they were made nor beside " +
				"it, nor in " + name + ".dwp: inlined functions and the variables on its stack have no names"
		}
	}
	const remedy = "; build it with -gcflags='all=-N -l' for all"
	switch quick, plain := o.optimised(); {
	case len(quick) == 0:
		return ""
	case !plain:
		return name + " is written in Go: of the variables on the stacks of goroutines those have names whose place its " +
			"debug information tells, which for optimised code are few" + remedy
	case len(quick) == 1:
		return name + " is written in Go: its package " + quick[0] +
			" is optimised, so few of the variables that this has on the stacks of goroutines have names" + remedy
	default:
		return fmt.Sprintf("%s is written in Go: %d of its packages are optimised, %s among them, so few of the variables "+
			"that these have on the stacks of goroutines have names%s", name, len(quick), quick[0], remedy)
	}
}

// optimised lists the packages in Go that the compiler has optimised, by name, and says whether there are others, made
// with -N. What all programs have of the runtime is optimised always, and not counted.
func (o *object) optimised() (quick []string, plain bool) {
	for _, u := range o.unitHeads() {
		lang, _ := u.entry.Val(dwarf.AttrLanguage).(int64)
		pkg, _ := u.entry.Val(dwarf.AttrName).(string)
		if root, _, _ := strings.Cut(pkg, "/"); lang != golang || root == "runtime" || root == "internal" {
			continue
		}
		producer, _ := u.entry.Val(dwarf.AttrProducer).(string)
		if _, flags, _ := strings.Cut(producer, ";"); slices.Contains(strings.Fields(flags), "-N") {
			plain = true
		} else {
			quick = append(quick, pkg)
		}
	}
	slices.Sort(quick)
	return slices.Compact(quick), plain
}
