/* In how many ways so many queens stand on a board without threatening each other.
 * usage: queens QUEENS */
#include <stdio.h>
#include <stdlib.h>

static int column[32], up[64], down[64], queens;

static long place(int row)
{
    long ways = 0;

    if (row == queens)
        return 1;
    for (int c = 0; c < queens; c++) {
        if (column[c] || up[row + c] || down[row - c + queens])
            continue;
        column[c] = up[row + c] = down[row - c + queens] = 1;
        ways += place(row + 1);
        column[c] = up[row + c] = down[row - c + queens] = 0;
    }
    return ways;
}

int main(int argc, char **argv)
{
    queens = argc > 1 ? atoi(argv[1]) : 4;
    printf("%ld\n", place(0));
    return 0;
}
