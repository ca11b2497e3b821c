package record

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// checkProgram finds the program and refuses, with a reason, what the recorder cannot run. The path is absolute.
func checkProgram(name string) (string, error) {
	if name == "" {
		return "", errors.New("no program to record is named; write orrery record -- PROGRAM ARGUMENTS")
	}
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		if info, statErr := os.Stat(name); statErr == nil {
			if info.IsDir() {
				return "", fmt.Errorf("%s is a directory, not a program", name)
			}
			return "", fmt.Errorf("%s is not executable; if it is a program, chmod +x makes it so", name)
		}
		var why *exec.Error
		if errors.As(err, &why) && errors.Is(why.Err, exec.ErrNotFound) {
			return "", fmt.Errorf("no program %s can be found in PATH; write ./%s for a program in this directory", name, name)
		}
		return "", fmt.Errorf("there is no program %s; check its name and the directory", name)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	return path, checkELF(name, path)
}

func checkELF(name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	defer file.Close()
	var head [20]byte
	n, _ := io.ReadFull(file, head[:])
	switch {
	case n >= 2 && string(head[:2]) == "#!":
		return fmt.Errorf("%s is a script; record its interpreter: orrery record -- INTERPRETER %s", name, name)
	case n < len(head) || string(head[:4]) != elf.ELFMAG:
		return fmt.Errorf("%s is not a Linux program (no ELF file)", name)
	case elf.Class(head[4]) != elf.ELFCLASS64:
		return fmt.Errorf("%s is a 32-bit program; only 64-bit x86 programs can be recorded", name)
	case elf.Machine(uint16(head[18])|uint16(head[19])<<8) != elf.EM_X86_64:
		return fmt.Errorf("%s is a program for another processor (%v); only 64-bit x86 programs can be recorded",
			name, elf.Machine(uint16(head[18])|uint16(head[19])<<8))
	}
	return nil
}
