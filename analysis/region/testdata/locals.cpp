// Like locals.c: volatile variables are used exactly as written.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace shapes {
struct Square {
    int side;
    // twice: 2 stores, 2 loads in each of 3 calls
    __attribute__((noinline)) int area()
    {
        volatile int twice = side;
        twice = twice * side;
        return twice;
    }
};
}

// instances for int and long; chosen: 1 store, 1 load in each
template <class T> __attribute__((noinline)) T larger(T a, T b)
{
    volatile T chosen = a > b ? a : b;
    return chosen;
}

// depth: 1 store in each of 4 calls, 2 loads in 3 of them, 1 in the last
__attribute__((noinline)) int thrower(int n)
{
    volatile int depth = n;
    std::string held = "a string that has to be destroyed, and is long";
    if (depth == 3)
        throw std::runtime_error("deep");
    return thrower(depth + 1) + (int)held.size();
}

// caught: 3 stores, 1 load
__attribute__((noinline)) int catcher()
{
    volatile int caught = 0;
    try {
        caught = 1;
        thrower(0);
    } catch (const std::exception &) {
        caught = 2;
    }
    return caught;
}

// own: 1001 stores, 1001 loads in each of 4 threads
__attribute__((noinline)) void worker(long *out)
{
    volatile long own = 0;
    for (int i = 0; i < 1000; i++)
        own = own + i;
    *out = own;
}

// inner: 1 store, 1 load in each of 3 calls, which are inlined in optimised code
static inline __attribute__((always_inline)) int inlined(int n)
{
    volatile int inner = n;
    return inner;
}

// sum: 4 stores, 4 loads
__attribute__((noinline)) int outer()
{
    volatile int sum = 0;
    for (int i = 0; i < 3; i++)
        sum = sum + inlined(i);
    return sum;
}

int main()
{
    long out[4];
    std::vector<std::thread> threads;
    for (long &o : out)
        threads.emplace_back(worker, &o);
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += shapes::Square{i}.area();
    total += larger(1, 2) + (int)larger(3L, 4L);
    total += catcher();
    total += outer();
    for (std::thread &t : threads)
        t.join();
    std::printf("%d %ld\n", total, out[0] + out[1] + out[2] + out[3]);
}
