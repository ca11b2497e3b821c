package judge

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Finding is what the bench reads of a finding in the object that `orrery findings --json` prints.
type Finding struct {
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Share   float64  `json:"share"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Regions []string `json:"regions"`
	Details struct {
		Advice string `json:"advice"`
	} `json:"details"`
}

// Where is its line by the name of the file alone.
func (f *Finding) Where() string {
	if f.File == "" {
		return "nowhere"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
}

// Verdict is the judgement of one run in one hierarchy.
type Verdict struct {
	Program, Size, Preset string

	Planted bool     // something had to be said
	Rank    int      // of what was planted among all that was said, from 1; 0: it was not said
	False   []string // what was said and is not so, each with its reason
	Allowed int      // what was said, is true and was not asked for
	First   string   // the kind and line of what was said first
}

// Passed tells whether all was as it must be: what was planted said first and nothing false.
func (v *Verdict) Passed() bool { return len(v.False) == 0 && (!v.Planted || v.Rank == 1) }

// String is the verdict in words.
func (v *Verdict) String() string {
	var words []string
	switch {
	case v.Planted && v.Rank == 0:
		words = append(words, "missed")
	case v.Planted && v.Rank > 1:
		words = append(words, fmt.Sprintf("said, but as number %d", v.Rank))
	case v.Planted:
		words = append(words, "said first")
	case len(v.False) == 0:
		words = append(words, "rightly silent")
	}
	if n := len(v.False); n > 0 {
		words = append(words, fmt.Sprintf("%d false: %s", n, strings.Join(v.False, "; ")))
	}
	return strings.Join(words, "; ")
}

// Judge compares what was found in a run with what is expected of it. A finding counts once as right: when it says what
// is planted, of its line and its data, and none of the words that are wrong there. Another one that does is a
// duplicate and false, as is everything else that is not allowed.
func (p *Program) Judge(dir string, r *Run, e *Expect, preset string, found []Finding) (Verdict, error) {
	v := Verdict{Program: p.Name(), Size: r.Size, Preset: preset, Planted: e.Say}
	at, err := p.lines(dir, p.At)
	if err != nil {
		return v, err
	}
	data, err := p.lines(dir, p.Data)
	if err != nil {
		return v, err
	}
	for i := range found {
		f := &found[i]
		said := fmt.Sprintf("%s at %s", f.Kind, f.Where())
		if i == 0 {
			v.First = said
		}
		switch word := p.never(f); {
		case word != "":
			v.False = append(v.False, fmt.Sprintf("%s says %q", said, word))
		case e.Say && slices.Contains(p.Kind, f.Kind) && f.at(at) && f.about(data):
			if v.Rank > 0 {
				v.False = append(v.False, said+" is a duplicate")
				break
			}
			v.Rank = i + 1
		case slices.Contains(e.May, f.Kind) && f.own(p):
			v.Allowed++
		default:
			v.False = append(v.False, said)
		}
	}
	return v, nil
}

// never is the first word in a finding that must not be said of the program.
func (p *Program) never(f *Finding) string {
	text := strings.ToLower(f.Title + " " + f.Details.Advice)
	for _, word := range p.Never {
		if strings.Contains(text, strings.ToLower(word)) {
			return word
		}
	}
	return ""
}

func (f *Finding) at(places []place) bool {
	return slices.ContainsFunc(places, func(p place) bool {
		return p.file == filepath.Base(f.File) && (p.line == 0 || p.line == f.Line)
	})
}

// about tells whether a finding names data of one of the places: a block by the line that allocates it,
// heap@file.c:12, or a variable by its name.
func (f *Finding) about(places []place) bool {
	return len(places) == 0 || slices.ContainsFunc(places, func(p place) bool {
		return slices.ContainsFunc(f.Regions, func(name string) bool {
			if p.variable != "" {
				base, _, _ := strings.Cut(name, "#") // the second of two variables of one name is NAME#2
				return base == p.variable
			}
			return name == fmt.Sprintf("%s:%d", p.file, p.line) ||
				strings.HasSuffix(name, fmt.Sprintf("@%s:%d", p.file, p.line))
		})
	})
}

// own tells whether a finding is about the program's own source: what is allowed is allowed there alone. A Debian
// program has none that could be known.
func (f *Finding) own(p *Program) bool { return p.Source == "" || filepath.Base(f.File) == p.Source }

// Summary is what all verdicts come to.
type Summary struct {
	Runs, Passed          int
	Planted, Found, First int
	False                 int
	Clean, CleanSilent    int
	Ranks                 int // sum of the ranks of what was found
}

// Sum adds verdicts up.
func Sum(verdicts []Verdict) (s Summary) {
	for i := range verdicts {
		v := &verdicts[i]
		s.Runs++
		if v.Passed() {
			s.Passed++
		}
		s.False += len(v.False)
		if !v.Planted {
			s.Clean++
			if len(v.False) == 0 {
				s.CleanSilent++
			}
			continue
		}
		s.Planted++
		if v.Rank > 0 {
			s.Found++
			s.Ranks += v.Rank
		}
		if v.Rank == 1 {
			s.First++
		}
	}
	return s
}

// ratio of nothing is 1: who says nothing says nothing false.
func ratio(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Precision is how many of the findings that count are right.
func (s *Summary) Precision() float64 { return ratio(s.Found, s.Found+s.False) }

// Recall is how many of the planted problems were said, at any rank.
func (s *Summary) Recall() float64 { return ratio(s.Found, s.Planted) }

// Rank is the mean rank of what was planted where it was said; 0 where it never was.
func (s *Summary) Rank() float64 {
	if s.Found == 0 {
		return 0
	}
	return float64(s.Ranks) / float64(s.Found)
}
