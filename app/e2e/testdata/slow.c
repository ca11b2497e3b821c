/* Waits for the file in its first argument, then works in small steps until that in its second appears. */
#include <stdlib.h>
#include <unistd.h>

enum { ROW = 64, STEPS = 4000, PAUSE = 15000 };

static long grid[ROW][ROW];

static __attribute__((noinline)) void step(int n)
{
    long *row = malloc(ROW * sizeof *row);
    for (int i = 0; i < ROW; i++)
        row[i] = grid[n % ROW][i] + n;
    for (int i = 0; i < ROW; i++)
        grid[i][n % ROW] = row[i];
    if (n % 2)
        free(row);
}

__attribute__((noinline)) void work(const char *stop)
{
    for (int n = 0; n < STEPS && access(stop, F_OK) != 0; n++) {
        step(n);
        usleep(PAUSE);
    }
}

int main(int argc, char **argv)
{
    for (int n = 0; n < STEPS && access(argv[1], F_OK) != 0; n++)
        usleep(PAUSE);
    work(argv[2]);
    return argc != 3;
}
