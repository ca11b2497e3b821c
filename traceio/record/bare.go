package record

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// Bare runs the program of a recording that could not be begun by itself, in this process's place: its streams, its
// status and the signals that it gets are its own. It returns only when that fails. A program that Run has started
// (Result.Started) must not be run again.
func Bare(opt Options) error {
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
