package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLogsNameAnything reads logs whose modules are pipes, devices and files of holes: none of them is waited for or
// read.
func TestLogsNameAnything(t *testing.T) {
	dir := t.TempDir()
	pipe, hole := filepath.Join(dir, "pipe"), filepath.Join(dir, "hole")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hole, []byte("\x7fELF\x02\x01\x01"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(hole, 40<<30); err != nil {
		t.Fatal(err)
	}
	sample := func(format string) string {
		text, err := os.ReadFile("../../traceio/heaplog/testdata/sample." + format)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	library := regexp.MustCompile(`(?m)^m \w+ /\S+`)
	logs := map[string]func(module string) string{
		"heaptrack": func(m string) string {
			return library.ReplaceAllString(sample("heaptrack"), fmt.Sprintf("m %x %s", len(m), m))
		},
		"mtrace": func(m string) string { return strings.ReplaceAll(sample("mtrace"), "./sample", m) },
		"lackey": func(m string) string {
			return fmt.Sprintf("==1== Lackey, an example Valgrind tool\n==1== Command: %s\n--1-- Reading syms from %s\n--1--  "+
				"  svma 0x0000001070, avma 0x0000109070\nI  00109070,3\n L 1ffe,8\n S 2ffe,8\n", m, m)
		},
	}
	for format, text := range logs {
		for _, module := range []string{"/dev/zero", "/dev/random", pipe, hole} {
			path := filepath.Join(dir, "log."+format)
			if err := os.WriteFile(path, []byte(text(module)), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"heap", "info"} {
				if format == "lackey" && command == "heap" {
					continue
				}
				status, out, errs := run(t, command, path)
				if status != Done && status != Partial || out == "" {
					t.Errorf("%s of %s naming %s: status %d, %s", command, format, filepath.Base(module), status,
						strings.TrimSpace(errs))
				}
			}
		}
	}
}
