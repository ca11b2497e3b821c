/* What both wrappers of the allocator do to the environment. */
#ifndef ORRERY_ENVIRONMENT_H
#define ORRERY_ENVIRONMENT_H

#include <string.h>

extern char **environ;

/* Takes the wrapper out of LD_PRELOAD, where the recorder put it first, before the program can look: its children run
 * without it. */
static void leave_environment(void)
{
    static const char key[] = "LD_PRELOAD=";
    char **e, *rest;

    for (e = environ; e != NULL && *e != NULL; e++) {
        if (strncmp(*e, key, sizeof key - 1) != 0)
            continue;
        rest = *e + sizeof key - 1;
        while (*rest != '\0' && *rest != ':' && *rest != ' ')
            rest++;
        if (*rest != '\0') {
            memmove(*e + sizeof key - 1, rest + 1, strlen(rest + 1) + 1);
            return;
        }
        for (; *e != NULL; e++)
            e[0] = e[1];
        return;
    }
}

#endif
