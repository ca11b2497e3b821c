/* Programs that shut themselves in: argument 1 says how, argument 2 how many blocks they make then. A call that their filter does not
 * know is their death. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAY(n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter strict[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    MAY(SYS_write), MAY(SYS_exit_group), MAY(SYS_exit), MAY(SYS_brk), MAY(SYS_rt_sigreturn), MAY(SYS_futex), MAY(SYS_clone),
    MAY(SYS_wait4), MAY(SYS_set_robust_list), MAY(SYS_rseq), MAY(SYS_madvise), MAY(SYS_munmap),
    MAY(SYS_mprotect), MAY(SYS_rt_sigprocmask),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
/* lets other programs begin */
static struct sock_filter broad[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    MAY(SYS_write), MAY(SYS_exit_group), MAY(SYS_brk), MAY(SYS_execve), MAY(SYS_openat), MAY(SYS_read), MAY(SYS_close), MAY(SYS_mmap),
    MAY(SYS_mprotect), MAY(SYS_munmap), MAY(SYS_newfstatat), MAY(SYS_access), MAY(SYS_faccessat), MAY(SYS_arch_prctl), MAY(SYS_pread64),
    MAY(SYS_set_tid_address), MAY(SYS_set_robust_list), MAY(SYS_rseq), MAY(SYS_prlimit64), MAY(SYS_getrandom), MAY(SYS_fstat), MAY(SYS_ioctl), MAY(SYS_futex),
    MAY(SYS_exit), MAY(SYS_lseek),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
static struct sock_fprog filter = {sizeof strict / sizeof *strict, strict};

static int blocks;
static pthread_barrier_t ready;

__attribute__((noinline)) static void make(int n)
{
    for (int i = 0; i < n; i++) {
        char *p = malloc(50);
        memset(p, i, 50);
        free(p);
    }
}

static void *worker(void *unused)
{
    (void)unused;
    make(1000);
    pthread_barrier_wait(&ready);
    make(blocks);
    return NULL;
}

static void end(int status) /* as a program in SECCOMP_MODE_STRICT has to */
{
    syscall(SYS_exit, status);
}

int main(int argc, char **argv)
{
    const char *how = argv[1];
    pthread_t t[4];
    int i, status;

    (void)argc;
    blocks = atoi(argv[2]);
    make(1000);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 2;
    if (!strcmp(how, "prctl") || !strcmp(how, "fork")) {
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 3;
    } else if (!strcmp(how, "syscall")) {
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter)) return 3;
    } else if (!strcmp(how, "prctl by number")) {
        if (syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0)) return 3;
    } else if (!strcmp(how, "strict")) {
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)) return 3;
        make(blocks);
        end(write(1, "strict\n", 7) == 7 ? 18 : 4);
    } else if (!strcmp(how, "refused")) { /* then everything goes on as before */
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == 0 || errno != EFAULT) return 3;
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1u << 30, &filter) == 0 || errno != EINVAL) return 4;
    } else if (!strcmp(how, "threads")) { /* the filter is for all of them */
        pthread_barrier_init(&ready, NULL, 5);
        for (i = 0; i < 4; i++) pthread_create(&t[i], NULL, worker, NULL);
        pthread_barrier_wait(&ready);
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter)) return 3;
        for (i = 0; i < 4; i++) pthread_join(t[i], NULL);
    } else if (!strcmp(how, "exec")) {
        filter = (struct sock_fprog){sizeof broad / sizeof *broad, broad};
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 3;
        make(blocks);
        execl("/bin/echo", "echo", "begun", NULL);
        return 4;
    } else if (!strcmp(how, "chroot")) {
        if (chroot("/proc/self/fdinfo") || chdir("/")) return 3;
    } else if (!strcmp(how, "user")) {
        if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)) return 3;
    }
    make(blocks);
    if (!strcmp(how, "fork")) {
        i = fork();
        if (i == 0) {
            make(blocks);
            _exit(7);
        }
        if (wait4(i, &status, 0, NULL) != i || !WIFEXITED(status) || WEXITSTATUS(status) != 7) return 5;
    }
    if (write(1, "done\n", 5) != 5) return 6;
    return 18;
}
