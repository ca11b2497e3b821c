#include "words.h"

#include <stddef.h>

int letters[26];

int count_letters(const struct word *top)
{
    int sum = 0;

    for (; top != NULL; top = top->below)
        for (const char *p = top->text; *p; p++) {
            letters[*p - 'a'] += top->count;
            sum += top->count;
        }
    return sum;
}
