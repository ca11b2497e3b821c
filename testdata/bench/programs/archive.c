/* Counts the last digits of the numbers on standard input and then works with the counts alone.
 * usage: archive NUMBERS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS = 10 };

static unsigned count[DIGITS];

static unsigned long mix(int rounds)
{
    unsigned long h = 1;

    for (int r = 0; r < rounds; r++) {
        for (int d = 0; d < DIGITS; d++)
            h = (h ^ count[d]) * 1099511628211ul;
        count[h % DIGITS]++;
    }
    return h;
}

int main(int argc, char **argv)
{
    size_t numbers = argc > 2 ? atoi(argv[1]) : 1;
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    unsigned *number = malloc(numbers * sizeof *number);

    if (!number || fread(number, sizeof *number, numbers, stdin) != numbers)
        return 1;
    for (size_t i = 0; i < numbers; i++)
        count[number[i] % DIGITS]++;
    printf("%lu\n", mix(rounds) % 1000003);
    free(number);
    return 0;
}
