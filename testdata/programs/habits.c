/* Habits of memory that cost, each in a small loop, and the same work done well.
 * usage: habits loops | fused | stream | structs | arrays | hoard */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1024, PARTICLES = 512, RECORDS = 2048, TABLE = 360, ROUNDS = 4 };

static double a[N], b[N], c[N];

static struct particle { double x, y, z, vx, vy, vz, mass, charge; } particle[PARTICLES];
static double px[PARTICLES];

static struct record { long key, value, time, flags; } record[RECORDS];
static long table[TABLE];

/* Two loops over the same arrays: the second fetches again all that the first has had. */
static void two_loops(void)
{
    for (int i = 0; i < N; i++)
        b[i] = 2 * a[i];
    for (int i = 0; i < N; i++)
        c[i] = a[i] + b[i];
}

/* The same in one loop. */
static void one_loop(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = 2 * a[i];
        c[i] = a[i] + b[i];
    }
}

/* Records pass once, each a block long, and push the table out that is looked up for each of them. */
static long look_up(void)
{
    long sum = 0;

    for (int i = 0; i < RECORDS; i++) {
        struct record *r = &record[i];

        sum += r->value + r->time + r->flags + table[r->key];
    }
    return sum;
}

/* One field of eight is used of each particle. */
static double field_of_structs(void)
{
    double sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PARTICLES; i++)
            sum += particle[i].x;
    }
    return sum;
}

/* The same field in an array of its own. */
static double array_of_fields(void)
{
    double sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PARTICLES; i++)
            sum += px[i];
    }
    return sum;
}

/* Blocks that are asked for far too large, or kept far too long. */
static long hoard(void)
{
    long *kept = malloc(N * sizeof *kept);
    long *large = malloc(8 * N * sizeof *large);
    long sum = 0;

    for (int i = 0; i < N; i++)
        kept[i] = i;
    for (int i = 0; i < N; i++)
        sum += kept[i];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            large[i] = sum + i;
    }
    sum += large[N - 1];
    free(large);
    free(kept);
    return sum;
}

int main(int argc, char **argv)
{
    const char *how = argc == 2 ? argv[1] : "";
    double sum = 0;
    unsigned seed = 1;

    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int i = 0; i < RECORDS; i++) {
        seed = seed * 1103515245u + 12345u;
        record[i] = (struct record){(seed >> 16) % TABLE, i, i, i};
    }
    if (strcmp(how, "loops") == 0)
        two_loops();
    else if (strcmp(how, "fused") == 0)
        one_loop();
    else if (strcmp(how, "stream") == 0)
        sum = look_up();
    else if (strcmp(how, "structs") == 0)
        sum = field_of_structs();
    else if (strcmp(how, "arrays") == 0)
        sum = array_of_fields();
    else if (strcmp(how, "hoard") == 0)
        sum = hoard();
    else {
        fprintf(stderr, "usage: habits loops | fused | stream | structs | arrays | hoard\n");
        return 2;
    }
    printf("%g\n", sum + c[N - 1]);
    return 0;
}
