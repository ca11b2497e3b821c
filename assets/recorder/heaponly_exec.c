/* What the program starts is recorded as well, whatever environment it gives to it: where LD_PRELOAD has lost the
 * wrapper, or the word that says where logs go has been left out, they are put back, and all else is as the program
 * wants it. These calls may be made between vfork and exec, in memory that is the parent's, so that nothing is
 * allocated but on the stack. What the C library starts by itself (system, popen) gets the program's own environment
 * and does not come through here. */
#define _GNU_SOURCE
#include "heaponly.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define MOST (64u << 10) /* bytes on the stack; an environment of some eight thousand words is left alone */

static const char preload_key[] = "LD_PRELOAD=", log_key[] = ORRERY_LOG_VARIABLE "=";

typedef int spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *,
                  char *const *);
static int (*real_execve)(const char *, char *const *, char *const *);
static int (*real_execvpe)(const char *, char *const *, char *const *);
static int (*real_fexecve)(int, char *const *, char *const *);
static int (*real_execveat)(int, const char *, char *const *, char *const *, int);
static spawn *real_spawn, *real_spawnp;
static const char *own; /* the wrapper's path */

/* Looks up in good time what must not be looked up between vfork and exec. */
void orrery_exec_find(void)
{
    Dl_info me;

    real_execve = dlsym(RTLD_NEXT, "execve");
    real_execvpe = dlsym(RTLD_NEXT, "execvpe");
    real_fexecve = dlsym(RTLD_NEXT, "fexecve");
    real_execveat = dlsym(RTLD_NEXT, "execveat");
    real_spawn = dlsym(RTLD_NEXT, "posix_spawn");
    real_spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
    if (dladdr(preload_key, &me) && me.dli_fname != NULL && *me.dli_fname == '/')
        own = me.dli_fname;
}

/* An environment in which something is missing. */
struct lost {
    size_t count, bytes;
    const char *log;      /* what is to be added, or NULL */
    const char *preload;  /* what the program preloads itself, if the wrapper is not among it */
    int wrapper;          /* the wrapper is to be added */
};

/* Whether LIST, as LD_PRELOAD has it, has the wrapper. */
static int has_own(const char *list)
{
    size_t n = strlen(own);

    for (;;) {
        if (strncmp(list, own, n) == 0 && (list[n] == '\0' || list[n] == ':' || list[n] == ' '))
            return 1;
        while (*list != '\0' && *list != ':' && *list != ' ')
            list++;
        if (*list++ == '\0')
            return 0;
    }
}

/* The directory of the logs, with room for TAIL bytes behind it, as long as the recorder has it; else 0. */
static size_t place(const struct image *i, char *to, size_t size, size_t tail)
{
    const char *end = i->prefix == NULL ? NULL : strrchr(i->prefix, '/');
    size_t n = end == NULL ? 0 : (size_t)(end - i->prefix) + 1;
    int error = errno, there;

    if (n == 0 || n + tail >= size)
        return 0;
    memcpy(to, i->prefix, n);
    to[n] = '\0';
    there = access(to, W_OK) == 0;
    errno = error;
    return there ? n : 0;
}

static int has_lost(char *const env[], struct lost *l)
{
    char at[PATH_MAX];
    struct image i;

    orrery_log_image(&i);
    *l = (struct lost){.log = i.variable, .wrapper = 1, .preload = ""};
    if (own == NULL || i.prefix == NULL || orrery_is_filtered(0))
        return 0;
    for (; env != NULL && env[l->count] != NULL; l->count++) {
        const char *e = env[l->count];

        if (strncmp(e, log_key, sizeof log_key - 1) == 0) {
            l->log = NULL; /* perhaps another recorder's */
        } else if (strncmp(e, preload_key, sizeof preload_key - 1) == 0) {
            l->preload = e + sizeof preload_key - 1;
            l->wrapper = !has_own(l->preload);
        }
    }
    if (l->log == NULL && !l->wrapper)
        return 0;
    l->bytes = (l->count + 3) * sizeof *env + sizeof preload_key + strlen(own) + 1 + strlen(l->preload) + 1;
    return l->bytes <= MOST && place(&i, at, sizeof at, 1) > 0;
}

/* Gives ENV with what it has lost, in room for l->bytes. */
static char *const *give_back(const struct lost *l, char *const env[], void *room)
{
    char **out = room, *text = (char *)(out + l->count + 3);
    size_t i, n = 0;

    for (i = 0; i < l->count; i++)
        if (!l->wrapper || strncmp(env[i], preload_key, sizeof preload_key - 1) != 0)
            out[n++] = env[i];
    if (l->wrapper) {
        out[n++] = text;
        text = stpcpy(stpcpy(text, preload_key), own);
        if (*l->preload != '\0') {
            *text++ = ':';
            strcpy(text, l->preload);
        }
    }
    if (l->log != NULL)
        out[n++] = (char *)l->log;
    out[n] = NULL;
    return out;
}

