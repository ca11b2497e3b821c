/* Turns a picture by a right angle. The picture comes on standard input.
 * usage: rotate SIDE ROUNDS */
#include <stdio.h>
#include <stdlib.h>

static void turn(const unsigned *from, unsigned *to, int side)
{
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++)
            to[x * side + side - 1 - y] = from[y * side + x];
    }
}

int main(int argc, char **argv)
{
    int side = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    size_t pixels = (size_t)side * side;
    unsigned *picture = malloc(pixels * sizeof *picture), *turned = malloc(pixels * sizeof *turned);

    if (!picture || !turned || fread(picture, sizeof *picture, pixels, stdin) != pixels)
        return 1;
    for (int r = 0; r < rounds; r++)
        turn(picture, turned, side);
    printf("%u\n", turned[pixels / 3]);
    free(turned);
    free(picture);
    return 0;
}
