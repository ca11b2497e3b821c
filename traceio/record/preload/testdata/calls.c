/* What the tests of the heap recorder run: argument 1 says which. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct count { unsigned long calls, frees, bytes, live; };

static void *work(void *arg) /* random calls, counted by themselves */
{
    struct count *c = arg;
    static __thread void *block[200];
    static __thread size_t size[200];
    unsigned seed = (unsigned)(unsigned long)c->calls;

    c->calls = 0;
    for (int i = 0; i < 4000; i++) {
        unsigned r = seed = seed * 1103515245 + 12345, k = (r >> 8) % 200, n = 1 + (r >> 16) % 500;
        if (block[k] && r >> 30) {
            free(block[k]);
            block[k] = NULL;
            c->frees++;
            c->live -= size[k];
            continue;
        }
        if (block[k]) {
            c->live -= size[k];
            c->frees++;
            block[k] = realloc(block[k], n);
        } else if (n % 7 == 0) {
            block[k] = calloc(1, n);
        } else if (n % 7 == 1) {
            if (posix_memalign(&block[k], 64, n))
                abort();
        } else if (n % 7 == 2) {
            block[k] = aligned_alloc(32, n);
        } else {
            block[k] = malloc(n);
        }
        size[k] = n;
        memset(block[k], 1, n);
        c->calls++;
        c->bytes += n;
        c->live += n;
    }
    return NULL;
}

static void threads(int n)
{
    pthread_t t[64];
    struct count c[64], sum = { 0 };

    for (int i = 0; i < n; i++) {
        c[i] = (struct count){ .calls = (unsigned long)i + 1 };
        pthread_create(&t[i], NULL, work, &c[i]);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(t[i], NULL);
        sum.calls += c[i].calls, sum.frees += c[i].frees, sum.bytes += c[i].bytes, sum.live += c[i].live;
    }
    printf("%lu %lu %lu %lu\n", sum.calls, sum.frees, sum.bytes, sum.live);
}

static int compare(const void *a, const void *b);

/* Tells its own call stack as the C library sees it, just before it allocates. */
static __attribute__((noinline)) void tell(int depth)
{
    void *frame[64];
    char text[4096];
    int n = backtrace(frame, 64), at = 0;

    for (int i = 1; i < n; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, " %lx", (unsigned long)frame[i]);
    free(malloc(100000 + (size_t)depth));
    printf("%d%s\n", depth, text);
}

static __attribute__((noinline)) int down(int depth, volatile char *above)
{
    volatile char room[256] __attribute__((aligned(64))); /* the compiler has to align the stack */

    room[depth % 256] = above ? *above : 1;
    if (depth % 3 == 0) {
        int two[2] = { depth, depth };
        qsort(two, 2, sizeof *two, compare);
    } else if (depth > 0) {
        volatile char more[depth * 8]; /* and to keep a frame pointer */
        more[0] = room[0];
        return down(depth - 1, more) + more[0];
    }
    tell(depth);
    return room[depth % 256];
}

static int compare(const void *a, const void *b)
{
    int depth = *(const int *)a;

    (void)b;
    if (depth > 0)
        down(depth - 1, NULL);
    return 0;
}

static void *die(void *p)
{
    free(malloc(31337));
    raise(p ? SIGSEGV : SIGKILL);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!strcmp(what, "threads")) {
        threads(atoi(argv[2]));
    } else if (!strcmp(what, "generations")) { /* threads that come and go */
        for (int i = 0; i < 30; i++)
            threads(1);
    } else if (!strcmp(what, "stacks")) {
        void *frame[4];
        backtrace(frame, 4); /* loads what it needs */
        for (int depth = 0; depth < 24; depth++)
            down(depth, NULL);
    } else if (!strcmp(what, "fork")) {
        free(malloc(1111));
        if (fork() == 0) {
            free(malloc(2222));
            execl("/proc/self/exe", argv[0], "exec", NULL);
        }
        wait(NULL);
        free(malloc(3333));
    } else if (!strcmp(what, "exec")) {
        free(malloc(4444));
    } else if (!strcmp(what, "kill") || !strcmp(what, "segv")) {
        pthread_t t;
        struct rlimit none = { 0, 0 };
        setrlimit(RLIMIT_CORE, &none);
        pthread_create(&t, NULL, die, *what == 's' ? &t : NULL);
        pthread_join(t, NULL);
    } else if (!strcmp(what, "closing")) { /* as daemons do */
        for (int i = 3; i < 1024; i++)
            close(i);
        threads(4);
    } else if (!strcmp(what, "small") || !strcmp(what, "large")) { /* files may not grow, or may */
        struct rlimit little = { 1 << 20, 1 << 20 };
        if (!strcmp(what, "small"))
            setrlimit(RLIMIT_FSIZE, &little);
        threads(1);
        threads(1);
        threads(60);
    } else {
        char *p = malloc(10);
        p = realloc(p, 1000);
        p = realloc(p, 1001);
        free(realloc(NULL, 5));
        realloc(p, 0);
        if (realloc(calloc(3, 7), (size_t)1 << 62) || malloc((size_t)1 << 62))
            return 1;
        free(NULL);
        return 7;
    }
    return 0;
}
