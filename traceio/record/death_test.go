package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orrery/traceio"
	"orrery/traceio/orr"
)

// TestDies: everything up to a sudden death is in the recording, to the last reference.
func TestDies(t *testing.T) {
	program := compile(t, "dies.c", `
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile int counter;
int main(int argc, char **argv)
{
    for (int i = 0; i < 100003; i++)
        counter++;
    if (strcmp(argv[1], "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(argv[1], "abort") == 0) abort();
    if (strcmp(argv[1], "segv") == 0) *(volatile int *)8 = 1;
    _exit(0);
}`)
	for _, test := range []struct {
		how, signal string
		code        int
	}{{"kill", "SIGKILL", 137}, {"abort", "SIGABRT", 134}, {"segv", "SIGSEGV", 139}, {"exit", "", 0}} {
		t.Run(test.how, func(t *testing.T) {
			m := run(t, Options{Program: program, Args: []string{test.how}, Only: []string{"program"}})
			if m.ExitCode != test.code || m.Signal != test.signal {
				t.Errorf("exit %d, signal %s", m.ExitCode, m.Signal)
			}
			n, at := 0, m.global(t, "counter").Addr
			m.each(t, func(a traceio.Access) {
				if a.Addr == at {
					n++
				}
			})
			if n != 2*100003 {
				t.Errorf("%d references to the counter, want %d", n, 2*100003)
			}
		})
	}
}

// TestCancel: when the user gives up, the program goes and the file is whole.
func TestCancel(t *testing.T) {
	program := compile(t, "waits.c", `
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    if (argc > 1) signal(SIGTERM, SIG_IGN);
    for (;;) { usleep(1000); }
}`)
	_, cleanup, err := prepare(context.Background()) // building the recorder is not what is cancelled here
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cleanup)
	for name, args := range map[string][]string{"obedient": nil, "stubborn": {"stubborn"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
			defer cancel()
			m := runContext(t, ctx, Options{Program: program, Args: args, Only: []string{"program", "libc"}})
			if !m.Interrupted || m.Refs < 1000 || m.Signal == "" || m.Elapsed > 8*time.Second {
				t.Errorf("%+v", m.Result)
			}
		})
	}
}

// failing is a file on a disk that is full after some bytes.
type failing struct {
	*output
	room int
}

func (f *failing) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return f.output.Write(p)
}

// TestRecorderKilled: when the recorder is killed, the program runs to its end and the file opens with what was written.
func TestRecorderKilled(t *testing.T) {
	program := compile(t, "orphan.c", `
#include <stdio.h>
static volatile int counter;
int main(int argc, char **argv)
{
    for (int i = 0; i < 30000000; i++)
        counter++;
    FILE *f = fopen(argv[1], "w");
    if (f == NULL || fprintf(f, "%d", counter) < 0 || fclose(f)) return 1;
    return 0;
}`)
	dir := t.TempDir()
	done, out := filepath.Join(dir, "done"), filepath.Join(dir, "x.orr")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, done}, "\n"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if info, err := os.Stat(out); err == nil && info.Size() > 20000 {
			break
		}
		if time.Since(begun) > 30*time.Second {
			t.Fatal("the recording does not grow")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if exists(done) {
		t.Fatal("the program was over before the recorder was killed; the test needs a longer one")
	}
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if text, err := os.ReadFile(done); err == nil && string(text) == "30000000" {
			break
		}
		if time.Since(begun) > 60*time.Second {
			t.Fatal("the program did not go on without its recorder")
		}
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	f, err := orr.Open(bytes.NewReader(data), int64(len(data)), out)
	if err != nil || f.Len() < 65536 {
		t.Errorf("the file opens with %v", err)
	}
}

// slow is a disk that the program outruns.
type slow struct{ *output }

func (s slow) Write(p []byte) (int, error) {
	time.Sleep(10 * time.Millisecond)
	return s.output.Write(p)
}

// TestOutrun: when the program is faster than the recorder it waits, and no reference is lost.
func TestOutrun(t *testing.T) {
	const rounds = 600000 // more references than fit into the ring
	program := compile(t, "fast.c", fmt.Sprintf(`
static volatile int counter;
int main(void) { for (int i = 0; i < %d; i++) counter++; return 0; }`, rounds))
	tools, cleanup, err := prepare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	path := filepath.Join(t.TempDir(), "slow.orr")
	file, err := createOutput(path, program)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{opt: Options{Program: program}, path: program, out: path, tools: tools,
		patterns: []pattern{{text: "main"}}, first: slow{file}}
	if err := s.record(context.Background()); err != nil {
		t.Fatal(err)
	}
	// at -O0 a round loads and stores the counter, loads and stores i, and loads i again to compare
	if refs := s.res.Refs; refs < 5*rounds || refs > 5*rounds+20 || s.res.Incomplete {
		t.Errorf("%d references, want %d and a few", refs, 5*rounds)
	}
}

// TestFullDisk: a full disk ends the recording, not the program, and keeps what was written.
func TestFullDisk(t *testing.T) {
	program := compile(t, "busy.c", busy, "-O2")
	tools, cleanup, err := prepare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	path := filepath.Join(t.TempDir(), "full.orr")
	file, err := createOutput(path, program)
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	s := &session{opt: Options{Program: program, Args: []string{"2"}, Stdout: &stdout}, path: program, out: path, tools: tools,
		first: &failing{file, 60000}}
	if err := s.record(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !s.res.Incomplete || s.res.ExitCode != 0 || stdout.Len() == 0 || !strings.Contains(fmt.Sprint(s.res.Notes), "no space left") {
		t.Errorf("%+v, output %q", s.res, stdout.String())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := orr.Open(bytes.NewReader(data), int64(len(data)), path)
	if err != nil || f.Len() < 65536 {
		t.Errorf("the file opens with %v", err)
	}
}
