/* Mirrors a picture in its diagonal, piece by piece. The picture comes on standard input.
 * usage: flip SIDE ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 16 };

static void flip(const unsigned *from, unsigned *to, int side)
{
    for (int top = 0; top < side; top += PIECE) {
        for (int left = 0; left < side; left += PIECE) {
            for (int y = top; y < top + PIECE && y < side; y++) {
                for (int x = left; x < left + PIECE && x < side; x++)
                    to[x * side + y] = from[y * side + x];
            }
        }
    }
}

int main(int argc, char **argv)
{
    int side = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    size_t pixels = (size_t)side * side;
    unsigned *picture = malloc(pixels * sizeof *picture), *flipped = malloc(pixels * sizeof *flipped);

    if (!picture || !flipped || fread(picture, sizeof *picture, pixels, stdin) != pixels)
        return 1;
    for (int r = 0; r < rounds; r++)
        flip(picture, flipped, side);
    printf("%u\n", flipped[pixels / 3]);
    free(flipped);
    free(picture);
    return 0;
}
