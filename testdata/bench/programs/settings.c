/* Reads its settings, works, reads them once more as for a signal to reload, and works on.
 * usage: settings ENTRIES QUESTIONS */
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int key;
    int value[11];
};

static struct entry **setting;

static void load(int entries, int version)
{
    if (!setting)
        setting = malloc(entries * sizeof *setting);
    for (int i = 0; i < entries; i++) {
        struct entry *e = malloc(sizeof *e);

        e->key = i * version;
        for (int k = 0; k < 11; k++)
            e->value[k] = i + k;
        setting[i] = e;
    }
}

static long work(int entries, int questions)
{
    unsigned seed = 1;
    long sum = 0;

    for (int q = 0; q < questions; q++) {
        const struct entry *e;

        seed = seed * 1664525u + 1013904223u;
        e = setting[(seed >> 4) % (unsigned)entries];
        sum += e->key;
        for (int k = 0; k < 11; k++)
            sum += e->value[k];
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
