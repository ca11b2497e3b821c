/* How the program meets the recorder, and what it tells of threads, children and libraries. Included by hooks.c
 * alone. */
#include <stdarg.h>
#include <sys/wait.h>

#define RING_VARIABLE "ORRERY_RING"
#define OUTPUT_VARIABLE "ORRERY_OUT"
#define RECORDER_VARIABLE "ORRERY"

extern char **environ;

/* The note by which the recorder recognises a program with hooks. */
__asm__(".pushsection .note.orrery, \"a\", @note\n"
        ".balign 4\n"
        ".long 7, 4, 1\n"
        ".asciz \"Orrery\"\n"
        ".balign 4\n"
        ".long 1\n"
        ".popsection");

static struct calls first_calls;
static pthread_key_t thread_key;

PASS(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
PASS(int, thrd_create, unsigned long *, int (*)(void *), void *)
PASS(void *, dlopen, const char *, int)
PASS(int, execve, const char *, char *const *, char *const *)
PASS(int, execvpe, const char *, char *const *, char *const *)
PASS(int, fexecve, int, char *const *, char *const *)

static bool map_recorder(void)
{
    const char *directory = getenv(RING_VARIABLE);

    return directory != NULL && map_control(directory) && !(control->alone && control->made > 0) && make_ring(0);
}

/* The child of a fork has one thread and makes its own recording, in which that is the first; it knows the calls that
 * it was born in. Its parent's ring is never touched again. */
static unsigned threads;
static void in_child(void)
{
    uint64_t parent = image + 1;

    if (off)
        return;
    leave_ring();
    if (control->alone || !reader_lives() || !make_ring(parent))
        return;
    self.number = 0;
    threads = 0;
    event(RING_THREAD, 0, 0, NULL, 0);
    question(RING_START, 0, 0, 0);
    event(RING_HELLO, 0, 0, NULL, 0);
}

/* Whether the recorder can run here at all, tried in a child: under a limit on memory, say, it may not, and what has
 * become it by exec has no way back. A parent that ignores its children's ends is not told, and assumes that it can. */
static bool runs(int (*start)(const char *, char *const *), const char *file)
{
    char *argv[] = {"orrery", "record", "--help", NULL};
    int status = 0, i;
    pid_t child = fork(), ended;

    if (child == 0) {
        int null = open("/dev/null", O_RDWR);

        for (i = 0; i < 3; i++)
            dup2(null, i);
        start(file, argv);
        _exit(127);
    }
    do
        ended = child > 0 ? waitpid(child, &status, 0) : 0;
    while (ended < 0 && errno == EINTR);
    return child > 0 && status == 0;
}

/* ORRERY_OUT=FILE: the program becomes the recorder, which starts it again with a ring. In FILE, %p is the process's
 * number. When there is no recorder the program runs as it is; one that cannot begin to record runs it so
 * (--regardless). */
static void become_recorder(const char *out)
{
    const char *recorder = getenv(RECORDER_VARIABLE);
    char program[4096], name[4096], line[64 * 1024];
    char *argv[1024] = {"orrery", "record", "-o", name, "--regardless", "--as", line, "--", program};
    unsigned n = 9;
    size_t used = 0, got, at = 0;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const char *number = strstr(out, "%p");

    if (length < 0 || fd < 0)
        return;
    program[length] = 0;
    while (used < sizeof line - 1 && (ssize_t)(got = (size_t)read(fd, line + used, sizeof line - 1 - used)) > 0)
        used += got;
    close(fd);
    line[used] = 0;
    for (at = strlen(line) + 1; at < used && n < 1023; at += strlen(line + at) + 1)
        argv[n++] = line + at;
    if (at < used) {
        fprintf(stderr, "orrery: the command line is too long to be recorded with %s; use orrery record\n",
                OUTPUT_VARIABLE);
        return;
    }
    if (number != NULL)
        snprintf(name, sizeof name, "%.*s%d%s", (int)(number - out), out, (int)getpid(), number + 2);
    else
        snprintf(name, sizeof name, "%s", out);
    unsetenv(OUTPUT_VARIABLE);
    if (recorder != NULL && runs(execv, recorder))
        execv(recorder, argv);
    if (runs(execv, ORRERY_PROGRAM))
        execv(ORRERY_PROGRAM, argv);
    if (runs(execvp, "orrery"))
        execvp("orrery", argv);
    setenv(OUTPUT_VARIABLE, out, 1);
    fprintf(stderr,
            "orrery: the recorder is not in PATH or cannot run here, so nothing is recorded; name it with %s=\n",
            RECORDER_VARIABLE);
}

static void thread_ends(void *unused)
{
    struct calls *c = self.calls;

    (void)unused;
    event(RING_THREAD_END, self.number, nanoseconds(), NULL, 0);
    if (c != NULL && c != &first_calls) {
        self.calls = NULL;
        munmap(c, sizeof *c);
    }
}

static bool arrived;

/* Runs once, with the first constructor or reference of the program. */
static void attach(void)
{
    const char *out = getenv(OUTPUT_VARIABLE);

    if (arrived)
        return;
    arrived = true;
    ready();
    FIND(pthread_create);
    FIND(thrd_create);
    FIND(dlopen);
    FIND(execve);
    FIND(execvpe);
    FIND(fexecve);
    if (out != NULL && getenv(RING_VARIABLE) == NULL)
        become_recorder(out);
    if (!map_recorder()) {
        switch_off();
        return;
    }
    gate = control->gated ? BEFORE : ALWAYS;
    filtered = control->gated || control->partial;
    choose_way();
    pthread_atfork(NULL, NULL, in_child);
    pthread_key_create(&thread_key, thread_ends);
    event(RING_THREAD, 0, 0, NULL, 0);
    question(RING_START, 0, 0, WORD(&attach));
    event(RING_HELLO, 0, 0, NULL, 0);
    self.calls = &first_calls;
}

HOOK void __tsan_init(void) { attach(); }

__attribute__((constructor(101))) static void begin(void) { attach(); }

/* The start of a thread. The call that creates one is given a function of ours to run, so that the new thread has its
 * number and its stack of calls before the program's own function begins:
 *
 *     pthread_create -> create_thread ... in the new thread: run_thread -> enter_thread -> the program's function
 *                       abort_thread when there is no new thread */
struct thread_start {
    void *(*run)(void *);
    int (*run_int)(void *);
    void *argument;
    uint16_t number;
};

/* Numbers the thread and records its start; from the first new thread on, the ring is shared. NULL: no memory. */
static struct thread_start *create_thread(void *(*run)(void *), int (*run_int)(void *), void *argument)
{
    struct thread_start *t = PASSED(malloc)(sizeof *t);

    if (t == NULL)
        return NULL;
    if (!many)
        share_ring();
    *t = (struct thread_start){run, run_int, argument, (uint16_t)__atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED)};
    thread_of[t->number] = t->number;
    event(RING_THREAD, t->number, nanoseconds(), NULL, 0);
    return t;
}

