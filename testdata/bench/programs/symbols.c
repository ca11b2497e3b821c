/* A symbol table whose hash is the first letter and the length of the name.
 * usage: symbols SYMBOLS LOOKUPS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    struct symbol *next;
    int value;
    char name[24];
};

static struct symbol *table[1024];

static struct symbol **slot(const char *name) { return &table[(name[0] * 31 + strlen(name)) % 1024]; }

static int value(const char *name, int code)
{
    for (struct symbol *s = *slot(name); s; s = s->next) {
        if (s->value == code)
            return s->name[1];
    }
    return 0;
}

int main(int argc, char **argv)
{
    int symbols = argc > 2 ? atoi(argv[1]) : 1, lookups = argc > 2 ? atoi(argv[2]) : 1;
    unsigned seed = 1;
    long total = 0;

    for (int i = 0; i < symbols; i++) {
        struct symbol *s = calloc(1, sizeof *s);

        memcpy(s->name, "variable", 9);
        s->name[1] = 'a' + i % 26;
        s->value = i;
        s->next = *slot(s->name);
        *slot(s->name) = s;
    }
    for (int i = 0; i < lookups; i++)
        total += value("variable", (int)((seed = seed * 1664525u + 1013904223u) % (unsigned)symbols));
    printf("%ld\n", total);
    for (struct symbol *s = *slot("variable"), *next; s; s = next) {
        next = s->next;
        free(s);
    }
    return 0;
}
