/* Threads that count by a library, and have a variable of their own. */
#include <pthread.h>
#include <stddef.h>

long count_to(long to);
static __thread volatile long mine;

static void *work(void *to)
{
    mine = mine + count_to((long)to);
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
    for (int i = 0; i < 3; i++)
        mine = mine + i;
    return 0;
}
