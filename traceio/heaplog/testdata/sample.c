/* A program whose allocations the samples beside it log. */
#include <mcheck.h>
#include <stdlib.h>
#include <string.h>

struct word { struct word *next; char text[20]; };

static struct word *push(struct word *head, int n)
{
    struct word *w = malloc(sizeof *w);

    memset(w->text, 'a' + n % 26, sizeof w->text);
    w->next = head;
    return w;
}

static struct word *drop(struct word *head)
{
    struct word *next = head->next;

    free(head);
    return next;
}

int main(void)
{
    struct word *list = NULL;
    char *buffer = NULL;
    void *aligned;

    mtrace();
    for (int i = 0; i < 60; i++) {
        list = push(list, i);
        if (i % 3 == 2)
            list = drop(list);
        if (i % 10 == 0)
            buffer = realloc(buffer, 100 + 50 * (size_t)i);
    }
    if (posix_memalign(&aligned, 64, 100))
        return 1;
    free(aligned);
    free(aligned = aligned_alloc(32, 96));
    buffer[0] = *(char *)calloc(3, 7);
    free(NULL);
    if (realloc(buffer, (size_t)1 << 62))
        return 1;
    return 0;
}
