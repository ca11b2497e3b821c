package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLogsNameAnything reads logs whose modules are pipes, devices and files of holes: none of them is waited for or read.
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
	logs := map[string]func(module string) string{
		"heaptrack": func(m string) string {
			return fmt.Sprintf("v 10400 3\nx %x %s\nX %s\nI 1000 5e2990\nm %x %s 7f34f7e74000 0 25388 26000 1550fc\nt 7f34f7e75000 1\na 10 1\n+ 0\nc 1\n- 0\n", len(m), m, m, len(m), m)
		},
		"mtrace": func(m string) string {
			return fmt.Sprintf("= Start\n@ %s:(main+0x20)[0x55e369091159] + 0x55e36a0012a0 0x10\n@ %s:[0x55e369091169] - 0x55e36a0012a0\n= End\n", m, m)
		},
		"ltrace": func(m string) string {
			return fmt.Sprintf("7 10:00:00.000001 [0x401150] %s->malloc(16) = 0x4052a0\n7 10:00:00.000002 [0x401160] %s->free(0x4052a0) = <void>\n", m, m)
		},
		"lackey": func(m string) string {
			return fmt.Sprintf("==1== Lackey, an example Valgrind tool\n==1== Command: %s\n--1-- Reading syms from %s\n--1--    svma 0x0000001070, avma 0x0000109070\nI  00109070,3\n L 1ffe,8\n S 2ffe,8\n", m, m)
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
					t.Errorf("%s of %s naming %s: status %d, %s", command, format, filepath.Base(module), status, strings.TrimSpace(errs))
				}
			}
		}
	}
}
