/* Like locals.c: volatile variables are used exactly as written. Only part is recorded, which is inlined into a function that calls
 * itself. */
#include <stdio.h>

static int calls;

/* own: 2 stores, 2 loads in each of 16 calls */
static inline __attribute__((always_inline)) int part(int n)
{
    volatile int own = n;
    own = own + 1;
    calls++;
    return own;
}

__attribute__((noinline)) static int deep(int n)
{
    int before = part(n);
    int inner = n > 0 ? deep(n - 1) : 0;
    return before + inner + part(inner);
}

int main(void)
{
    int sum = deep(7);
    printf("%d %d\n", calls, sum);
}