static struct thread_start enter_thread(struct thread_start *at)
{
    struct thread_start t = *at;
    void *p = mmap(NULL, sizeof(struct calls), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0);

    PASSED(free)(at);
    self.number = t.number;
    pthread_setspecific(thread_key, &self);
    if (p != MAP_FAILED && !off)
        self.calls = p;
    return t;
}

static void abort_thread(struct thread_start *t)
{
    event(RING_THREAD_END, t->number, nanoseconds(), NULL, 0);
    PASSED(free)(t);
}

static void *run_thread(void *at)
{
    struct thread_start t = enter_thread(at);

    return t.run(t.argument);
}

static int run_thread_int(void *at)
{
    struct thread_start t = enter_thread(at);

    return t.run_int(t.argument);
}

WEAK int FUNCTION(pthread_create)(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                                  void *argument)
{
    struct thread_start *t;
    int failed;

    attach();
    if (off || shared == NULL || (t = create_thread(work, NULL, argument)) == NULL)
        return PASSED(pthread_create)(thread, attributes, work, argument);
    failed = PASSED(pthread_create)(thread, attributes, run_thread, t);
    if (failed)
        abort_thread(t);
    return failed;
}

WEAK int FUNCTION(thrd_create)(unsigned long *thread, int (*work)(void *), void *argument)
{
    struct thread_start *t;
    int failed;

    attach();
    if (off || shared == NULL || (t = create_thread(NULL, work, argument)) == NULL)
        return PASSED(thrd_create)(thread, work, argument);
    failed = PASSED(thrd_create)(thread, run_thread_int, t);
    if (failed)
        abort_thread(t);
    return failed;
}

