#include "words.h"

#include <ctype.h>

const char *const poem = "one fish two fish red fish blue fish black fish blue fish old fish new fish";

const char *next_word(const char *at, char *out, int size)
{
    int n = 0;

    while (*at && !isalpha((unsigned char)*at))
        at++;
    while (isalpha((unsigned char)*at) && n < size - 1)
        out[n++] = *at++;
    out[n] = 0;
    return at;
}
