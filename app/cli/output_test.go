package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOutputsThatAreNotFiles writes pictures and tables to devices, pipes, links and directories: a device stays a
// device and a link a link.
func TestOutputsThatAreNotFiles(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full.svg")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(t, "render", "heap", recordings+"list.orr", "-o", full); status != Failed ||
		!sentence(stderr) {
		t.Errorf("a full device: status %d, %q", status, stderr)
	}
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Error("the device was replaced by a file")
	}
	folder := filepath.Join(dir, "folder.svg")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{folder, filepath.Join(dir, "none", "x.svg")} {
		status, _, stderr := run(t, "render", "heap", recordings+"list.orr", "-o", out)
		if status != Failed || !sentence(stderr) || !strings.Contains(stderr, out) || strings.Contains(stderr, ".part") {
			t.Errorf("-o %s: status %d, %q", out, status, stderr)
		}
	}
	target, link := filepath.Join(dir, "target.svg"), filepath.Join(dir, "link.svg")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target.svg", link); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(t, "render", "heap", recordings+"list.orr", "-o", link); status != Done {
		t.Fatalf("through a link: status %d, %q", status, stderr)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	if info, err := os.Stat(target); err != nil || info.Size() < 1000 || info.Mode().Perm() != 0o600 {
		t.Errorf("what the link points to: %v, %v; want the picture with the permissions that the file had", info, err)
	}
	checkNamedPipe(t, filepath.Join(dir, "pipe.svg"))
}

// TestFullStandardOutput checks that no command claims to be done when its answer could not be written.
func TestFullStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, command := range [][]string{{"info"}, {"heap"}, {"cache"}, {"cache", "--by", "line"},
		{"cycles", "--count", "300"}} {
		for _, asJSON := range [][]string{nil, {"--json"}} {
			args := append(append([]string{command[0], recordings + "list.orr"}, command[1:]...), asJSON...)
			var stderr strings.Builder
			status := Main(context.Background(), args, Streams{In: strings.NewReader(""), Out: full, Err: &stderr}, nil)
			if status != Failed || !sentence(stderr.String()) {
				t.Errorf("orrery %s: status %d, %q", strings.Join(args, " "), status, stderr.String())
			}
		}
	}
}

func checkNamedPipe(t *testing.T, pipe string) {
	t.Helper()
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			got <- err.Error()
			return
		}
		data, _ := io.ReadAll(f)
		got <- string(data)
	}()
	if status, _, stderr := run(t, "render", "heap", recordings+"list.orr", "-o", pipe); status != Done {
		t.Fatalf("into a pipe: status %d, %q", status, stderr)
	}
	if text := <-got; !strings.HasPrefix(text, "<") || len(text) < 1000 {
		t.Errorf("the pipe's reader got %.60q", text)
	}
}
