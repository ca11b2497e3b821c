package preload

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"orrery/traceio/record"
)

// tellMissed tells of processes that are not recorded, and gives how many of them could not begin a log. The wrapper leaves links in the
// directory of the logs: log.PID.N.why, to the number of the error, where it could not begin one; and exec.PID.N, to the program, where
// log.PID.N is to be expected, since the process becomes that by exec.
func (s *session) tellMissed() int {
	files, err := os.ReadDir(s.logs)
	if err != nil {
		return 0
	}
	there, failures := map[string]bool{}, map[string]bool{}
	var why int
	var missed []string
	for _, f := range files {
		image, ok := strings.CutPrefix(f.Name(), "log.")
		if !ok {
			continue
		}
		there["exec."+image] = true
		if link, err := os.Readlink(filepath.Join(s.logs, f.Name())); err == nil {
			why, _ = strconv.Atoi(link)
			pid, _, _ := strings.Cut(image, ".")
			failures[pid] = true
		}
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), "exec.") || there[f.Name()] {
			continue
		}
		if program, err := os.Readlink(filepath.Join(s.logs, f.Name())); err == nil {
			missed = append(missed, program)
		}
	}
	if n := len(failures); n > 0 {
		s.note("%s could not be recorded and ran without: %v", processes(n), record.Remedied(syscall.Errno(why)))
	}
	if len(missed) > 0 {
		slices.Sort(missed)
		names := slices.Compact(slices.Clone(missed))
		more := ""
		if len(names) > most {
			names, more = names[:most], " and others"
		}
		s.note("%s ran without being recorded (%s%s): what is linked statically, brings its own loader or changes the user cannot be preloaded",
			processes(len(missed)), strings.Join(names, ", "), more)
	}
	return len(failures)
}

func processes(n int) string {
	if n == 1 {
		return "a process"
	}
	return fmt.Sprintf("%d processes", n)
}

// most is how many programs are named of those that were missed.
const most = 5
