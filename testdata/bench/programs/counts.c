/* Counts how many different numbers come on standard input, in a table with open addressing.
 * usage: counts SLOTS NUMBERS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

struct slot {
    unsigned key, count;
};

static unsigned count(struct slot *table, unsigned slots, const unsigned *x, unsigned n)
{
    unsigned used = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned key = (x[i] >> 4) % (slots / 2) + 1, at = key * 2654435761u % slots;

        while (table[at].key != 0 && table[at].key != key)
            at = (at + 1) % slots;
        used += table[at].count++ == 0;
        table[at].key = key;
    }
    return used;
}

int main(int argc, char **argv)
{
    unsigned slots = argc > 3 ? atoi(argv[1]) : 2, n = argc > 3 ? atoi(argv[2]) : 1, used = 0;
    int rounds = argc > 3 ? atoi(argv[3]) : 1;
    struct slot *table = calloc(slots, sizeof *table);
    unsigned *x = malloc(n * sizeof *x);

    if (!table || !x || fread(x, sizeof *x, n, stdin) != n)
        return 1;
    for (int r = 0; r < rounds; r++)
        used += count(table, slots, x, n);
    printf("%u\n", used);
    free(x);
    free(table);
    return 0;
}
