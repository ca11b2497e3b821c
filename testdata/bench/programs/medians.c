/* The median of each group of readings, which come on standard input.
 * usage: medians GROUPS ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 8 };

static long median(const long *reading)
{
    long *sorted = malloc(GROUP * sizeof *sorted), middle;

    memcpy(sorted, reading, GROUP * sizeof *sorted);
    for (int i = 1; i < GROUP; i++) {
        long x = sorted[i];
        int j = i;

        for (; j > 0 && sorted[j - 1] > x; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = x;
    }
    middle = sorted[GROUP / 2];
    free(sorted);
    return middle;
}

int main(int argc, char **argv)
{
    int groups = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    long *reading = malloc(groups * GROUP * sizeof *reading), sum = 0;

    if (!reading || fread(reading, GROUP * sizeof *reading, groups, stdin) != (size_t)groups)
        return 1;
    for (int r = 0; r < rounds; r++) {
        for (int g = 0; g < groups; g++)
            sum += median(reading + g * GROUP) & 1023;
    }
    printf("%ld\n", sum);
    free(reading);
    return 0;
}
