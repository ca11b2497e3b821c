package record

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// ExecUnrecorded replaces this process by the program, for a recording that could not be begun: streams, status and
// signals are the program's own. It returns only when that fails. A program that Run has started (Result.Started) must
// not be run again.
func ExecUnrecorded(opt Options) error {
	path := opt.Program
	if !strings.Contains(path, "/") {
		found, err := exec.LookPath(path)
		if err != nil {
			return err
		}
		path = found
	}
	env := opt.Env
	if env == nil {
		env = os.Environ()
	}
	if opt.Dir != "" {
		if err := os.Chdir(opt.Dir); err != nil {
			return err
		}
	}
	err := syscall.Exec(path, append([]string{opt.name()}, opt.Args...), env)
	return fmt.Errorf("starting %s: %w", path, err)
}

// name is the program's argument 0.
func (o *Options) name() string { return cmp.Or(o.Name, o.Program) }
