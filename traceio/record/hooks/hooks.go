// Package hooks builds programs for recording: it turns a compiler's command line into one that compiles every memory
// reference into a call of the recorder's runtime (assets/recorder/hooks.c) and links that in. A program so built runs
// by itself as before, a little slower; under the recorder it tells its references without an emulator.
//
// The compilers' thread sanitizers make the calls: what they leave out is left out of the recording, and that is what
// the compiler can prove no other thread to see: local variables whose address is not taken. Options.Locals has those
// too.
package hooks

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Options says how to build.
type Options struct {
	Locals bool // every local variable is recorded, and nothing is optimised
}

// Command gives the command to run in place of args, a compiler (gcc, g++, clang, clang++, their versions and links to
// them, behind ccache or distcc or not) and its arguments. The first word is the program's path. The runtime is built
// on first use. self is the path of the program that records, for programs that start it themselves.
func Command(ctx context.Context, opt Options, self string, args []string) ([]string, error) {
	at := 0
	for at < len(args)-1 && launchers[filepath.Base(args[at])] {
		at++
	}
	if at == len(args) {
		return nil, errors.New("no compiler is named; write orrery cc -- gcc ARGUMENTS")
	}
	for _, program := range args[:at+1] {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf(
				"the compiler %s could not be found; is it installed? sudo apt install gcc g++ clang has the usual ones", program)
		}
	}
	path, _ := exec.LookPath(args[0])
	compiler, _ := exec.LookPath(args[at])
	make, err := familyOf(args[at], compiler)
	if err != nil {
		return nil, err
	}
	rt, err := prepare(ctx, compiler, self)
	if err != nil {
		return nil, err
	}
	out := append([]string{path}, args[1:at+1]...)
	rest := args[at+1:]
	if make == clang {
		return append(out, clangArguments(rest, rt, opt)...), nil
	}
	added, err := gccArguments(ctx, compiler, rest, rt, opt)
	return append(out, added...), err
}

// launchers are programs that run the compiler named after them.
var launchers = map[string]bool{"ccache": true, "distcc": true, "sccache": true, "icecc": true,
	"nice": true, "env": true}

type family int

const (
	gcc family = iota
	clang
)

// familyOf goes by the name and, for names like cc, by what they are links to.
func familyOf(name, path string) (family, error) {
	names := []string{filepath.Base(name)}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		names = append(names, filepath.Base(real))
	}
	for _, n := range names {
		switch {
		case strings.Contains(n, "clang"):
			return clang, nil
		case strings.Contains(n, "gcc"), strings.Contains(n, "g++"):
			return gcc, nil
		}
	}
	return 0, fmt.Errorf("%s is neither gcc nor clang, the compilers whose programs can be given hooks", name)
}

// wrapped are the functions of the C library whose references are told under the address of the call.
var wrapped = []string{"memcpy", "mempcpy", "memmove", "memset", "memcmp", "bcmp", "memchr", "bzero",
	"bcopy", "strlen", "strnlen",
	"strcpy", "stpcpy", "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strchr", "strrchr"}

// replaced are the functions that a program linked dynamically has of its own, for its libraries too; in one without
// libraries the linker has to turn the calls.
var replaced = []string{"malloc", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc",
	"posix_memalign", "valloc", "pvalloc",
	"free", "malloc_usable_size", "pthread_create", "thrd_create", "execve", "execvpe", "fexecve", "execv", "execvp",
	"execl", "execlp", "execle"}

func each(prefix string, names []string) []string {
	out := slices.Clone(names)
	for i := range out {
		out[i] = prefix + out[i]
	}
	return out
}

// compileFlags keep the calls of wrapped functions calls: neither made into instructions nor into checked variants.
func compileFlags() []string {
	return append([]string{"-U_FORTIFY_SOURCE"}, each("-fno-builtin-", wrapped)...)
}
