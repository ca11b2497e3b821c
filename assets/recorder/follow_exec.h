/* A program that becomes another one, by exec, is followed: instead of the new program itself the emulator is
 * started, with the plugin, to run it. Whatever speaks against that (a program for another processor, one that
 * changes the user, a script without its interpreter) leaves the exec to be done as the program asked, unrecorded.
 * Included by plugin.c alone. */
#ifndef ORRERY_FOLLOW_EXEC_H
#define ORRERY_FOLLOW_EXEC_H

#include "image.h"
#include "qemu.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/xattr.h>

#define MAX_STRINGS (1 << 17)

/* A string of the program where the emulator has it; the kernel looks whether it can be read. */
static char *at(uint64_t guest) { return (char *)(guest + guest_base); }

/* The number of words before the zero word at a guest address, or -1. */
static long count_words(uint64_t guest)
{
    uint64_t word;
    long n;

    if (guest == 0)
        return 0;
    for (n = 0; n < MAX_STRINGS; n++)
        if (!peek(&word, guest + 8 * (uint64_t)n, 8))
            return -1;
        else if (word == 0)
            return n;
    return -1;
}

/* How long a string of the program is, or -1 when it cannot be read. It is read in parts that each lie in one page: a
 * string may end just before a hole in the memory. */
static long string_length(uint64_t from)
{
    char part[256], *zero;
    long have = 0;
    size_t n;

    for (;; have += (long)n) {
        n = sizeof part - (from + (uint64_t)have) % sizeof part;
        if (!peek(part, from + (uint64_t)have, n))
            return -1;
        if ((zero = memchr(part, '\0', n)) != NULL)
            return have + (zero - part);
    }
}

/* Copies a string out of the program; false when it cannot be read or is longer than SIZE - 1. */
static bool copy_string(char *to, uint64_t from, size_t size)
{
    long n = string_length(from);

    return n >= 0 && (size_t)n < size && peek(to, from, (size_t)n + 1);
}

/* Whether a file may be run as it stands, without a change of user, and be read by the emulator. */
static bool may_run(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & (S_ISUID | S_ISGID)) &&
           faccessat(AT_FDCWD, path, X_OK | R_OK, AT_EACCESS) == 0 &&
           getxattr(path, "security.capability", NULL, 0) < 0;
}

