/* Heat flows along a rod, in steps of time.
 * usage: heat CELLS STEPS */
#include <stdio.h>
#include <stdlib.h>

static void step(double *u, int cells)
{
    for (int i = 1; i < cells - 1; i++)
        u[i] = (u[i - 1] + u[i + 1]) / 2;
}

int main(int argc, char **argv)
{
    int cells = argc > 2 ? atoi(argv[1]) : 1, steps = argc > 2 ? atoi(argv[2]) : 1;
    double *u = malloc(cells * sizeof *u);

    if (!u)
        return 1;
    for (int i = 0; i < cells; i++)
        u[i] = i % 100;
    for (int s = 0; s < steps; s++)
        step(u, cells);
    printf("%.6f\n", u[cells / 2]);
    free(u);
    return 0;
}
