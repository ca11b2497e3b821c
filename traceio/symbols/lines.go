package symbols

import (
	"cmp"
	"debug/dwarf"
	"errors"
	"io"
	"slices"
	"sort"
	"strings"
)

// row is one row of a line table: the line from addr up to the next row. end closes a sequence.
type row struct {
	addr uint64
	file string
	line int
	end  bool
}

// lineTable is the rows of one compilation unit in order of address.
type lineTable []row

// Bounds of rows: of a unit, and of all the units that are read of a file. Those of packed nothing cost a byte in a
// thousand each.
const (
	mostRows      = 1 << 22
	mostRowsOfAll = 1 << 26
)

// readLines reads the line table of a unit that was compiled in directory comp. Sequences that start at 0 belong to
// functions that the linker dropped, and are left out. A damaged table keeps the sequences before the damage.
func (o *object) readLines(unit *dwarf.Entry, comp string) (lineTable, error) {
	r, err := o.lineReader(unit)
	if err != nil || r == nil {
		return nil, err
	}
	names := map[*dwarf.LineFile]string{nil: ""}
	var table lineTable
	start := 0 // where the open sequence begins
	var e dwarf.LineEntry
	for {
		if err := r.Next(&e); err != nil {
			table = table[:start]
			if !errors.Is(err, io.EOF) {
				return table.sorted(), err
			}
			return table.sorted(), nil
		}
		// Of several rows at one address only the last one covers any code.
		if n := len(table); n > start && table[n-1].addr == e.Address && !e.EndSequence {
			table = table[:n-1]
		}
		name, ok := names[e.File]
		if !ok {
			name = placed(comp, e.File.Name)
			names[e.File] = name
		}
		if o.rows++; len(table) >= mostRows || o.rows > mostRowsOfAll {
			return table[:start].sorted(), errLines
		}
		table = append(table, row{e.Address, name, e.Line, e.EndSequence})
		if e.EndSequence {
			if table[start].addr == 0 {
				table = table[:start]
			}
			start = len(table)
		}
	}
}

// sorted puts rows in order of address; where a sequence ends at the address at which another begins, the end comes
// first.
func (t lineTable) sorted() lineTable {
	slices.SortStableFunc(t, func(a, b row) int {
		if a.addr != b.addr {
			return cmp.Compare(a.addr, b.addr)
		}
		if a.end == b.end {
			return 0
		}
		if a.end {
			return -1
		}
		return 1
	})
	return t
}

// at is the file and line of pc, "" and 0 outside of every sequence.
func (t lineTable) at(pc uint64) (file string, line int) {
	i := sort.Search(len(t), func(i int) bool { return t[i].addr > pc })
	if i == 0 || t[i-1].end {
		return "", 0
	}
	return t[i-1].file, t[i-1].line
}

// placed puts a file name that is relative to the compiler's working directory behind that directory. debug/dwarf does
// so for DWARF 4, but not for the directories of DWARF 5.
func placed(comp, name string) string {
	if comp == "" || name == "" || name[0] == '/' || strings.HasPrefix(name, comp+"/") {
		return name
	}
	return strings.TrimSuffix(comp, "/") + "/" + name
}