/* Declares NAME, which is ENV with what it has lost. */
#define WHOLE(name, env)          \
    char *const *name = (env);    \
    struct lost l_##name;         \
    if (has_lost(name, &l_##name)) \
        name = give_back(&l_##name, name, alloca(l_##name.bytes))

/* Whether the C library's call is known: a library that starts before the wrapper may be the first to need it. */
#define KNOWN(real) (real != NULL || (orrery_exec_find(), real != NULL))

/* Leaves a link from exec.PID.N to the program, where PREFIX.PID.N will be its log: a process that this one has
 * started is new. It is missed only if it is not recorded. */
static void expect(long pid, const char *program, int expected)
{
    char at[PATH_MAX];
    struct image i;
    size_t n;
    int error = errno;

    orrery_log_image(&i);
    if (orrery_is_filtered(expected ? 1 : -1))
        return;
    n = place(&i, at, sizeof at, 64);
    if (n == 0)
        return;
    snprintf(at + n, sizeof at - n, "exec.%ld.%d", pid, pid == i.pid ? i.number + 1 : 0);
    if (!expected)
        unlink(at);
    else if (symlink(program, at) != 0)
        at[0] = '\0'; /* then nobody is told */
    errno = error;
}

/* Becomes PROGRAM. That a log is expected of it is said before, and taken back if the call returns. */
#define BECOME(program, real, ...)                                       \
    do {                                                                 \
        long pid = orrery_is_filtered(0) ? 0 : getpid();                 \
        int failed;                                                      \
        expect(pid, program, 1);                                         \
        failed = KNOWN(real) ? real(__VA_ARGS__) : (errno = ENOSYS, -1); \
        expect(pid, program, 0);                                         \
        return failed;                                                   \
    } while (0)

#define SPAWN(program, real, ...)                                      \
    do {                                                               \
        pid_t child = 0;                                               \
        int failed = KNOWN(real) ? real(&child, __VA_ARGS__) : ENOSYS; \
        if (failed == 0)                                               \
            expect(child, program, 1);                                 \
        if (failed == 0 && pid != NULL)                                \
            *pid = child;                                              \
        return failed;                                                 \
    } while (0)

/* Declares argv, the arguments from FIRST, and takes what stands behind them. */
#define ARGUMENTS(first, behind)                       \
    va_list more;                                      \
    size_t n = 0, i;                                   \
    char **argv;                                       \
    va_start(more, first);                             \
    for (const char *a = first; a != NULL; n++)        \
        a = va_arg(more, const char *);                \
    behind;                                            \
    va_end(more);                                      \
    argv = alloca((n + 1) * sizeof *argv);             \
    argv[0] = (char *)first;                           \
    va_start(more, first);                             \
    for (i = 1; i <= n; i++)                           \
        argv[i] = va_arg(more, char *);                \
    va_end(more)

EXPORT int execve(const char *path, char *const argv[], char *const env[])
{
    WHOLE(whole, env);
    BECOME(path, real_execve, path, argv, whole);
}

EXPORT int execv(const char *path, char *const argv[])
{
    WHOLE(whole, environ);
    BECOME(path, real_execve, path, argv, whole);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const env[])
{
    WHOLE(whole, env);
    BECOME(file, real_execvpe, file, argv, whole);
}

EXPORT int execvp(const char *file, char *const argv[])
{
    WHOLE(whole, environ);
    BECOME(file, real_execvpe, file, argv, whole);
}

EXPORT int execl(const char *path, const char *first, ...)
{
    ARGUMENTS(first, (void)0);
    WHOLE(whole, environ);
    BECOME(path, real_execve, path, argv, whole);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
    ARGUMENTS(first, (void)0);
    WHOLE(whole, environ);
    BECOME(file, real_execvpe, file, argv, whole);
}

EXPORT int execle(const char *path, const char *first, ...)
{
    char *const *env;
    ARGUMENTS(first, env = va_arg(more, char *const *));
    WHOLE(whole, env);
    BECOME(path, real_execve, path, argv, whole);
}

EXPORT int fexecve(int fd, char *const argv[], char *const env[])
{
    WHOLE(whole, env);
    BECOME("a file", real_fexecve, fd, argv, whole);
}

EXPORT int execveat(int dir, const char *path, char *const argv[], char *const env[], int flags)
{
    WHOLE(whole, env);
    BECOME(path, real_execveat, dir, path, argv, whole, flags);
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
    WHOLE(whole, env);
    SPAWN(path, real_spawn, path, actions, attr, argv, whole);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
    WHOLE(whole, env);
    SPAWN(file, real_spawnp, file, actions, attr, argv, whole);
}
