/* The clock of a buffer pool: each page that was used since the hand last came by gets another chance.
 * usage: frames FRAMES TURNS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct frame {
    int used;
    int dirty;
    char page[4088];
};

static long turn(struct frame *pool, int frames)
{
    long candidates = 0;

    for (int i = 0; i < frames; i++) {
        if (pool[i].used > 0)
            pool[i].used--;
        else
            candidates++;
    }
    return candidates;
}

int main(int argc, char **argv)
{
    int frames = argc > 2 ? atoi(argv[1]) : 1, turns = argc > 2 ? atoi(argv[2]) : 1;
    struct frame *pool = malloc(frames * sizeof *pool);
    long candidates = 0;

    if (!pool)
        return 1;
    for (int i = 0; i < frames; i++) {
        pool[i].used = i % 7;
        pool[i].dirty = 0;
        memset(pool[i].page, i, sizeof pool[i].page);
    }
    for (int t = 0; t < turns; t++)
        candidates += turn(pool, frames);
    printf("%ld\n", candidates);
    free(pool);
    return 0;
}
