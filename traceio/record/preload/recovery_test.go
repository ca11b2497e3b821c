package preload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"orrery/traceio/record"
	"orrery/traceio/store"
)

// recordEnv makes the test binary a recorder of its own: the output, the program and its arguments, one a line.
const recordEnv = "ORRERY_TEST_RECORD"

// recorderProcess records as TestMain is told, and ends.
func recorderProcess(words []string) {
	if _, err := Run(context.Background(), record.Options{Output: words[0], Program: words[1], Args: words[2:]},
		nil); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// eventually asks again and again until something holds; what it waits for takes no time of its own but the machine's.
func eventually(t *testing.T, otherwise string, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 2*time.Minute {
			t.Fatal(otherwise)
		}
	}
}

// underWay starts a recorder in a process of its own and waits until the logs of the program and its child have grown.
func underWay(t *testing.T, dir, out, program, enough string) (recorder *exec.Cmd, logs string) {
	t.Helper()
	recorder = exec.Command(os.Args[0])
	recorder.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, "until", enough}, "\n"))
	if err := recorder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.WriteFile(enough, nil, 0o666) })
	eventually(t, "the logs do not grow", func() bool {
		grown := 0
		files, _ := filepath.Glob(filepath.Join(dir, logDirPrefix+"*", "log.*"))
		for _, path := range files {
			if info, err := os.Stat(path); err == nil && info.Size() > 1<<20 {
				grown++
			}
			logs = filepath.Dir(path)
		}
		return grown == 2
	})
	return recorder, logs
}

// finished waits until the program of underWay has ended by itself.
func finished(t *testing.T, enough string) {
	t.Helper()
	if _, err := os.Stat(enough + ".done"); err == nil {
		t.Error("the program was to run until now")
	}
	if err := os.WriteFile(enough, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the program did not go on without its recorder", func() bool {
		text, _ := os.ReadFile(enough + ".done")
		return string(text) == "unharmed"
	})
}

// tookUp checks the recordings of a program and its child that a recorder has left.
func tookUp(t *testing.T, path, program, note string, lost ...string) {
	t.Helper()
	for i, path := range []string{path, strings.TrimSuffix(path, ".orr") + ".2.orr"} {
		r, err := store.Open(context.Background(), path, store.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		p := r.Program()
		var kinds []string
		for _, l := range r.Loss() {
			kinds = append(kinds, l.Kind)
		}
		if n := len(ours(r)); n < 20000 || !slices.Equal(kinds, lost) || !slices.Contains(p.Notes, note) || i == 0 &&
			(len(p.Command) != 3 || p.Command[1] != "until") {
			t.Errorf("%s: %d events, lost %v, notes %q, command %q", path, n, r.Loss(), p.Notes, p.Command)
		}
	}
}

func names(t *testing.T, dir string) (out []string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		out = append(out, f.Name())
	}
	return out
}

