package record

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"orrery/traceio"
	"orrery/traceio/record/hooks"
)

// hooked is the command that runs a program with hooks: itself, and a word in its environment where the recorder is.
// Its children get that too, so those with hooks are recorded as well.
func (s *session) hooked() *exec.Cmd {
	cmd := exec.Command(s.path, s.opt.Args...)
	cmd.Args[0] = s.opt.name()
	cmd.Env = s.opt.Env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(slices.Clone(cmd.Env), hooks.RingVariable+"="+s.control.dir)
	return cmd
}

// nativeCommandOf reads which program a process runs and with which arguments.
func nativeCommandOf(pid int) (path string, command []string, err error) {
	if path, err = os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err != nil {
		return "", nil, err
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return path, strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"), err
}

// all takes in every file that is mapped, at its lowest address.
func (m *modules) all() error {
	rows, err := m.maps()
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, r := range rows {
		if !known[r.path] {
			known[r.path] = true
			m.add(r)
		}
	}
	return nil
}

// entrySpans gives where the functions that from names begin and end, in pairs: a hook knows the function that it is
// called from by an address inside.
func entrySpans(from []pattern, mods []traceio.Module) []uint64 {
	var out []uint64
	for _, mod := range mods {
		if len(from) == 0 {
			break
		}
		f, err := elf.Open(mod.Path)
		if err != nil {
			continue
		}
		for _, s := range functions(f) {
			if slices.ContainsFunc(from, func(p pattern) bool { return matchFunction(p.text, s.Name) }) {
				low := s.Value + uint64(mod.Bias)
				out = append(out, low, low+max(s.Size, 1))
			}
		}
		f.Close()
	}
	return out
}
