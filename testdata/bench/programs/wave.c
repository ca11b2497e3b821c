/* A tone, and how loud it is.
 * usage: wave SAMPLES ROUNDS */
#include <stdio.h>
#include <stdlib.h>

static void tone(int *sample, int samples)
{
    int y = 0, v = 1 << 12;

    for (int i = 0; i < samples; i++) {
        v -= y / 64;
        y += v / 64;
        sample[i] = y;
    }
}

static long energy(const int *sample, int samples)
{
    long sum = 0;

    for (int i = 0; i < samples; i++)
        sum += (long)sample[i] * sample[i] >> 8;
    return sum;
}

int main(int argc, char **argv)
{
    int samples = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    int *sample = malloc(samples * sizeof *sample);
    long sum = 0;

    if (!sample)
        return 1;
    for (int r = 0; r < rounds; r++) {
        tone(sample, samples);
        sum += energy(sample, samples);
    }
    printf("%ld\n", sum);
    free(sample);
    return 0;
}