// TestRecorderKilled: what was recorded until the recorder was killed can be read without another word, the program
// goes on, and nothing is left behind.
func TestRecorderKilled(t *testing.T) {
	program, dir, enough := compiled(t, "starts.c"), t.TempDir(), filepath.Join(t.TempDir(), "enough")
	out := filepath.Join(dir, "x.orr")
	recorder, logs := underWay(t, dir, out, program, enough)
	begun := names(t, logs)
	if err := recorder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = recorder.Wait()
	eventually(t, "there is no recording", func() bool { _, err := os.Stat(out); return err == nil })
	eventually(t, "the logs stay", func() bool { _, err := os.Stat(logs); return err != nil })
	tookUp(t, out, program, "ends before its program did, because its recorder was killed", "cut-log")
	if left := names(t, dir); !slices.Equal(left, []string{"x.2.orr", "x.orr"}) {
		t.Errorf("left behind: %q", left)
	}
	seen := 0
	for _, log := range begun { // whose processes still have them open
		if words := strings.Split(log, "."); len(words) == 3 && words[0] == "log" {
			files, _ := filepath.Glob("/proc/" + words[1] + "/fd/*")
			for _, fd := range files {
				if to, _ := os.Readlink(fd); strings.Contains(to, logDirPrefix) {
					var st syscall.Stat_t
					if err := syscall.Stat(fd, &st); err != nil || st.Blocks*512 > 1<<18 || st.Nlink > 0 {
						t.Errorf("%s, which nobody can see, takes %d bytes of the disk (%v)", to, st.Blocks*512, err)
					}
					seen++
				}
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d processes have logs open, want 2", seen)
	}
	finished(t, enough)
}

// TestEverybodyKilled: what stays when the recorder and the shell that waits for it are killed becomes recordings with
// the next one that is made in that directory, and nothing that was made since is overwritten.
func TestEverybodyKilled(t *testing.T) {
	program, dir, enough := compiled(t, "starts.c"), t.TempDir(), filepath.Join(t.TempDir(), "enough")
	out := filepath.Join(dir, "x.orr")
	recorder, logs := underWay(t, dir, out, program, enough)
	shell := waitingFor(t, logs)
	for _, pid := range []int{shell, recorder.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	_ = recorder.Wait()
	finished(t, enough)
	younger := []byte("something of the user's")
	if err := os.WriteFile(out, younger, 0o666); err != nil {
		t.Fatal(err)
	}
	next := record.Options{Program: program, Args: []string{"7"}, Output: filepath.Join(dir, "next.orr"),
		Stdout: new(bytes.Buffer)}
	res, err := run(context.Background(), next, unnamed, nil)
	if err != nil || len(res.Notes) != 1 || !strings.Contains(res.Notes[0],
		"a recorder that was killed had left logs of "+program) {
		t.Errorf("%+v, %v", res, err)
	}
	if text, err := os.ReadFile(out); !bytes.Equal(text, younger) {
		t.Errorf("what the user made is overwritten: %v", err)
	}
	tookUp(t, filepath.Join(dir, "x.left1.orr"), program, "was made of what its recorder had logged when it was killed")
	if left := names(t, dir); !slices.Equal(left, []string{"next.orr", "x.left1.2.orr", "x.left1.orr", "x.orr"}) {
		t.Errorf("left behind: %q", left)
	}
}

// waitingFor finds the shell that waits for the end of the recorder with these logs.
func waitingFor(t *testing.T, logs string) int {
	t.Helper()
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		text, _ := os.ReadFile(path)
		if slices.Contains(strings.Split(string(text), "\x00"), recoverVariable+"="+logs) {
			pid, err := strconv.Atoi(strings.Split(path, "/")[2])
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("nobody waits for the recorder")
	return 0
}

// TestHeld: logs that somebody is at work on are left to him.
func TestHeld(t *testing.T) {
	dir := t.TempDir()
	file, err := record.CreateOutput(context.Background(), filepath.Join(dir, "x.orr"), "/bin/true")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Discard()
	s := &session{path: "/bin/true", out: filepath.Join(dir, "x.orr"), logs: filepath.Join(dir, logDirPrefix+"1"),
		file: file}
	if err := os.Mkdir(s.logs, 0o777); err != nil {
		t.Fatal(err)
	}
	over, err := s.writeHandover()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recoverLogs(s.logs, unnamed, false); !errors.Is(err, errInUse) {
		t.Errorf("got %v", err)
	}
	over()
	if res, err := recoverLogs(s.logs, unnamed, false); err != nil || res.Path != s.out {
		t.Errorf("%+v, %v", res, err)
	}
	if left := names(t, dir); !slices.Equal(left, []string{"x.orr"}) {
		t.Errorf("left behind: %q", left)
	}
}

// TestNoRoom: where not even the beginning of a log fits, the program is not run in vain.
func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", `ulimit -f 100; exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{filepath.Join(dir, "x.orr"), "/bin/echo", "hello"},
		"\n"))
	out, err := cmd.CombinedOutput()
	want := "making the log of allocations: file too large, which is what ulimit -f sets here; say ulimit -f unlimited " +
		"before recording\n"
	if err == nil || string(out) != want {
		t.Errorf("%v, %q", err, out)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestFewDescriptors: with too few open files the program is not run, or it is recorded, and nothing stays behind but
// recordings.
func TestFewDescriptors(t *testing.T) {
	for n := 9; n < 22; n++ {
		dir := t.TempDir()
		cmd := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$0"`, n), os.Args[0])
		cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{filepath.Join(dir, "x.orr"), "/bin/echo", "hello"},
			"\n"))
		out, err := cmd.Output()
		left := strings.Join(names(t, dir), " ")
		if said := string(out); err == nil && (said != "hello\n" || left != "x.orr") ||
			err != nil && (!strings.HasSuffix(said, "say ulimit -n with a greater number before recording\n") ||
				strings.Contains(said, "hello") || left != "") {
			t.Errorf("%d: %v, %q; left behind: %q", n, err, said, left)
		}
	}
}

// TestEnvironments: whatever environment a program gives to what it starts, that is recorded, and finds what it was
// given and what records it.
func TestEnvironments(t *testing.T) {
	program, dir := compiled(t, "starts.c"), filepath.Join(t.TempDir(), "a[b] *") // as a pattern it does not match itself
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	opt := record.Options{Program: program, Output: filepath.Join(dir, "x.orr"), Stdout: &out}
	res, err := run(context.Background(), opt, unnamed, nil)
	if err != nil || res.ExitCode != 0 {
		t.Fatal(res, err)
	}
	var got, want []uint64
	for _, im := range res.Others {
		r, err := store.Open(context.Background(), im.Path, store.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		got = append(got, sizes(ours(r))...)
	}
	said := ""
	for _, way := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16} {
		want = append(want, uint64(5000+way))
		said += fmt.Sprintf("%d %s\n", 5000+way, map[int]string{7: "3 1:libm.so.6", 8: "2 -"}[way])
	}
	said = strings.ReplaceAll(said, " \n", " 3 1\n")
	if !slices.Equal(got, want) {
		t.Errorf("blocks of the children: %v, want %v", got, want)
	}
	if out.String() != said {
		t.Errorf("the children said\n%swant\n%s", out.String(), said)
	}
	out.Reset()
	opt.Alone = true
	if res, err = run(context.Background(), opt, unnamed, nil); err != nil || len(res.Others) > 0 ||
		strings.Count(out.String(), " 1 1\n") != 11 {
		t.Errorf("alone: %+v, %v, the children said\n%s", res, err, out.String())
	}
}
