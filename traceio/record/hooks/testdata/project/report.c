#include "words.h"

#include <stdio.h>

int main(void)
{
    struct word *top = NULL, *w;
    const char *at = poem;
    char text[24];

    while (at = next_word(at, text, sizeof text), text[0]) {
        if ((w = find(top, text)) != NULL)
            w->count++;
        else
            top = push(top, text);
    }
    int sum = count_letters(top);
    printf("%d letters, %d times h\n", sum, letters['h' - 'a']);
    for (w = top; w; w = w->below)
        printf("%s %d\n", w->text, w->count);
    drop(top);
    return 0;
}
