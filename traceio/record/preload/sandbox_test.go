package preload

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"orrery/traceio"
	"orrery/traceio/record"
	"orrery/traceio/store"
)

// TestSandbox: a program that shuts itself in ends as it does by itself and writes the same, and all that it asks its
// allocator for is recorded, far more than its log has room for when it does so.
func TestSandbox(t *testing.T) {
	program := compiled(t, "sandbox.c")
	for _, row := range []struct {
		how     string
		blocks  int
		threads int
		root    bool
		note    string
	}{
		{how: "prctl", blocks: 1000000},
		{how: "prctl by number", blocks: 50000},
		{how: "syscall", blocks: 50000},
		{how: "strict", blocks: 50000},
		{how: "refused", blocks: 50000},
		{how: "threads", blocks: 50000, threads: 4},
		{how: "fork", blocks: 50000, note: "a process ran without being recorded: begun under a seccomp filter"},
		{how: "exec", blocks: 50000, note: "a process ran without being recorded: begun under a seccomp filter"},
		{how: "chroot", blocks: 50000, root: true},
		{how: "user", blocks: 50000, root: true},
	} {
		t.Run(row.how, func(t *testing.T) {
			if row.root && os.Geteuid() != 0 {
				t.Skip("only root can do this")
			}
			args := []string{row.how, strconv.Itoa(row.blocks)}
			bare := exec.Command(program, args...)
			want, _ := bare.Output()
			status := bare.ProcessState.ExitCode()
			var out bytes.Buffer
			dir := t.TempDir()
			opt := record.Options{Program: program, Args: args, Output: filepath.Join(dir, "x.orr"), Stdout: &out}
			res, err := run(context.Background(), opt, unnamed, nil)
			if err != nil {
				t.Fatal(err)
			}
			if res.ExitCode != status || out.String() != string(want) || status != 18 && row.how != "exec" || status != 0 &&
				row.how == "exec" {
				t.Errorf("ended with %d %s and wrote %q; by itself with %d and %q", res.ExitCode, res.Signal,
					out.String(), status, want)
			}
			r, err := store.Open(context.Background(), res.Path, store.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			made := 0
			for _, a := range r.Allocs() {
				if a.Op == traceio.Malloc && a.Size == 50 {
					made++
				}
			}
			if all := (1 + row.threads) * (1000 + row.blocks); made != all || res.Incomplete || len(r.Loss()) > 0 {
				t.Errorf("%d blocks, want %d; lost %v", made, all, r.Loss())
			}
			for where, notes := range map[string][]string{"the recorder": res.Notes, "the file": r.Program().Notes} {
				if said := strings.Join(notes, "; "); (said == "") != (row.note == "") || !strings.Contains(said, row.note) {
					t.Errorf("%s says %q, want %q", where, said, row.note)
				}
			}
		})
	}
}

// TestInheritedFilter: a program that begins under a filter which is not the recorder's is left alone.
func TestInheritedFilter(t *testing.T) {
	program := compiled(t, "sandbox.c")
	var out bytes.Buffer
	opt := record.Options{Program: "/bin/sh", Args: []string{"-c", program + " exec 10; " + program + " exec 20"},
		Output: filepath.Join(t.TempDir(), "x.orr"), Stdout: &out}
	res, err := run(context.Background(), opt, unnamed, nil)
	want := "2 processes ran without being recorded: begun under a seccomp filter, which might kill them for what the " +
		"recorder does"
	if err != nil || res.ExitCode != 0 || out.String() != "begun\nbegun\n" || len(res.Others) != 2 ||
		len(res.Notes) != 1 || res.Notes[0] != want {
		t.Errorf("%+v, %v, wrote %q", res, err, out.String())
	}
}

// TestFilteredDiskFull: where the recorder can make no more room for a program with a filter, that goes on and the file
// says what is lost.
func TestFilteredDiskFull(t *testing.T) {
	program, out := compiled(t, "sandbox.c"), filepath.Join(t.TempDir(), "x.orr")
	// the limit is the recorder's, too, which makes the room
	cmd := exec.Command("/bin/sh", "-c", `ulimit -f 20000; exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), recordEnv+"="+strings.Join([]string{out, program, "prctl", "2000000"}, "\n"))
	if said, err := cmd.CombinedOutput(); err != nil || string(said) != "done\n" {
		t.Fatalf("%v, %q", err, said)
	}
	r, err := store.Open(context.Background(), out, store.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	loss := r.Loss()
	if len(loss) != 1 || loss[0].Kind != lostEvents || loss[0].Count+uint64(r.Extent()) != 2*(1000+2000000) ||
		!strings.HasSuffix(loss[0].Why, ": file too large") {
		t.Errorf("%d events, lost %v, want %d together", r.Extent(), loss, 2*(1000+2000000))
	}
}

// TestOldKernel: where the system cannot say whether a mapped file has room, logs grow all the same.
func TestOldKernel(t *testing.T) {
	was := flags
	defer func() { flags = was }()
	flags = append(append([]string{}, flags...), "-DORRERY_OLD_KERNEL")
	if _, recs, _ := recorded(t, "large"); recs[0].Extent() < 200000 {
		t.Errorf("%d events", recs[0].Extent())
	}
	if res, recs, _ := recorded(t, "small"); len(recs[0].Loss()) != 1 || res.ExitCode != 0 {
		t.Errorf("lost %v, %+v", recs[0].Loss(), res)
	}
}
