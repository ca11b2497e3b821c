// Moves bodies by their speed and adds up their energy. Places and speeds come on standard input.
// usage: bodies BODIES STEPS
#include <cstdio>
#include <cstdlib>
#include <memory>

using Numbers = std::unique_ptr<int[]>;

static Numbers read(int n)
{
    Numbers x(new int[n]);

    if (fread(x.get(), sizeof(int), n, stdin) != (size_t)n)
        exit(1);
    return x;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 1, steps = argc > 2 ? atoi(argv[2]) : 1;
    Numbers x = read(n), y = read(n), vx = read(n), vy = read(n);
    long energy = 0;

    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            x[i] += vx[i] % 251;
            y[i] += vy[i] % 251;
            energy += (long)(vx[i] % 251) * (vx[i] % 251) + (long)(vy[i] % 251) * (vy[i] % 251);
        }
    }
    printf("%ld %d\n", energy, x[n / 2] & y[n / 2]);
}
