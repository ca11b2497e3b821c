/* Gathers the numbers of a sequence in an array that is made longer whenever it is full.
 * usage: gather NUMBERS PIECE ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array {
    int *item;
    int count, room;
};

static void append(struct array *a, int item, int piece)
{
    if (a->count == a->room) {
        int *more = malloc((a->room + piece) * sizeof *more);

        if (a->count > 0)
            memcpy(more, a->item, a->count * sizeof *more);
        free(a->item);
        a->item = more;
        a->room += piece;
    }
    a->item[a->count++] = item;
}

int main(int argc, char **argv)
{
    int numbers = argc > 3 ? atoi(argv[1]) : 1, piece = argc > 3 ? atoi(argv[2]) : 1;
    int rounds = argc > 3 ? atoi(argv[3]) : 1;
    long sum = 0;

    for (int r = 0; r < rounds; r++) {
        struct array a = {NULL, 0, 0};

        for (int i = 0; i < numbers; i++)
            append(&a, i % 1000 + r, piece);
        sum += a.item[numbers / 2];
        free(a.item);
    }
    printf("%ld\n", sum);
    return 0;
}
