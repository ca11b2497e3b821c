// Mean and variance of numbers that come on standard input.
// usage: spread NUMBERS ROUNDS
#include <cstdio>
#include <cstdlib>
#include <memory>

static long mean(const int *x, int n)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i] % 1000;
    return sum / n;
}

static long variance(const int *x, int n, long mean)
{
    long sum = 0;

    for (int i = 0; i < n; i++) {
        long d = x[i] % 1000 - mean;

        sum += d * d;
    }
    return sum / n;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    std::unique_ptr<int[]> x(new int[n]);
    long m = 0, v = 0;

    if (fread(x.get(), sizeof(int), n, stdin) != (size_t)n)
        return 1;
    for (int r = 0; r < rounds; r++) {
        m = mean(x.get(), n);
        v = variance(x.get(), n, m);
    }
    printf("%ld %ld\n", m, v);
}
