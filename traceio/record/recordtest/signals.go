package recordtest

import (
	"fmt"
	"testing"
)

// Signals is a program in C whose signal handlers make references at any moment, in the way that its first argument
// says. The second is how often it counts in all. It prints how often it has counted, how often its handlers have, and
// what else it knows of itself.
const Signals = `
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long counter[8 * 5], handled[8 * 5], depth, taken, forked;
static __thread int self;
static __thread sigjmp_buf out;
static __thread volatile sig_atomic_t ready;
static const char *way;
static long rounds;
static int is(const char *name) { return strstr(way, name) != NULL; }
static __attribute__((noinline)) void count(volatile long *n, long times) { for (long i = 0; i < times; i++) ++*n; }
static void innermost(int sig) { count(&handled[8 * self], 2); (void)sig; }
static void inner(int sig) { count(&handled[8 * self], 3); raise(SIGHUP); (void)sig; }
static void on(int sig)
{
    count(&handled[8 * self], is("much") && taken < 40 ? 70000 : 8);
    taken++;
    if (is("nested") && taken % 2) raise(SIGUSR2);
    if (is("heap") && ready) free(malloc(taken % 100));
    if (is("fork") && forked < 20) {
        forked++;
        pid_t child = fork();
        int status = 0;
        if (child == 0) {
            struct itimerval none = {{0, 0}, {0, 0}};
            setitimer(ITIMER_REAL, &none, NULL);
            forked = 100;
            if (taken % 2) _exit(7);
            return; /* it goes on with what was interrupted */
        }
        waitpid(child, &status, 0);
        if (status != 7 << 8) dprintf(1, "child: %x\n", status);
    }
    if (is("exit") && taken > 20) _exit(3);
    if (is("jump") && ready) siglongjmp(out, 1);
    (void)sig;
}
static void *work(void *n)
{
    sigset_t none;
    self = (int)(long)n;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    sigsetjmp(out, 1);
    ready = 1;
    while (counter[8 * self] < rounds || is("exit") || (is("heap") && taken < 5)) {
        count(&counter[8 * self], 64);
        if (forked == 100 && counter[8 * self] % 4096 == 0) _exit(7);
    }
    ready = 0;
    return NULL;
}
static void handle(int sig, void (*with)(int), int flags)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = with;
    sigaddset(&a.sa_mask, SIGALRM); /* they count in the same place */
    sigaddset(&a.sa_mask, SIGPROF);
    sigaddset(&a.sa_mask, SIGUSR1);
    a.sa_flags = flags | (is("stack") ? SA_ONSTACK : 0) | SA_RESTART;
    sigaction(sig, &a, NULL);
}
int main(int argc, char **argv)
{
    static char room[1 << 16];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct itimerval fast = {{0, 200}, {0, 200}}, slow = {{0, 10000}, {0, 10000}};
    pthread_t t[5];
    long all = 0, by = 0;
    way = argv[1];
    rounds = atol(argv[argc - 1]);
    sigaltstack(&stack, NULL);
    handle(SIGALRM, on, 0);
    handle(SIGPROF, on, 0);
    handle(SIGUSR1, on, 0);
    handle(SIGUSR2, inner, 0);
    handle(SIGHUP, innermost, 0);
    if (is("profile") || is("nested")) setitimer(ITIMER_PROF, &slow, NULL);
    if (!is("profile")) setitimer(ITIMER_REAL, is("much") ? &slow : &fast, NULL);
    if (is("threads")) {
        int left = 4;
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        for (long i = 1; i < 5; i++) pthread_create(&t[i], NULL, work, (void *)i);
        while (left > 0)
            for (int i = 1; i < 5; i++) {
                if (t[i] == 0) continue;
                if (pthread_tryjoin_np(t[i], NULL) == 0) { t[i] = 0; left--; continue; }
                pthread_kill(t[i], SIGUSR1);
                usleep(is("much") ? 10000 : 100);
            }
    }
    work(NULL);
    signal(SIGALRM, SIG_IGN);
    signal(SIGPROF, SIG_IGN);
    if (forked == 100) _exit(7);
    for (int i = 0; i < 5; i++) all += counter[8 * i], by += handled[8 * i];
    printf("%ld %ld %ld\n", all, by, taken);
    return 11;
}
`

// SignalWay is a row of the tests of signals.
type SignalWay struct {
	Name string
	Jump bool // handlers leave what they interrupt, so that some references of the program are begun and not made
	Exit int  // status
}

// SignalWays are the ways that the program knows.
var SignalWays = []SignalWay{
	{"timer", false, 11}, {"profile", false, 11}, {"nested", false, 11}, {"own stack", false, 11},
	{"nested, own stack", false, 11}, {"heap", false, 11},
	{"fork", false, 11}, {"exit", false, 3}, {"much", false, 11}, {"jump", true, 11}, {"jump, own stack", true, 11},
	{"threads", false, 11}, {"threads, jump", true, 11}, {"threads, much", false, 11}, {"threads, heap", false, 11},
	{"threads, nested", false, 11},
}

// Unseen stands for the stores of a recording that has no references.
var Unseen = [2]uint64{1 << 63, 1 << 63}

// CheckSignals fails the test unless the program ended as it does by itself, and all that it counted is recorded or
// counted as lost: stores are those to its two counters, its own and its handlers'.
func CheckSignals(t *testing.T, w SignalWay, status int, stdout string, stores [2]uint64, lost uint64) {
	t.Helper()
	var own, handled, signals uint64
	if w.Exit == 11 {
		if n, err := fmt.Sscanf(stdout, "%d %d %d\n", &own, &handled, &signals); err != nil || n != 3 {
			t.Errorf("%s: the program wrote %q", w.Name, stdout)
		}
	} else if stdout != "" {
		t.Errorf("%s: the program wrote %q", w.Name, stdout)
	}
	if status != w.Exit {
		t.Errorf("%s: status %d, want %d", w.Name, status, w.Exit)
	}
	if stores == Unseen {
		return
	}
	if stores[0]+stores[1]+lost < own+handled {
		t.Errorf("%s: %d + %d of %d + %d references by the program and its handlers recorded, %d counted as lost", w.Name,
			stores[0], stores[1], own, handled, lost)
	}
	if !w.Jump && w.Exit == 11 && lost == 0 && stores != [2]uint64{own, handled} {
		t.Errorf("%s: %d references by the program and its handlers recorded, want %d and %d", w.Name, stores, own, handled)
	}
}
