/* A checksum of the numbers on standard input.
 * usage: once NUMBERS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

static unsigned checksum(const unsigned *x, size_t n)
{
    unsigned a = 1, b = 0;

    for (size_t i = 0; i < n; i++) {
        a += x[i];
        b += a;
    }
    return a ^ b;
}

int main(int argc, char **argv)
{
    size_t n = argc > 2 ? atoi(argv[1]) : 1;
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    unsigned *x = malloc(n * sizeof *x), sum = 0;

    if (!x || fread(x, sizeof *x, n, stdin) != n)
        return 1;
    for (int r = 0; r < rounds; r++)
        sum += checksum(x, n);
    printf("%u\n", sum);
    free(x);
    return 0;
}
