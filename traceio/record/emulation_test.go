package record

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDiffers: what the emulator does otherwise than the system is said when the program meets it, by the recorder and
// in the file, once; what the C library does by itself on every start is not.
func TestDiffers(t *testing.T) {
	program := compile(t, "asks.c", `
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static char parameters[256];
static void *nothing(void *p) { return p; }
int main(int argc, char **argv)
{
    struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog filter = {1, all};
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    if (strchr(argv[1], 'f') && fork()) wait(NULL);
    for (int i = 0; i < 3; i++) {
        if (strchr(argv[1], 'u')) syscall(SYS_io_uring_setup, 4, parameters);
        if (strchr(argv[1], 's')) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
        if (strchr(argv[1], 'S')) syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
    }
    return 0;
}`, "-pthread")
	uring, filter := missingCall(425), missingCall(317)
	for _, row := range []struct {
		does        string
		file, notes []string
	}{
		{"-", nil, nil},
		{"u", []string{uring}, []string{uring}},
		{"s", []string{filter}, []string{filter}},
		{"S", []string{filter}, []string{filter}},
		{"uf", []string{uring}, []string{uring + " (so in 2 processes)"}},
	} {
		t.Run(row.does, func(t *testing.T) {
			t.Parallel()
			m := run(t, Options{Program: program, Args: []string{row.does}, Only: []string{"program"}})
			if got := m.rec.Program().Notes; !slices.Equal(said(got), row.file) {
				t.Errorf("the file says %q, want %q", got, row.file)
			}
			if !slices.Equal(said(m.Notes), row.notes) {
				t.Errorf("the recorder says %q, want %q", m.Notes, row.notes)
			}
		})
	}
}

// said are those notes that are about the emulator.
func said(notes []string) (out []string) {
	for _, n := range notes {
		if strings.Contains(n, "emulator") {
			out = append(out, n)
		}
	}
	return out
}

// TestUnprivileged: a program that would run with the rights of another user says so.
func TestUnprivileged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs")
	if err := os.WriteFile(path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := unprivileged(path); got != "" {
		t.Errorf("a program of this user's own: %q", got)
	}
	other := 0
	if os.Geteuid() == 0 {
		other = 65534
		if err := os.Chown(path, other, -1); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o755|os.ModeSetuid); err != nil {
			t.Fatal(err)
		}
	} else {
		path = "/usr/bin/passwd" // set-user-ID to root on every Debian
	}
	if got := unprivileged(path); !strings.Contains(got, path+" is set-user-ID, which the emulator does not honour") {
		t.Errorf("%q for user %d", got, other)
	}
}
