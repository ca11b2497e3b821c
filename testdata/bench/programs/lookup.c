/* Looks numbers up in a sorted array.
 * usage: lookup NUMBERS LOOKUPS */
#include <stdio.h>
#include <stdlib.h>

static int rank(const int *sorted, int n, int x)
{
    int low = 0, high = n;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 1, lookups = argc > 2 ? atoi(argv[2]) : 1;
    int *sorted = malloc(n * sizeof *sorted);
    unsigned seed = 1;
    long sum = 0;

    if (!sorted)
        return 1;
    for (int i = 0; i < n; i++)
        sorted[i] = 3 * i;
    for (int i = 0; i < lookups; i++) {
        seed = seed * 1664525u + 1013904223u;
        sum += rank(sorted, n, (int)((seed >> 4) % (3u * n)));
    }
    printf("%ld\n", sum);
    free(sorted);
    return 0;
}
