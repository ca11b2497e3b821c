package record

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"orrery/traceio/store"
)

// forks is a program that begins as many children as its first argument says, all of which live until the last has
// begun, and says how they ended and how many files it may open.
const forks = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), i, status, sum = 0, bad = 0, all[2];
    struct rlimit limit;
    char byte, *q;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (pipe(all)) return 1;
    for (i = 0; i < n; i++)
        if (fork() == 0) {
            q = malloc(100);
            memset(q, i, 100);
            free(q);
            close(all[1]);
            read(all[0], &byte, 1);
            _exit(i % 100);
        }
    close(all[1]);
    while (wait(&status) > 0) {
        sum += WEXITSTATUS(status);
        bad += WIFSIGNALED(status);
    }
    printf("%d children, sum %d, %d killed, limit %d\n", n, sum, bad, (int)limit.rlim_cur);
    return 0;
}`

// recorderOf is a recorder in a process of its own, behind shell commands.
func recorderOf(before string, words ...string) *exec.Cmd {
	cmd := exec.Command("/bin/sh", "-c", before+`exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join(words, "\n"))
	return cmd
}

// unrecorded is how many processes a recording says to be missing, and why.
func unrecorded(t *testing.T, path string) (n int, why string) {
	t.Helper()
	rec, err := store.Open(context.Background(), path, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, l := range rec.Loss() {
		if l.Kind == "unrecorded-processes" {
			return int(l.Count), l.Why
		}
	}
	return 0, ""
}

// TestFewDescriptors: children that the recorder has no open files for run on unrecorded; the file and the recorder say
// how many, and why.
func TestFewDescriptors(t *testing.T) {
	program := compile(t, "forks.c", forks)
	for _, row := range []struct{ limit, children, least, most int }{
		{20, 5, 5, 5},    // files for none
		{64, 40, 10, 39}, // files for some
		{400, 40, 0, 0},  // files for all
	} {
		t.Run(strconv.Itoa(row.limit), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "x.orr")
			cmd := recorderOf(fmt.Sprintf("ulimit -n %d; ", row.limit), out, program, strconv.Itoa(row.children))
			var notes bytes.Buffer
			cmd.Stderr = &notes
			said, err := cmd.Output()
			sum := row.children * (row.children - 1) / 2
			if want := fmt.Sprintf("%d children, sum %d, 0 killed, limit %d\n", row.children, sum, row.limit); err != nil ||
				string(said) != want {
				t.Fatalf("%v, %q, want %q; %s", err, said, want, notes.String())
			}
			n, why := unrecorded(t, out)
			if n < row.least || n > row.most || n > 0 && !strings.HasSuffix(why, "without being recorded: too many open files") {
				t.Errorf("%d are missing (%s), want %d to %d", n, why, row.least, row.most)
			}
			files, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "x.*.orr"))
			if len(files)+n != row.children {
				t.Errorf("%d are recorded and %d are not, of %d", len(files), n, row.children)
			}
			told := regexp.MustCompile(
				`(?m)^(\d+) processes could not be recorded and ran without: too many open files, .* say ulimit -n`).FindStringSubmatch(notes.String())
			if n > 0 && (told == nil || told[1] != strconv.Itoa(n)) {
				t.Errorf("the recorder says %q, and %d are missing", notes.String(), n)
			}
		})
	}
}

