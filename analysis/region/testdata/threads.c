/* Each thread counts for itself; main counts twice as far. */
#include <pthread.h>
#include <stdio.h>

static __thread volatile long count;
static __thread volatile struct { int id; short part[3]; } own = {1, {2, 3, 4}};
__thread volatile char last[40];

static void *work(void *to)
{
    for (long i = 0; i < (long)to; i++)
        count = count + 1; /* to loads and stores */
    own.part[2] = 7;
    last[39] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)(100 * (i + 1)));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    work((void *)1000);
    printf("%p\n", (void *)&own.part[2]);
    return 0;
}
