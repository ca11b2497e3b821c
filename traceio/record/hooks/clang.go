package hooks

import (
	"os"
	"slices"
	"strings"

	"orrery/traceio/symbols"
)

// clangArguments adds the compiler's flags, which clang does not mind where it does not compile, and the linker's where
// it links: flags for a linker are input to clang, and would make it link where it would not.
func clangArguments(rest []string, rt runtime, opt Options) []string {
	m := modeOf(expand(rest, 0))
	if m.foreign {
		return rest
	}
	out := []string{"-Qunused-arguments"}
	out = append(out, rest...)
	if m.compiles {
		out = append(out, compileFlags()...)
		// the sanitizer would leave out what is loaded just before it is stored to
		out = append(out, "-Xclang", "-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write=1")
		if opt.Locals {
			// not by -fsanitize-coverage, at which the driver would link the sanitizer's own runtime
			out = append(out, "-O0", "-mllvm", "-tsan-instrument-memory-accesses=0", "-Xclang", "-fsanitize-coverage-type=1",
				"-Xclang", "-fsanitize-coverage-trace-pc", "-Xclang", "-fsanitize-coverage-trace-loads", "-Xclang",
				"-fsanitize-coverage-trace-stores")
		}
	}
	if !m.links || m.partial {
		return out
	}
	wraps := wrapped
	if opt.Locals {
		wraps = append(slices.Clip(wraps), symbols.ClangEntry)
	}
	switch {
	case m.shared:
		return append(append(out, each("-Wl,--wrap=", wraps)...), "-Wl,-z,undefs")
	case m.static:
		out = append(append(out, each("-Wl,--wrap=", wraps)...), each("-Wl,--wrap=", replaced)...)
		return append(out, "-Wl,"+rt.static, "-lpthread")
	}
	return append(append(out, each("-Wl,--wrap=", wraps)...), "-Wl,--wrap=dlopen", "-Wl,--dynamic-list="+rt.exports,
		"-Wl,"+rt.object, "-ldl", "-lpthread")
}

// mode is what a command line makes the driver do.
type mode struct {
	compiles, links         bool
	shared, static, partial bool
	// for a kernel, without a C library or with a sanitizer of its own, or with a file that is not there: left alone
	foreign bool
}

// takesValue are the options whose value is the next word, and might look like an input.
var takesValue = map[string]bool{"-o": true, "-x": true, "-I": true, "-D": true, "-U": true, "-L": true, "-l": true,
	"-MF": true, "-MT": true,
	"-MQ": true, "-include": true, "-imacros": true, "-isystem": true, "-iquote": true,
	"-idirafter": true, "-iprefix": true,
	"-iwithprefix": true, "-iwithprefixbefore": true, "-isysroot": true, "-Xclang": true,
	"-Xlinker": true, "-Xassembler": true,
	"-Xpreprocessor": true, "-Xanalyzer": true, "-arch": true, "-target": true, "--target": true, "-mllvm": true,
	"-z": true, "-T": true,
	"-e": true, "-u": true, "-B": true, "--sysroot": true, "-framework": true, "--param": true, "-F": true,
	"-G": true, "--config": true,
	"-dumpbase": true, "-dumpdir": true, "-aux-info": true, "-A": true}

func modeOf(args []string) mode {
	m := mode{links: true}
	inputs := 0
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-c" || a == "-S" || a == "-emit-ast":
			m.links = false
		case a == "-E" || a == "-M" || a == "-MM" || a == "-fsyntax-only" || a == "--version" || a == "-dumpversion" ||
			a == "-dumpmachine" || strings.HasPrefix(a, "-print-") || strings.HasPrefix(a, "--print-"):
			m.links = false
		case a == "-shared":
			m.shared = true
		case a == "-static" || a == "-static-pie":
			m.static = true
		case a == "-r":
			m.partial = true
		case a == "-ffreestanding" || a == "-nostdlib" || a == "-nostartfiles" || strings.HasPrefix(a, "-fsanitize="):
			m.foreign = true
		case a == "-" || !strings.HasPrefix(a, "-"):
			if _, err := os.Stat(a); err != nil && a != "-" {
				m.foreign = true // the driver will say so
			}
			inputs++
			m.compiles = m.compiles || a == "-" || !strings.HasSuffix(a, ".o") && !strings.HasSuffix(a, ".a") &&
				!strings.Contains(a, ".so")
		}
		if takesValue[a] {
			i++
		}
	}
	m.links = m.links && inputs > 0
	return m
}

// expand reads response files, as far as the driver's mode needs it: words between white space, quotes and backslashes
// taken off.
func expand(args []string, depth int) []string {
	var out []string
	for _, a := range args {
		name, ok := strings.CutPrefix(a, "@")
		text, err := os.ReadFile(name)
		if !ok || err != nil || depth > 8 {
			out = append(out, a)
			continue
		}
		out = append(out, expand(wordsOf(string(text)), depth+1)...)
	}
	return out
}

func wordsOf(text string) []string {
	var out []string
	var word strings.Builder
	var quote rune
	inside, escaped := false, false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped, inside = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inside = r, true
		case quote == 0 && strings.ContainsRune(" \t\r\n\f\v", r):
			if inside {
				out = append(out, word.String())
				word.Reset()
			}
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		out = append(out, word.String())
	}
	return out
}
