package symbols

import (
	"debug/dwarf"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

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
		return name + " shares debug information with other files, and the file of that (see readelf --string-dump=.gnu_debugaltlink) is missing or another one: types, some variables and inlined functions have no names"
	}
	for _, u := range o.unitHeads() {
		gnu := u.entry.Val(dwarf.Attr(attrGNUName)) != nil && u.entry.Val(dwarf.AttrLanguage) == nil
		if gnu || u.entry.Tag == dwarf.TagSkeletonUnit {
			return name + " has its debug information in .dwo files, some of which are not where they were made nor beside it, nor in " + name + ".dwp: inlined functions and the variables on its stack have no names"
		}
		if lang, _ := u.entry.Val(dwarf.AttrLanguage).(int64); lang == golang {
			return name + " is written in Go: of the variables on the stacks of goroutines those have names whose place its debug information tells, which for optimised code are few; build it with -gcflags='all=-N -l' for all"
		}
	}
	return ""
}
