/* Looks up code words, each of sixteen numbers, and adds up what is in them.
 * usage: codebook WORDS LOOKUPS */
#include <stdio.h>
#include <stdlib.h>

struct word {
    int part[16];
};

static long decode(const struct word *w)
{
    long sum = 0;

    for (int k = 0; k < 16; k++)
        sum += w->part[k];
    return sum;
}

int main(int argc, char **argv)
{
    unsigned words = argc > 2 ? atoi(argv[1]) : 1, lookups = argc > 2 ? atoi(argv[2]) : 1, seed = 1;
    struct word *book = malloc(words * sizeof *book);
    long sum = 0;

    if (!book)
        return 1;
    for (unsigned i = 0; i < words; i++) {
        for (int k = 0; k < 16; k++)
            book[i].part[k] = (int)(i + k) % 256;
    }
    for (unsigned i = 0; i < lookups; i++) {
        seed = seed * 1664525u + 1013904223u;
        sum += decode(&book[(seed >> 4) % words]);
    }
    printf("%ld\n", sum);
    free(book);
    return 0;
}