// TestRecorderStopped: a program whose recorder is stopped goes on without it after a while, and so do children that
// ask it; when the recorder comes back the file says so.
func TestRecorderStopped(t *testing.T) {
	program := compile(t, "asks.c", `
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int counter;
int main(int argc, char **argv)
{
    while (access(argv[1], F_OK)) usleep(1000);
    for (int i = 0; i < 3; i++)
        if (fork() == 0) _exit(0);
    while (wait(NULL) > 0) ;
    for (int i = 0; i < 1000000; i++) counter++;
    fclose(fopen(argv[2], "w"));
    return 0;
}`)
	dir := t.TempDir()
	out, start, done := filepath.Join(dir, "x.orr"), filepath.Join(dir, "start"), filepath.Join(dir, "done")
	cmd := recorderOf("", out, program, start, done)
	cmd.Env = append(cmd.Env, hastyEnv+"=1")
	var notes bytes.Buffer
	cmd.Stderr = &notes
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	eventually(t, "the recording does not begin", func() bool { return holds(out, 100) })
	stop(t, cmd.Process.Pid)
	touch(t, start)
	eventually(t, "the program waits for a recorder that is stopped", func() bool {
		_, err := os.Stat(done)
		return err == nil
	})
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err, notes.String())
	}
	if n, why := unrecorded(t, out); n != 4 || !strings.HasSuffix(why, ": "+errSilent.Error()) {
		t.Errorf("%d are missing (%s), want 4: the program and three children", n, why)
	}
	if want := "4 processes could not be recorded and ran without: " + errSilent.Error() + "\n"; notes.String() != want {
		t.Errorf("the recorder says %q, want %q", notes.String(), want)
	}
}

// stop stops a process and waits until it stands.
func stop(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it does not stop", func() bool {
		text := read(fmt.Sprintf("/proc/%d/stat", pid))
		return strings.HasPrefix(text[strings.LastIndexByte(text, ')')+1:], " T")
	})
}

// TestInterruptWhileStuck: an interrupt ends the recording whatever the recorder waits for.
func TestInterruptWhileStuck(t *testing.T) {
	program := compile(t, "endless.c", "static volatile int counter;\nint main(void) { for (;;) counter++; }")
	for name, reads := range map[string]bool{"a pipe that nobody opens": false, "a pipe that nobody reads": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			if reads {
				f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
			}
			cmd := recorderOf("", pipe, program)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			if reads {
				eventually(t, "the pipe is not full", func() bool { return full(pipe) })
			} else {
				eventually(t, "the recorder has no handler yet", func() bool { return catches(cmd.Process.Pid, syscall.SIGINT) })
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // for ever, if it is deaf
		})
	}
}

// full tells whether a pipe takes no more.
func full(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	n, err := syscall.Write(int(f.Fd()), []byte{0})
	return n < 0 && err == syscall.EAGAIN
}

// catches tells whether a process has a handler for a signal.
func catches(pid int, s syscall.Signal) bool {
	_, rest, _ := strings.Cut(read(fmt.Sprintf("/proc/%d/status", pid)), "SigCgt:\t")
	mask, _, _ := strings.Cut(rest, "\n")
	bits, err := strconv.ParseUint(mask, 16, 64)
	return err == nil && bits>>(s-1)&1 == 1
}

// TestNoInodes: on a file system that can take no more files the recorder says so, and how many processes it did not
// record for it.
func TestNoInodes(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a file system that is full")
	}
	program, dir := compile(t, "forks.c", forks), t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "nr_inodes=8"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	out := filepath.Join(dir, "x.orr")
	var said bytes.Buffer
	res, err := Run(context.Background(), Options{Program: program, Args: []string{"12"}, Output: out, Stdout: &said}, nil)
	if err != nil || res.ExitCode != 0 || !strings.HasPrefix(said.String(), "12 children, sum 66, 0 killed") {
		t.Fatalf("%v, %+v, %q", err, res, said.String())
	}
	n, why := unrecorded(t, out)
	if n+len(res.Others) != 12 || n < 5 || !strings.HasSuffix(why, ": no space left on device") || !res.Incomplete {
		t.Errorf("%d are missing (%s) and %d recorded", n, why, len(res.Others))
	}
	if told := strings.Join(res.Notes, "; "); !strings.Contains(told,
		fmt.Sprintf("%d processes could not be recorded and ran without: ", n)) || strings.Count(told, "df -i") != 1 {
		t.Errorf("the recorder says %q", told)
	}
}
