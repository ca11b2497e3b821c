// Package judge compares the findings of `orrery findings` with a table of programs of which it is known what is wrong
// with them, if anything. In go the table (expect.toml), the programs' sources and what was found; out come verdicts
// and, of all of them, precision, recall and the rank of what was planted.
package judge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Program is one program of the bench with what is planted in it.
type Program struct {
	Source  string   // file in the folder programs; "" for a Debian program
	Command []string // a Debian program: its arguments, where {text} is a file of the bench
	Package string   // that it is in
	Planted string   // the problem, in words; "" for a clean program
	Kind    []string // of the finding that says it: any of these
	At      []string // source text of the line to blame, or a file of a library; any of these
	Data    []string // source text of the line that allocates the data, or =NAME of a variable; empty: any data
	Never   []string // words that no finding about it may say, whatever its kind
	Why     string   // why it is a problem, or why the program is clean
	Run     []Run
}

// Run is a program with arguments: one size of its data.
type Run struct {
	Size   string // "L1", "L3", "none": the smallest of desktop's levels that holds all; "any" where size has no meaning
	Args   string
	Prints string
	Expect []Expect
}

// Expect is what must, may and must not be said of a run in a hierarchy.
type Expect struct {
	Preset []string
	Say    bool     // what is planted must be said, and first
	May    []string // kinds of findings that are true, too, but not asked for: they count neither way
	Why    string
}

// sizes of runs, and how many of the planted programs have each.
var sizes = []string{"L1", "L3", "none"}

// Name is what the program is called.
func (p *Program) Name() string {
	if p.Source == "" {
		return p.Command[0]
	}
	return strings.TrimSuffix(p.Source, filepath.Ext(p.Source))
}

// Load reads the table in dir and checks it against the sources beside it: every text of a line is there exactly once,
// and every planted program has its three sizes.
func Load(dir string) ([]Program, error) {
	var file struct{ Program []Program }
	name := filepath.Join(dir, "expect.toml")
	meta, err := toml.DecodeFile(name, &file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if u := meta.Undecoded(); len(u) > 0 {
		return nil, fmt.Errorf("%s: nothing is called %v", name, u)
	}
	seen := map[string]bool{}
	for i := range file.Program {
		p := &file.Program[i]
		if (p.Source == "") == (len(p.Command) == 0) {
			return nil, fmt.Errorf("%s: program %d has a source or a command, one of them", name, i+1)
		}
		if seen[p.Name()] {
			return nil, fmt.Errorf("%s: %s is there twice", name, p.Name())
		}
		seen[p.Name()] = true
		if err := p.check(dir); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, p.Name(), err)
		}
	}
	return file.Program, nil
}

func (p *Program) check(dir string) error {
	if p.Why == "" {
		return fmt.Errorf("nobody says why")
	}
	if (p.Planted == "") != (len(p.Kind) == 0) || (p.Planted == "") != (len(p.At) == 0) {
		return fmt.Errorf("what is planted has a kind and a line, a clean program neither")
	}
	if _, err := p.lines(dir, slices.Concat(p.At, p.Data)); err != nil {
		return err
	}
	var have []string
	said := false
	for _, r := range p.Run {
		have = append(have, r.Size)
		if len(r.Expect) == 0 {
			return fmt.Errorf("size %s: nothing is said of what to expect", r.Size)
		}
		for _, e := range r.Expect {
			said = said || e.Say
			switch {
			case len(e.Preset) == 0:
				return fmt.Errorf("size %s: no hierarchy is named", r.Size)
			case e.Why == "" && p.Planted != "":
				return fmt.Errorf("size %s in %v: nobody says why", r.Size, e.Preset)
			case e.Say && p.Planted == "":
				return fmt.Errorf("size %s: nothing is planted that could be said", r.Size)
			}
		}
	}
	if p.Planted != "" && (!slices.Equal(have, sizes) || !said) {
		return fmt.Errorf("it has the sizes %v, want %v, and must be said at one of them", have, sizes)
	}
	return nil
}

// place is a line of a file by its name alone, or a variable; line 0 is any line.
type place struct {
	file     string
	line     int
	variable string
}

// lines are the places of texts: where each is in the source. A text that ends in .h is a
// library's file, one that begins with = a variable.
func (p *Program) lines(dir string, texts []string) ([]place, error) {
	var list []place
	var source []string
	if p.Source != "" {
		data, err := os.ReadFile(filepath.Join(dir, "programs", p.Source))
		if err != nil {
			return nil, err
		}
		source = strings.Split(string(data), "\n")
	}
	for _, text := range texts {
		if name, ok := strings.CutPrefix(text, "="); ok {
			list = append(list, place{variable: name})
			continue
		}
		if strings.HasSuffix(text, ".h") && !strings.Contains(text, " ") {
			list = append(list, place{file: text})
			continue
		}
		at := 0
		for i, line := range source {
			if strings.Contains(line, text) {
				if at > 0 {
					return nil, fmt.Errorf("lines %d and %d have %q", at, i+1, text)
				}
				at = i + 1
			}
		}
		if at == 0 {
			return nil, fmt.Errorf("no line has %q", text)
		}
		list = append(list, place{file: p.Source, line: at})
	}
	return list, nil
}
