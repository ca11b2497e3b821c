// Smooths each row of a picture, which comes on standard input.
// usage: smooth ROWS ROUNDS
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

constexpr int width = 32;

// smoothed is a row in which each value is the mean of it and its neighbours.
static std::vector<int> smoothed(const int *row)
{
    std::vector<int> out(width);

    out[0] = row[0];
    out[width - 1] = row[width - 1];
    for (int x = 1; x < width - 1; x++)
        out[x] = row[x - 1] / 3 + row[x] / 3 + row[x + 1] / 3;
    return out;
}

int main(int argc, char **argv)
{
    int rows = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    std::unique_ptr<int[]> picture(new int[rows * width]);
    long sum = 0;

    if (fread(picture.get(), width * sizeof(int), rows, stdin) != (size_t)rows)
        return 1;
    for (int r = 0; r < rounds; r++) {
        for (int y = 0; y < rows; y++) {
            std::vector<int> row = smoothed(&picture[y * width]);

            sum += row[(y + r) % width] & 255;
        }
    }
    printf("%ld\n", sum);
}
