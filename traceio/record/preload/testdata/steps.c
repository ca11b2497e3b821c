/* For each number that comes in, two threads make so many blocks each, and free every other one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static void *work(void *size)
{
    void *last = NULL;

    for (int i = 0; i < n; i++) {
        void *p = malloc((size_t)size + (size_t)i % 100);
        if (i % 2)
            free(last);
        last = p;
    }
    return last;
}

int main(void)
{
    while (scanf("%d", &n) == 1) {
        pthread_t other;
        pthread_create(&other, NULL, work, (void *)1000);
        work((void *)10);
        pthread_join(other, NULL);
        printf("%d\n", n);
        fflush(stdout);
    }
    return 0;
}
