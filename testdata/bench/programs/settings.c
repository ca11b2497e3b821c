/* Reads its settings, works, reads them once more as for a signal to reload, and works on.
 * usage: settings ENTRIES QUESTIONS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    int key;
    char value[52];
};

static struct entry **setting;

static void load(int entries, int version)
{
    if (!setting)
        setting = malloc(entries * sizeof *setting);
    for (int i = 0; i < entries; i++) {
        struct entry *e = malloc(sizeof *e);

        e->key = i * version;
        memset(e->value, 'a' + i % 26, sizeof e->value);
        setting[i] = e;
    }
}

static long work(int entries, int questions)
{
    unsigned seed = 1;
    long sum = 0;

    for (int q = 0; q < questions; q++) {
        seed = seed * 1664525u + 1013904223u;
        sum += setting[(seed >> 4) % (unsigned)entries]->key;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int entries = argc > 2 ? atoi(argv[1]) : 1, questions = argc > 2 ? atoi(argv[2]) : 1;
    long sum = 0;

    load(entries, 1);
    sum += work(entries, questions);
    load(entries, 2);
    sum += work(entries, questions);
    printf("%ld\n", sum);
    for (int i = 0; i < entries; i++)
        free(setting[i]);
    free(setting);
    return 0;
}
