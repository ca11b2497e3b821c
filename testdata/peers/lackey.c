/* Work for the comparison of recorders: sorting, hashing, a matrix and text, with vector and string instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned keys[4096], table[1 << 12];
static double a[48][48], b[48][48], c[48][48];
static long counter;

static int compare(const void *x, const void *y)
{
    unsigned p = *(const unsigned *)x, q = *(const unsigned *)y;
    return p < q ? -1 : p > q;
}

static void multiply(void)
{
    for (int i = 0; i < 48; i++)
        for (int j = 0; j < 48; j++) {
            double sum = 0;
            for (int k = 0; k < 48; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static unsigned long words(int n)
{
    char text[200], copy[200];
    unsigned long sum = 0;

    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%u %s %d", keys[i], "and some words", i);
        memcpy(copy, text, sizeof copy);
        for (const char *p = copy; *p; p++)
            sum = sum * 31 + (unsigned char)*p;
    }
    return sum;
}

int main(int argc, char **argv)
{
    unsigned long sum = 0;
    int rounds = argc > 1 ? atoi(argv[1]) : 1;

    for (int round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < 4096; i++)
            keys[i] = (i + (unsigned)round) * 2654435761u >> 7;
        for (int i = 0; i < 48 * 48; i++)
            a[i / 48][i % 48] = b[i % 48][i / 48] = keys[i];
        qsort(keys, 4096, sizeof *keys, compare);
        for (int i = 0; i < 4096; i++)
            table[keys[i] * 2654435761u >> 20] += keys[i];
        multiply();
        __atomic_fetch_add(&counter, (long)c[7][9], __ATOMIC_SEQ_CST);
        sum += words(100) + table[round % 4096];
    }
    printf("%lu %ld\n", sum, counter);
    return 0;
}
