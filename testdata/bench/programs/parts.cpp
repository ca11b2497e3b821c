// Counts numbers that three divides in threads, each with a count of its own that is written down at the end.
// usage: parts NUMBERS ROUNDS
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

constexpr int threads = 4;

static long third[threads];

static void count(const unsigned *x, int n, int rounds, int thread)
{
    long found = 0;

    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++)
            found += x[i] % 3 == 0;
    }
    third[thread] = found;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : threads, rounds = argc > 2 ? atoi(argv[2]) : 1, part = n / threads;
    unsigned *x = (unsigned *)malloc(n * sizeof *x);
    std::vector<std::thread> workers;
    long sum = 0;

    if (!x || fread(x, sizeof *x, n, stdin) != (size_t)n)
        return 1;
    for (int t = 0; t < threads; t++)
        workers.emplace_back(count, x + t * part, part, rounds, t);
    for (int t = 0; t < threads; t++) {
        workers[t].join();
        sum += third[t];
    }
    printf("%ld\n", sum);
    free(x);
}
