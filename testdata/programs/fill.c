/* Sets the entries of an array to a value, one after the other: every line of the cache is fetched once, written as often as it
 * has entries, and never needed again. */
#include <stdio.h>

enum { N = 2048 };

static int table[N];

static void fill(int value)
{
    for (int i = 0; i < N; i++)
        table[i] = value;
}

int main(void)
{
    fill(7);
    printf("%d\n", table[0] + table[N - 1]);
    return 0;
}
