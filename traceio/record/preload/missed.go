package preload

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// missed is what was not recorded.
type missed struct {
	failed int // processes that could not begin a log
	why    error
	notes  []string // on the others
}

// findMissed finds the processes that were not recorded. Images that cannot begin a log count themselves in the control
// file. Before an exec the wrapper leaves a link to the program in the directory of the logs: exec.PID.N, where
// log.PID.N will be if the new program is recorded.
func (s *session) findMissed() (m missed) {
	files, err := os.ReadDir(s.logs)
	if err != nil {
		return m
	}
	c, there := s.readControl(), map[string]bool{}
	if m.failed = c.failed; c.failed > 0 {
		m.why = c.why
	}
	for _, f := range files {
		if image, ok := strings.CutPrefix(f.Name(), "log."); ok {
			there[image] = true
		}
	}
	var names []string
	for _, f := range files {
		if image, ok := strings.CutPrefix(f.Name(), "exec."); ok && !there[image] && !c.images[image] {
			if program, err := os.Readlink(filepath.Join(s.logs, f.Name())); err == nil {
				names = append(names, program)
			}
		}
	}
	if n := len(names); n > 0 {
		slices.Sort(names)
		names = slices.Compact(names)
		more := ""
		if len(names) > most {
			names, more = names[:most], " and others"
		}
		m.notes = append(m.notes, fmt.Sprintf("%s ran without being recorded (%s%s): what is linked statically, brings its "+
			"own loader or changes the user cannot be preloaded",
			processes(n), strings.Join(names, ", "), more))
	}
	if c.filtered > 0 {
		m.notes = append(m.notes, fmt.Sprintf("%s ran without being recorded: begun under a seccomp filter, which might "+
			"kill them for what the recorder does",
			processes(c.filtered)))
	}
	return m
}

// noteMissed adds notes on them, also to the program's own recording, which is closed.
func (s *session) noteMissed(m missed) {
	if m.failed > 0 {
		s.res.LoseProcesses(s.file, m.failed, m.why)
	}
	for _, n := range m.notes {
		s.res.AddNote(s.file, n)
	}
}

func processes(n int) string {
	if n == 1 {
		return "a process"
	}
	return fmt.Sprintf("%d processes", n)
}

// most is how many of the programs are named.
const most = 5
