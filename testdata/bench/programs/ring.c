/* A coder puts differences into a ring, from which a decoder takes them. The numbers come on standard input.
 * usage: ring NUMBERS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 128 };

static unsigned ring[ROOM];

static unsigned pass(const unsigned *x, int n)
{
    unsigned put = 0, taken = 0, before = 0, sum = 0, last = 0;

    for (int i = 0; i < n; i++) {
        ring[put++ % ROOM] = x[i] - before;
        before = x[i];
        if (put - taken == ROOM) {
            while (taken != put)
                sum ^= last += ring[taken++ % ROOM];
        }
    }
    while (taken != put)
        sum ^= last += ring[taken++ % ROOM];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    unsigned *x = malloc(n * sizeof *x), sum = 0;

    if (!x || fread(x, sizeof *x, n, stdin) != (size_t)n)
        return 1;
    for (int r = 0; r < rounds; r++)
        sum += pass(x, n);
    printf("%u\n", sum);
    free(x);
    return 0;
}