#ifndef HOOKS_STATIC
/* Libraries that the program asks for later: any address of theirs will do, the recorder looks at the file. */
HOOK void *WRAP(dlopen)(const char *name, int how)
{
    void *library;

    attach();
    library = PASSED(dlopen)(name, how);
    if (library != NULL && recording_heap())
        question(RING_MAP, self.number, 0, 0);
    return library;
}
#endif

static void exec_begins(const char *path)
{
    uint64_t words[1 + 130] = {nanoseconds()};
    size_t n = strnlen(path, 8 * 130);

    if (!recording_heap() || shared->pid != (uint64_t)getpid()) /* the child of a vfork shares the memory */
        return;
    REAL(memcpy)(words + 1, path, n);
    event(RING_EXEC, self.number, n, words, 1 + (unsigned)(n + 7) / 8);
}

static int exec_failed(int result)
{
    if (recording_heap() && shared->pid == (uint64_t)getpid())
        event(RING_EXEC_FAILED, self.number, 0, NULL, 0);
    return result;
}

WEAK int FUNCTION(execve)(const char *path, char *const *argv, char *const *env)
{
    exec_begins(path);
    return exec_failed(PASSED(execve)(path, argv, env));
}

WEAK int FUNCTION(execvpe)(const char *file, char *const *argv, char *const *env)
{
    exec_begins(file);
    return exec_failed(PASSED(execvpe)(file, argv, env));
}

WEAK int FUNCTION(fexecve)(int fd, char *const *argv, char *const *env)
{
    exec_begins("another program");
    return exec_failed(PASSED(fexecve)(fd, argv, env));
}

WEAK int FUNCTION(execv)(const char *path, char *const *argv) { return FUNCTION(execve)(path, argv, environ); }
WEAK int FUNCTION(execvp)(const char *file, char *const *argv) { return FUNCTION(execvpe)(file, argv, environ); }

/* Copies a variable argument list, NULL included, to an array on the caller's stack. */
#define LIST(argv, first, list)                                                                                        \
    unsigned count = 1, i;                                                                                             \
    va_start(list, first);                                                                                             \
    while (count++, va_arg(list, char *) != NULL)                                                                      \
        ;                                                                                                              \
    va_end(list);                                                                                                      \
    char *argv[count];                                                                                                 \
    argv[0] = (char *)first;                                                                                           \
    va_start(list, first);                                                                                             \
    for (i = 1; i < count; i++)                                                                                        \
    argv[i] = va_arg(list, char *)

WEAK int FUNCTION(execl)(const char *path, const char *first, ...)
{
    va_list list;
    LIST(argv, first, list);
    va_end(list);
    return FUNCTION(execve)(path, argv, environ);
}

WEAK int FUNCTION(execlp)(const char *file, const char *first, ...)
{
    va_list list;
    LIST(argv, first, list);
    va_end(list);
    return FUNCTION(execvpe)(file, argv, environ);
}

WEAK int FUNCTION(execle)(const char *path, const char *first, ...)
{
    char *const *env;
    va_list list;
    LIST(argv, first, list);
    env = va_arg(list, char *const *);
    va_end(list);
    return FUNCTION(execve)(path, argv, env);
}
