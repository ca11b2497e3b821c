package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"orrery/traceio"
)

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	elfHead := func(class, machine byte) string {
		return "\x7fELF" + string([]byte{class, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0}) + strings.Repeat("\x00",
			44)
	}
	for _, test := range []struct{ name, program, want string }{
		{"nothing", "", "no program"},
		{"missing", filepath.Join(dir, "nowhere"), "there is no program"}, {"not in PATH", "no-such-program-anywhere",
			"can be found in PATH"},
		{"directory", dir, "is a directory"},
		{"not executable", write("data", elfHead(2, 62), 0o644), "not executable"},
		{"text", write("text", "hello, I am a text\n", 0o755), "not a Linux program"},
		{"empty", write("empty", "", 0o755), "not a Linux program"},
		{"script", write("script", "#!/bin/sh\necho\n", 0o755), "is a script; record its interpreter"},
		{"32 bits", write("old", elfHead(1, 3), 0o755), "32-bit"},
		{"other processor", write("arm", elfHead(2, 183), 0o755), "another processor"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "x.orr")
			_, err := Run(context.Background(), Options{Program: test.program, Output: out}, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one sentence with %q", err, test.want)
			}
			if exists(out) {
				t.Error("a file was left behind")
			}
		})
	}
}

// TestMissingTools: without the emulator, or without gcc before the first build, the user reads what to type.
func TestMissingTools(t *testing.T) {
	qemu, err := exec.LookPath("qemu-x86_64")
	if err != nil {
		t.Fatalf("the test needs qemu-user: %s", installLine)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	onlyQemu := t.TempDir()
	if err := os.Symlink(qemu, filepath.Join(onlyQemu, "qemu-x86_64")); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"nothing": t.TempDir(), "no gcc": onlyQemu} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", path)
			_, err := Run(context.Background(), Options{Program: "/bin/true", Output: filepath.Join(t.TempDir(), "x.orr")}, nil)
			if !errors.Is(err, ErrMissing) || !strings.HasSuffix(err.Error(), "sudo apt install qemu-user gcc") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestBuildAtOnce: several recordings started on a fresh account build the recorder without disturbing each other.
func TestBuildAtOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			tools, cleanup, err := prepare(context.Background())
			if err != nil || !exists(tools.plugin) || !exists(tools.preload) {
				t.Errorf("%+v %v", tools, err)
			}
			cleanup()
		})
	}
	all.Wait()
	left, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "orrery", "*", "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("the cache holds %v", left)
	}
}

// TestNoCache: without a place to keep the recorder it is built for the one recording and removed.
func TestNoCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/proc/nowhere")
	t.Setenv("TMPDIR", t.TempDir())
	// somebody has made the one among the temporary files first
	touch(t, filepath.Join(os.TempDir(), fmt.Sprintf("orrery-%d", os.Geteuid())))
	tools, cleanup, err := prepare(context.Background())
	if err != nil || !exists(tools.plugin) {
		t.Fatalf("%+v %v", tools, err)
	}
	cleanup()
	if exists(tools.plugin) {
		t.Error("the recorder was left behind")
	}
}

func TestSplitEnv(t *testing.T) {
	for _, test := range []struct {
		name              string
		env               []string
		emulator, program []string
	}{
		{"plain", []string{"A=1"}, []string{"A=1"}, []string{"LD_PRELOAD=w.so"}},
		{"own preload", []string{"LD_PRELOAD=x.so y.so", "B=2"}, []string{"B=2"}, []string{"LD_PRELOAD=w.so:x.so y.so"}},
		{"empty preload", []string{"LD_PRELOAD="}, []string{}, []string{"LD_PRELOAD=w.so"}},
		{"library path", []string{"LD_LIBRARY_PATH=/a:/b"}, []string{}, []string{"LD_LIBRARY_PATH=/a:/b", "LD_PRELOAD=w.so"}},
		{"comma", []string{"LD_LIBRARY_PATH=/a,b"}, []string{"LD_LIBRARY_PATH=/a,b"}, []string{"LD_PRELOAD=w.so"}},
		{"none", []string{}, []string{}, []string{"LD_PRELOAD=w.so"}},
	} {
		emulator, program := splitEnv(test.env, "w.so")
		if !slices.Equal(emulator, test.emulator) || !slices.Equal(program, test.program) {
			t.Errorf("%s: got %q and %q, want %q and %q", test.name, emulator, program, test.emulator, test.program)
		}
	}
}

func TestInterface(t *testing.T) {
	for text, want := range map[string]int{
		"qemu-x86_64 version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)\n": 1, "qemu-x86_64 version 8.2.2\n": 1,
		"qemu-x86_64 version 10.0.2 (Debian 1:10.0.2)\n": 2, "qemu-x86_64 version 9.0.0": 2, "": 1, "version": 1,
	} {
		if got := interfaceOf(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestMerge(t *testing.T) {
	got := merge([]span{{30, 40}, {0, 10}, {10, 12}, {35, 38}, {39, 50}})
	if want := []span{{0, 12}, {30, 50}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTrim(t *testing.T) {
	prog := &traceio.Program{
		Globals: []traceio.Global{{Name: "a", Module: 0, Type: 3}, {Name: "lost", Module: 1, Type: 1},
			{Name: "b", Module: 0, Type: 99}},
		Types: []traceio.Type{{}, {Name: "far"}, {Name: "int", Size: 4},
			{Name: "node", Fields: []traceio.Field{{Name: "self", Type: 3}, {Name: "list", Type: 4}}},
			{Dims: []int{2}, Elem: 2}},
	}
	trim(prog, []traceio.Addr{5, 6}, func(pc uint64) int { return 0 })
	if len(prog.Globals) != 2 || prog.Globals[1].Name != "b" || prog.Globals[1].Type != 0 {
		t.Fatalf("globals %+v", prog.Globals)
	}
	node := prog.Types[prog.Globals[0].Type]
	if len(prog.Types) != 4 || node.Name != "node" || prog.Types[node.Fields[0].Type].Name != "node" {
		t.Fatalf("types %+v", prog.Types)
	}
	if list := prog.Types[node.Fields[1].Type]; prog.Types[list.Elem].Name != "int" {
		t.Errorf("types %+v", prog.Types)
	}
}

func FuzzMaps(f *testing.F) {
	f.Add("00400000-00401000 r-xp 00001000 08:01 42   /usr/bin/a program with spaces\n")
	f.Add("7f0-7f1 ---p\nx-y r 0 0 0 /x\n400-300 r 0 0 0 /y (deleted)\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range parseMaps(text) {
			if !strings.Contains(text, m.path) {
				t.Errorf("the path %q is not in the text", m.path)
			}
		}
	})
}
