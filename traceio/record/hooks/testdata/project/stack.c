#include "words.h"

#include <stdlib.h>
#include <string.h>

struct word *push(struct word *top, const char *text)
{
    struct word *w = malloc(sizeof *w);

    if (w == NULL)
        abort();
    *w = (struct word){.count = 1, .below = top};
    strncpy(w->text, text, sizeof w->text - 1);
    return w;
}

struct word *find(struct word *top, const char *text)
{
    for (; top != NULL; top = top->below)
        if (strcmp(top->text, text) == 0)
            break;
    return top;
}

void drop(struct word *top)
{
    struct word *below;

    for (; top != NULL; top = below) {
        below = top->below;
        free(top);
    }
}
