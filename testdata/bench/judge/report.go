package judge

import (
	"fmt"
	"io"
	"strings"
)

// Report writes the verdicts as a page of Markdown: the sums, then a row for each run and hierarchy.
func Report(w io.Writer, programs []Program, verdicts []Verdict) error {
	planted := map[string]string{}
	for i := range programs {
		planted[programs[i].Name()] = programs[i].Planted
	}
	s := Sum(verdicts)
	var b strings.Builder
	b.WriteString("# What is found of the bench's programs\n\n")
	b.WriteString("Written by `go run ./testdata/bench -o testdata/bench/results.md`; what the words mean stands in\n")
	b.WriteString("[the bench](../../assets/docs/bench.md).\n\n")
	b.WriteString("| precision | recall | rank of what is planted | said first | clean and silent | false findings |" +
		" rows as they must be |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	fmt.Fprintf(&b, "| %.3f | %.3f | %.2f on average | %d of %d | %d of %d | %d | %d of %d |\n\n",
		s.Precision(), s.Recall(), s.Rank(), s.First, s.Planted, s.CleanSilent, s.Clean, s.False, s.Passed, s.Runs)
	b.WriteString("| program | planted | size | hierarchy | must be said | said first | verdict |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for i := range verdicts {
		v := &verdicts[i]
		must, first := "nothing", v.First
		if v.Planted {
			must = "it"
		}
		if first == "" {
			first = "nothing"
		}
		problem := planted[v.Program]
		if problem == "" {
			problem = "nothing"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", v.Program, problem, v.Size, v.Preset, must, first,
			strings.ReplaceAll(v.String(), "|", "\\|"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
