// Reads numbers until there are enough and keeps them, and prints one of them.
// usage: reader NUMBERS ROUNDS
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    unsigned sum = 0;

    for (int r = 0; r < rounds; r++) {
        std::vector<unsigned> numbers;
        unsigned seed = r;

        for (int i = 0; i < n; i++) {
            seed = seed * 1664525u + 1013904223u;
            numbers.push_back(seed);
        }
        sum += numbers[n / 2];
    }
    printf("%u\n", sum);
}
