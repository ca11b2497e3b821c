/* Sums the dues of the members of a club, who are in the list in the order in which they joined.
 * usage: roster MEMBERS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

struct member {
    struct member *next;
    int number, dues;
};

static struct member *join(int members)
{
    struct member **card = malloc(members * sizeof *card), *first = NULL;
    unsigned seed = 1;

    for (int i = 0; i < members; i++) {
        card[i] = malloc(sizeof **card);
        card[i]->number = i;
        card[i]->dues = 10 + i % 7;
    }
    for (int i = members; i > 0; i--) {
        int j = (int)((seed = seed * 1664525u + 1013904223u) % (unsigned)i);
        struct member *m = card[j];

        card[j] = card[i - 1];
        m->next = first;
        first = m;
    }
    free(card);
    return first;
}

int main(int argc, char **argv)
{
    int members = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    struct member *first = join(members), *next;
    long total = 0;

    for (int r = 0; r < rounds; r++) {
        for (struct member *m = first; m; m = m->next)
            total += m->dues;
    }
    printf("%ld\n", total);
    for (; first; first = next) {
        next = first->next;
        free(first);
    }
    return 0;
}
