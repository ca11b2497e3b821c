/* The density of a gas on a grid: the sum of what moves in nine directions through each cell.
 * usage: lattice CELLS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { DIRECTIONS = 9 };

static void density(const double *f, double *rho, int cells)
{
    for (int i = 0; i < cells; i++) {
        double sum = 0;

        for (int k = 0; k < DIRECTIONS; k++)
            sum += f[k * cells + i];
        rho[i] = sum;
    }
}

int main(int argc, char **argv)
{
    int cells = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    double *f = malloc(DIRECTIONS * cells * sizeof *f), *rho = malloc(cells * sizeof *rho);

    if (!f || !rho)
        return 1;
    for (int i = 0; i < DIRECTIONS * cells; i++)
        f[i] = i % 5;
    for (int r = 0; r < rounds; r++)
        density(f, rho, cells);
    printf("%g\n", rho[cells / 2]);
    free(rho);
    free(f);
    return 0;
}
