/* A dictionary of numbered words: how often the words of a text are in it.
 * usage: words WORDS LOOKUPS */
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 256 };

struct word {
    struct word *next;
    unsigned key;
    int count;
};

static struct word *bucket[BUCKETS];

static unsigned number(unsigned i) { return i * 2654435761u; }

static struct word *find(unsigned key)
{
    struct word *w = bucket[key >> 24];

    while (w && w->key != key)
        w = w->next;
    return w;
}

int main(int argc, char **argv)
{
    unsigned words = argc > 2 ? atoi(argv[1]) : 1, lookups = argc > 2 ? atoi(argv[2]) : 1, seed = 1;
    long found = 0;

    for (unsigned i = 0; i < words; i++) {
        struct word *w = malloc(sizeof *w), **b = &bucket[number(i) >> 24];

        *w = (struct word){*b, number(i), 0};
        *b = w;
    }
    for (unsigned i = 0; i < lookups; i++) {
        struct word *w = find(number((seed = seed * 1664525u + 1013904223u) % words));

        found += ++w->count;
    }
    printf("%ld\n", found);
    for (int b = 0; b < BUCKETS; b++) {
        for (struct word *w = bucket[b], *next; w; w = next) {
            next = w->next;
            free(w);
        }
    }
    return 0;
}
