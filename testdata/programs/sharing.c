/* Four threads that each count in a counter of their own. Side by side the counters share a cache line, which every
 * increment takes away from the other threads' cores; padded each has a line to itself.
 * usage: sharing packed | padded */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 2000, LINE = 64 };

static struct { long count; } packed[THREADS] __attribute__((aligned(LINE)));
static struct { long count; char pad[LINE - sizeof(long)]; } padded[THREADS] __attribute__((aligned(LINE)));

static pthread_barrier_t start;

static void *count_packed(void *arg)
{
    int me = (int)(long)arg;

    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++)
        packed[me].count++;
    return NULL;
}

static void *count_padded(void *arg)
{
    int me = (int)(long)arg;

    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++)
        padded[me].count++;
    return NULL;
}

int main(int argc, char **argv)
{
    int side_by_side = argc == 2 && strcmp(argv[1], "packed") == 0;
    pthread_t thread[THREADS];
    long total = 0;

    if (!side_by_side && (argc != 2 || strcmp(argv[1], "padded") != 0)) {
        fprintf(stderr, "usage: sharing packed | padded\n");
        return 2;
    }
    pthread_barrier_init(&start, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, side_by_side ? count_packed : count_padded, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        total += side_by_side ? packed[i].count : padded[i].count;
    printf("%ld\n", total);
    return total != (long)THREADS * ROUNDS;
}
