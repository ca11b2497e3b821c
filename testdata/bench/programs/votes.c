/* Counts the votes of each ward in a thread of its own, district by district: all wait for the last before the next.
 * usage: votes VOTES DISTRICTS ROUNDS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARDS = 4 };

static struct { int yes, no; } result[WARDS];
static const unsigned *vote;
static int votes, districts, rounds;
static pthread_barrier_t barrier;

static void *ward(void *arg)
{
    int w = *(int *)arg, each = votes / districts / WARDS;

    for (int r = 0; r < rounds; r++) {
        for (int d = 0; d < districts; d++) {
            const unsigned *v = vote + (d * WARDS + w) * each;

            for (int i = 0; i < each; i++) {
                if (v[i] % 3 == 0)
                    result[w].yes++;
                else
                    result[w].no++;
            }
            pthread_barrier_wait(&barrier);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[WARDS];
    int number[WARDS], yes = 0;
    unsigned *all = malloc((votes = argc > 3 ? atoi(argv[1]) : 4) * sizeof *all);

    districts = argc > 3 ? atoi(argv[2]) : 1;
    rounds = argc > 3 ? atoi(argv[3]) : 1;
    if (!all || fread(all, sizeof *all, votes, stdin) != (size_t)votes)
        return 1;
    vote = all;
    pthread_barrier_init(&barrier, NULL, WARDS);
    for (int w = 0; w < WARDS; w++) {
        number[w] = w;
        pthread_create(&thread[w], NULL, ward, &number[w]);
    }
    for (int w = 0; w < WARDS; w++) {
        pthread_join(thread[w], NULL);
        yes += result[w].yes;
    }
    printf("%d\n", yes);
    free(all);
    return 0;
}
