package record

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// The emulator lacks some system calls and ignores set-user-ID and capabilities. The recording notes where a program
// met that, since it may have run differently because of it.

// systemCalls are the names of calls that the emulator is known not to have, with what they are for.
var systemCalls = map[uint64]string{
	unix.SYS_IO_URING_SETUP: "io_uring_setup", unix.SYS_PTRACE: "ptrace", unix.SYS_PERF_EVENT_OPEN: "perf_event_open",
	unix.SYS_BPF:         "bpf",
	unix.SYS_USERFAULTFD: "userfaultfd", unix.SYS_IO_SETUP: "io_setup", unix.SYS_FANOTIFY_INIT: "fanotify_init",
	unix.SYS_KCMP:  "kcmp",
	unix.SYS_MBIND: "mbind", unix.SYS_SET_MEMPOLICY: "set_mempolicy", unix.SYS_GET_MEMPOLICY: "get_mempolicy",
	unix.SYS_MIGRATE_PAGES: "migrate_pages",
	unix.SYS_MOVE_PAGES:    "move_pages", unix.SYS_PIDFD_GETFD: "pidfd_getfd",
	unix.SYS_LANDLOCK_CREATE_RULESET: "landlock_create_ruleset",
	unix.SYS_MEMFD_SECRET:            "memfd_secret", unix.SYS_PROCESS_MADVISE: "process_madvise",
	unix.SYS_OPENAT2: "openat2", unix.SYS_ADD_KEY: "add_key",
	unix.SYS_KEYCTL: "keyctl", unix.SYS_EPOLL_PWAIT2: "epoll_pwait2", unix.SYS_FUTEX_WAITV: "futex_waitv",
}

// missingCall is the note about a system call that the emulator does not have.
func missingCall(call uint64) string {
	if call == unix.SYS_SECCOMP {
		return "the program asked for a seccomp filter, which the emulator does not have: it went on without its sandbox, " +
			"or did something else"
	}
	name, ok := systemCalls[call]
	if !ok {
		name = fmt.Sprintf("system call %d", call)
	}
	return fmt.Sprintf("the program asked for %s, which the emulator does not have (the answer is ENOSYS): it may have "+
		"done something else than "+
		"without the recorder", name)
}

// unprivileged is the note that the program did not get the rights that its file gives, "" when it gives none beyond
// the user's.
func unprivileged(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	own := fmt.Sprintf("it ran with the rights of user %d alone", os.Geteuid())
	switch {
	case ok && info.Mode()&fs.ModeSetuid != 0 && int(st.Uid) != os.Geteuid():
		return fmt.Sprintf("%s is set-user-ID, which the emulator does not honour: %s, not with those of user %d", path, own,
			st.Uid)
	case ok && info.Mode()&fs.ModeSetgid != 0 && int(st.Gid) != os.Getegid():
		return fmt.Sprintf("%s is set-group-ID, which the emulator does not honour: it ran with the rights of group %d, "+
			"not with those of group %d",
			path, os.Getegid(), st.Gid)
	}
	if n, err := unix.Getxattr(path, "security.capability", nil); err == nil && n > 0 && os.Geteuid() != 0 {
		return fmt.Sprintf("%s has capabilities, which the emulator does not honour: %s", path, own)
	}
	return ""
}
