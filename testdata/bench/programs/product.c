/* The product of a matrix of a few rows and a square one, which comes on standard input.
 * usage: product ROWS SIDE ROUNDS */
#include <stdio.h>
#include <stdlib.h>

static void multiply(const int *a, const int *b, int *c, int rows, int side)
{
    for (int k = 0; k < side; k++) {
        for (int i = 0; i < rows; i++) {
            int x = a[i * side + k];

            for (int j = 0; j < side; j++)
                c[i * side + j] += x * (b[k * side + j] % 13);
        }
    }
}

int main(int argc, char **argv)
{
    int rows = argc > 3 ? atoi(argv[1]) : 1, side = argc > 3 ? atoi(argv[2]) : 1;
    int rounds = argc > 3 ? atoi(argv[3]) : 1;
    int *a = malloc(rows * side * sizeof *a), *c = calloc(rows * side, sizeof *c);
    int *b = malloc(side * side * sizeof *b);

    if (!a || !b || !c || fread(b, sizeof *b, side * side, stdin) != (size_t)side * side)
        return 1;
    for (int i = 0; i < rows * side; i++)
        a[i] = i % 3;
    for (int r = 0; r < rounds; r++)
        multiply(a, b, c, rows, side);
    printf("%d\n", c[side / 2]);
    free(b);
    free(c);
    free(a);
    return 0;
}
