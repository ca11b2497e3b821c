/* A pen wanders over the upper left of a sheet.
 * usage: canvas SIDE STEPS */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int side = argc > 2 ? atoi(argv[1]) : 16, steps = argc > 2 ? atoi(argv[2]) : 1;
    int x = 0, y = 0, height = side / 8;
    unsigned *sheet = malloc((size_t)side * side * sizeof *sheet), seed = 1, dark = 0;

    if (!sheet)
        return 1;
    for (int i = 0; i < side * height; i++)
        sheet[i] = 0;
    for (int s = 0; s < steps; s++) {
        seed = seed * 1664525u + 1013904223u;
        switch (seed >> 30) {
        case 0: x = (x + 1) % side; break;
        case 1: x = (x + side - 1) % side; break;
        case 2: y = (y + 1) % height; break;
        case 3: y = (y + height - 1) % height; break;
        }
        dark += ++sheet[y * side + x] == 2;
    }
    printf("%u\n", dark);
    free(sheet);
    return 0;
}
