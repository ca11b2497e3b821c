package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"orrery/app/cli"
	"orrery/app/shell/saved"
	"orrery/traceio/resultcache"
	"orrery/traceio/symbols"
)

// internal are entries that no command has: what the window reads.
var internal = map[string]func(args []string, out, errs io.Writer) int{
	"(session)": func(args []string, out, errs io.Writer) int {
		s, err := saved.Read(args[0])
		if err != nil {
			fmt.Fprintf(errs, "orrery: %v\n", err)
			return cli.Failed
		}
		data, err := s.Bytes("")
		if err == nil {
			_, err = saved.Parse(args[0], data)
		}
		if err != nil {
			fmt.Fprintf(errs, "what was read is not read again when it is written: %v\n", err)
			return -1
		}
		return cli.Done
	},
	"(map)": func(args []string, out, errs io.Writer) int {
		if _, err := symbols.OpenMade(args[0], time.Time{}); err != nil {
			fmt.Fprintf(errs, "orrery: %v\n", err)
			return cli.Failed
		}
		return cli.Done
	},
}

// try runs one command on a mutant and judges what it does.
func (w *worker) try(m *mutant, k int) (r result, out []byte) {
	command := m.format.commands[k]
	args := w.args(command, m.name)
	variable := "off"
	if m.format.inCache {
		variable = w.cache
	}
	os.Setenv(resultcache.Variable, variable)
	limit := timeLimit
	if m.bomb {
		limit = bombLimit
	}
	stop := func() {}
	if m.pipe && slices.ContainsFunc(command, func(a string) bool { return strings.HasPrefix(a, "@") }) {
		stop = feed(m.name, m.data)
	}
	status, out, errs := w.run(args, limit)
	r = result{Command: k, Status: status, Peak: w.peak.Load()}
	stop()
	fault := func(text string, args ...any) { r.Faults = append(r.Faults, fmt.Sprintf(text, args...)) }
	v := verdict{w, m, command, status, out, errs, fault}
	v.words()
	v.damage(k)
	v.outputs(args)
	v.leavings()
	if len(r.Faults) > 0 || status == cli.Failed {
		r.Said = string(errs[:min(len(errs), 4000)])
	}
	return r, out
}

// verdict is what one run is judged by.
type verdict struct {
	w         *worker
	m         *mutant
	command   []string
	status    int
	out, errs []byte
	fault     func(text string, args ...any)
}

// words judges what is said: on standard error whole sentences, one for an error, with the place and what to do;
// nothing that a terminal would take for a command.
func (v *verdict) words() {
	for name, text := range map[string][]byte{"standard output": v.out, "standard error": v.errs} {
		if i := bytes.IndexFunc(text, commands); i >= 0 {
			r, _ := utf8.DecodeRune(text[i:])
			v.fault("control character: %s has %U", name, r)
		} else if !utf8.Valid(text) {
			v.fault("control character: %s is not UTF-8", name)
		}
		if bytes.Contains(text, []byte("runtime error")) || bytes.Contains(text, []byte("goroutine ")) ||
			bytes.HasPrefix(text, []byte("panic")) {
			v.fault("panic: %s", panicked(text))
			return
		}
	}
	said := strings.Split(strings.TrimSuffix(string(v.errs), "\n"), "\n")
	if len(v.errs) == 0 {
		said = nil
	}
	for _, line := range said {
		if !strings.HasPrefix(line, "orrery: ") {
			v.fault("words: a line on standard error is no sentence of ours: %.80q", line)
			break
		}
		if len(line) > longestLine {
			v.fault("words: a line of %d bytes: %.80q", len(line), line)
			break
		}
	}
	switch v.status {
	case cli.Done:
	case cli.Partial:
		if len(said) == 0 {
			v.fault("words: status 3 and not a word")
		}
	case cli.Failed:
		switch last := said[max(0, len(said)-1):]; {
		case len(last) == 0:
			v.fault("words: status 1 and not a word")
		case !strings.Contains(last[0], ":") || !v.names(last[0]):
			v.fault("no place: %s", generic(last[0], v.m.name))
		case !strings.Contains(last[0], "; "):
			v.fault("no remedy: %s", generic(last[0], v.m.name))
		}
		if len(said) > 1 {
			v.fault("words: %d lines for one error: %s", len(said), generic(said[0], v.m.name))
		}
	case cli.Usage:
		if slices.ContainsFunc(naming, func(option string) bool { return slices.Contains(v.command, option) }) {
			return
		}
		v.fault("status: 2 for a file's contents: %s", generic(string(v.errs), v.m.name))
	default:
		v.fault("status: %d", v.status)
	}
}

// longestLine is what a sentence that quotes a file may have, control characters written out.
const longestLine = 12_000

// names tells whether a sentence names the file that is wrong: the mutant, or one beside it.
func (v *verdict) names(said string) bool {
	if strings.Contains(said, v.m.name) {
		return true
	}
	return slices.ContainsFunc(
		v.command,
		func(a string) bool { return len(a) > 3 && strings.Contains(said, strings.TrimPrefix(a, "^")) },
	)
}

