/* The mean reading of every day over all stations. Readings come on standard input, one station after the other.
 * usage: stations STATIONS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { DAYS = 90 };

static long means(int (*reading)[DAYS], int stations)
{
    long total = 0;

    for (int day = 0; day < DAYS; day++) {
        long sum = 0;

        for (int s = 0; s < stations; s++)
            sum += reading[s][day] % 1000;
        total += sum / stations;
    }
    return total;
}

int main(int argc, char **argv)
{
    int stations = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    int (*reading)[DAYS] = malloc(stations * sizeof *reading);
    long total = 0;

    if (!reading || fread(reading, sizeof *reading, stations, stdin) != (size_t)stations)
        return 1;
    for (int r = 0; r < rounds; r++)
        total += means(reading, stations);
    printf("%ld\n", total);
    free(reading);
    return 0;
}
