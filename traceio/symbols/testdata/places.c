/* Prints where the variables of a function are, as offsets from the base of its frame. */
#include <stdio.h>

struct point { int x, y; };
union word { int i; char bytes[12]; };

#define TELL(what) printf("%s %ld\n", #what, (long)((char *)&what - base))

__attribute__((noinline)) void places(char *frame, volatile int parameter)
{
    char *base = (char *)__builtin_dwarf_cfa();
    volatile int single = parameter;
    volatile struct point p[3] = {{1, 2}, {3, 4}, {5, 6}};
    volatile union word u;
    volatile short grid[4][5];
    u.bytes[9] = frame[0];
    grid[3][4] = single;
    TELL(single);
    TELL(p[0].x);
    TELL(p[2].y);
    TELL(u.i);
    TELL(u.bytes[9]);
    TELL(grid[3][4]);
    TELL(grid[0][1]);
    {
        volatile long inner[2] = {parameter, 2};
        TELL(inner[1]);
    }
    {
        volatile long other[2] = {3, 4};
        TELL(other[0]);
    }
}

int main(void)
{
    char mark = 'x';
    places(&mark, 7);
    return 0;
}