/* Whether the emulator can run it: a program for this processor whose loader is there. */
static bool is_program(int fd)
{
    Elf64_Ehdr e;
    unsigned i;

    if (pread(fd, &e, sizeof e, 0) != (ssize_t)sizeof e || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
        e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_machine != EM_X86_64 || (e.e_type != ET_EXEC && e.e_type != ET_DYN) ||
        e.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    for (i = 0; i < e.e_phnum; i++) {
        char loader[PATH_MAX];
        Elf64_Phdr p;

        if (pread(fd, &p, sizeof p, (off_t)(e.e_phoff + i * sizeof p)) != (ssize_t)sizeof p)
            return false;
        if (p.p_type != PT_INTERP)
            continue;
        if (p.p_filesz == 0 || p.p_filesz > sizeof loader ||
            pread(fd, loader, p.p_filesz, (off_t)p.p_offset) != (ssize_t)p.p_filesz)
            return false;
        loader[p.p_filesz - 1] = '\0';
        return access(loader, R_OK) == 0;
    }
    return true;
}

/* What a script's first line asks for: its interpreter and at most one argument. */
struct script {
    char line[256];
    char *interpreter, *argument;
};

static bool read_script(int fd, struct script *s)
{
    ssize_t n = pread(fd, s->line, sizeof s->line - 1, 0);
    char *p, *stop;

    if (n < 3 || s->line[0] != '#' || s->line[1] != '!')
        return false;
    s->line[n] = '\0';
    stop = memchr(s->line, '\n', (size_t)n);
    if (stop == NULL)
        return false;
    while (stop > s->line + 2 && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    *stop = '\0';
    for (p = s->line + 2; *p == ' ' || *p == '\t'; p++)
        ;
    s->interpreter = p;
    while (*p != '\0' && *p != ' ' && *p != '\t')
        p++;
    s->argument = NULL;
    if (*p != '\0') {
        *p++ = '\0';
        while (*p == ' ' || *p == '\t')
            p++;
        s->argument = p;
    }
    return *s->interpreter == '/';
}

/* The program as its own process sees it is not the emulator, which the system would name. */
static bool is_self(const char *path)
{
    char own[40];

    snprintf(own, sizeof own, "/proc/%d/exe", (int)getpid());
    return strcmp(path, "/proc/self/exe") == 0 || strcmp(path, "/proc/thread-self/exe") == 0 || strcmp(path, own) == 0;
}

/* The emulator's view of an environment: what steers the dynamic linker is meant for the program alone (see splitEnv in
 * traceio/record/environment.go, the twin of this). Appends to argv the options for it, and gives the rest. */
static bool split_environment(uint64_t envp, long n, char **argv, size_t *argc, char **rest, char *preload, size_t size)
{
    size_t kept = 0, used;
    long i;

    used = (size_t)snprintf(preload, size, "LD_PRELOAD=%s", control->preload);
    if (used >= size)
        return false;
    for (i = 0; i < n; i++) {
        char head[12] = "";
        uint64_t word;
        char *s;

        if (!peek(&word, envp + 8 * (uint64_t)i, 8) || !peek(head, word, 3))
            return false;
        s = at(word);
        if (memcmp(head, "LD_", 3) != 0 || string_length(word) < 0 || strchr(s, ',') != NULL) {
            rest[kept++] = s;
            continue;
        }
        if (strncmp(s, "LD_PRELOAD=", 11) != 0) {
            argv[(*argc)++] = "-E";
            argv[(*argc)++] = s;
        } else if (s[11] != '\0') {
            int more = snprintf(preload + used, size - used, ":%s", s + 11);

            if (more < 0 || (used += (size_t)more) >= size)
                return false;
        }
    }
    rest[kept] = NULL;
    argv[(*argc)++] = "-E";
    argv[(*argc)++] = preload;
    return true;
}

/* The file to run for PATH and, when that is a script, what its first line says; false when it must be run natively. */
static bool resolve(const char *path, char *file, struct script *s, bool *scripted)
{
    int fd;
    bool good;

    *scripted = false;
    snprintf(file, PATH_MAX, "%s", path);
    if (!may_run(path) || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return false;
    if (read_script(fd, s)) {
        close(fd);
        *scripted = true;
        snprintf(file, PATH_MAX, "%s", s->interpreter);
        if (!may_run(file) || (fd = open(file, O_RDONLY | O_CLOEXEC)) < 0)
            return false;
    }
    good = is_program(fd);
    close(fd);
    return good;
}

/* Does not return when it succeeds. */
static void follow_exec(uint64_t path_at, uint64_t argv_at, uint64_t envp_at)
{
    char path[PATH_MAX], file[PATH_MAX], full[2 * PATH_MAX], preload[2 * CONTROL_PATH], option[2 * CONTROL_PATH + 8];
    long argn = count_words(argv_at), envn = count_words(envp_at), i;
    struct script script;
    bool scripted;
    char **argv, **env;
    size_t n = 0;
    uint64_t word;

    if (argn < 1 || envn < 0 || !copy_string(path, path_at, sizeof path))
        return;
    if (is_self(path))
        snprintf(path, sizeof path, "%s", qemu_plugin_path_to_binary());
    if (!resolve(path, file, &script, &scripted))
        return;
    if (file[0] == '/')
        snprintf(full, sizeof full, "%s", file);
    else if (getcwd(full, PATH_MAX) == NULL || strlen(full) + strlen(file) + 2 > sizeof full)
        return;
    else
        strcat(strcat(full, "/"), file);
    argv = malloc((size_t)(argn + 2 * envn + 24) * sizeof *argv);
    env = malloc((size_t)(envn + 1) * sizeof *env);
    if (argv == NULL || env == NULL || !peek(&word, argv_at, 8))
        goto native;
    argv[n++] = control->emulator;
    argv[n++] = "-cpu";
    argv[n++] = "max";
    argv[n++] = "-0";
    argv[n++] = scripted ? script.interpreter : at(word);
    if (!split_environment(envp_at, envn, argv, &n, env, preload, sizeof preload))
        goto native;
    snprintf(option, sizeof option, "%s,dir=%s", control->plugin, control->directory);
    argv[n++] = "-plugin";
    argv[n++] = option;
    argv[n++] = full;
    if (scripted && script.argument != NULL)
        argv[n++] = script.argument;
    if (scripted)
        argv[n++] = path;
    for (i = 1; i < argn; i++) {
        if (!peek(&word, argv_at + 8 * (uint64_t)i, 8))
            goto native;
        argv[n++] = at(word);
    }
    argv[n] = NULL;
    execve(control->emulator, argv, env);
native:
    free(argv);
    free(env);
}

#endif
