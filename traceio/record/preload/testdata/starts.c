/* Starts itself in every way that there is, each time with an environment of one word; the child allocates as many bytes as its
 * argument says and tells what it finds in its environment. With "until FILE" as arguments a forked child and the program itself
 * allocate until there is the file, and the program writes a line when both have ended. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *word[] = {"WORD=1", NULL}, *preloading[] = {"LD_PRELOAD=libm.so.6", "WORD=1", NULL};

static void start(int way, char *self)
{
    char size[20], *argv[] = {self, size, NULL};
    pid_t pid = -1;

    snprintf(size, sizeof size, "%d", 5000 + way);
    if (way == 0) {
        posix_spawn(&pid, self, NULL, NULL, argv, word);
    } else if (way == 1) {
        posix_spawnp(&pid, self, NULL, NULL, argv, word);
    } else if ((pid = way % 2 ? vfork() : fork()) == 0) {
        if (way > 8)
            environ = word;
        switch (way) {
        case 2: execve(self, argv, word); break;
        case 3: execvpe(self, argv, word); break;
        case 4: execle(self, self, size, NULL, word); break;
        case 5: execveat(AT_FDCWD, self, argv, word, 0); break;
        case 6: fexecve(open(self, O_RDONLY), argv, word); break;
        case 7: execve(self, argv, preloading); break;
        case 8: execve(self, argv, NULL); break;
        case 10: execv(self, argv); break;
        case 12: execvp(self, argv); break;
        case 14: execl(self, self, size, NULL); break;
        case 16: execlp(self, self, size, NULL); break;
        }
        _exit(1);
    }
    waitpid(pid, NULL, 0);
}

static void until(const char *file)
{
    do
        for (int i = 0; i < 1000; i++)
            free(malloc(100));
    while (access(file, F_OK));
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        pid_t child = fork();
        FILE *done;
        char name[4096];

        until(argv[2]);
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
        snprintf(name, sizeof name, "%s.done", argv[2]);
        done = fopen(name, "w");
        return done == NULL || fprintf(done, "unharmed") < 0 || fclose(done);
    }
    if (argc == 2) {
        int n = 0;
        const char *own = getenv("LD_PRELOAD"), *w = getenv("WORD");
        free(malloc((size_t)atoi(argv[1])));
        for (char **e = environ; *e; e++)
            n++;
        own = own && strchr(own, ':') ? strchr(own, ':') : "";
        printf("%s %d %s%s\n", argv[1], n, w ? w : "-", own);
        return 0;
    }
    for (int way = 0; way <= 8; way++)
        start(way, argv[0]);
    for (int way = 10; way <= 16; way += 2)
        start(way, argv[0]);
    return 0;
}