// naming are options whose values name what a file has to have: without it they are used wrongly.
var naming = []string{"--diff", "--at", "--cores", "--curve", "--resume"}

// commands tells whether a terminal does something else with a character than show it.
func commands(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e ||
		r >= 0x2066 && r <= 0x2069
}

// panicked is the reason of a panic and where in our code it was.
func panicked(text []byte) string {
	lines := strings.Split(string(text), "\n")
	why := ""
	for _, line := range lines {
		if why == "" &&
			(strings.Contains(line, "panic") || strings.Contains(line, "runtime error") ||
				strings.HasPrefix(line, "fatal error")) {
			why = strings.TrimSpace(line)
		}
		if at, ok := strings.CutPrefix(strings.TrimSpace(line), "orrery/"); ok && strings.Contains(at, ".go:") &&
			!strings.Contains(at, "app/endurance") {
			at, _, _ = strings.Cut(at, " +")
			return generic(why, "") + " at " + at
		}
	}
	return generic(why, "")
}

// generic is a sentence without what differs from mutant to mutant: numbers and quoted texts.
func generic(said, name string) string {
	said, _, _ = strings.Cut(said, "\n")
	if name != "" {
		said = strings.ReplaceAll(said, name, "@")
	}
	var out strings.Builder
	quoted, number := false, false
	for _, c := range said {
		switch {
		case c == '"':
			quoted = !quoted
			if quoted {
				out.WriteString(`"…"`)
			}
		case quoted:
		case c >= '0' && c <= '9':
			if !number {
				out.WriteByte('N')
			}
		default:
			out.WriteRune(c)
		}
		number = c >= '0' && c <= '9'
	}
	text := out.String()
	return text[:min(len(text), 160)]
}

// damage judges silence: of a file that checksums cover, either the damage is told, or what is printed is what the good
// file gives.
func (v *verdict) damage(k int) {
	if v.m.sealed && !whole(v.m.data) && v.status == cli.Done &&
		!bytes.Equal(v.out, v.w.baseline[[3]any{v.m.format.name, v.m.good, k}]) {
		v.fault("silent: damage changes what is printed, and nothing is said")
	}
}

// outputs judges what was written: it is well formed, there is nothing else, and nothing when the command failed.
func (v *verdict) outputs(args []string) {
	dir := filepath.Join(v.w.dir, "out")
	defer empty(dir)
	if slices.Contains(args, "--json") && (v.status == cli.Done || v.status == cli.Partial) && !json.Valid(v.out) {
		v.fault("output: what --json prints is no JSON")
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		v.fault("output: %v", err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		wanted := slices.Contains(args, path) || strings.TrimSuffix(f.Name(), ".json") != f.Name()
		switch {
		case !wanted:
			v.fault("files: %s is written beside the output", generic(f.Name(), ""))
		case v.status == cli.Failed || v.status == cli.Usage:
			v.fault("files: an output is left when the command fails")
		case strings.HasSuffix(path, ".svg") || strings.HasSuffix(path, ".xml"):
			v.wellFormed(path)
		case strings.HasSuffix(path, ".orr"):
			v.opens(path)
		}
	}
}

// wellFormed reads an XML file to its end.
func (v *verdict) wellFormed(path string) {
	f, err := os.Open(path)
	if err != nil {
		v.fault("output: %v", err)
		return
	}
	defer f.Close()
	for d := xml.NewDecoder(f); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			v.fault("output: what is written is not well formed: %s", generic(err.Error(), ""))
			return
		}
	}
}

// opens reads a recording that was written: it is whole, and what was lost in the one that it comes from stays told.
func (v *verdict) opens(path string) {
	status, out, errs := v.w.run([]string{"info", "--json", path}, timeLimit)
	if status != cli.Done && status != cli.Partial || !json.Valid(out) {
		v.fault("output: a converted recording is not read: %s", generic(string(errs), filepath.Base(path)))
	} else if v.status == cli.Partial && status != cli.Partial {
		v.fault("output: a converted recording does not tell what was lost")
	}
}

// leavings judges what is left behind: files beside the input, temporary ones, open ones and goroutines.
func (v *verdict) leavings() {
	known := map[string]bool{v.m.name: true}
	for _, s := range v.m.beside {
		known[s.name] = true
	}
	for _, dir := range []string{".", filepath.Join(v.w.dir, "tmp"), filepath.Join(v.w.dir, "home")} {
		files, err := os.ReadDir(dir)
		if err != nil {
			v.fault("files: %v", err)
		}
		for _, f := range files {
			if dir != "." || !known[f.Name()] {
				v.fault("files: %s is left in %s", generic(f.Name(), ""), filepath.Base(dir))
				_ = os.RemoveAll(filepath.Join(dir, f.Name()))
			}
		}
	}
	if v.w.goroutines == 0 {
		return // the good files are being run
	}
	deadline := time.Now().Add(time.Second)
	for ; runtime.NumGoroutine() > v.w.goroutines || openFiles() > v.w.files; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			v.fault("left running: goroutines or open files stay")
			v.w.goroutines, v.w.files = runtime.NumGoroutine(), openFiles()
			return
		}
	}
}

// openFiles counts the files that this process has open.
func openFiles() int {
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(files)
}
