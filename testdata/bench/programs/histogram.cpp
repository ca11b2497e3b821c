// A histogram of grey values with a row of bins for each thread, added up at the end.
// usage: histogram PIXELS ROUNDS
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

constexpr int threads = 4, bins = 3;

static int histogram[threads][bins];

static void count(const unsigned *pixel, int pixels, int rounds, int thread)
{
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < pixels; i++)
            histogram[thread][pixel[i] % bins]++;
    }
}

int main(int argc, char **argv)
{
    int pixels = argc > 2 ? atoi(argv[1]) : threads, rounds = argc > 2 ? atoi(argv[2]) : 1;
    std::unique_ptr<unsigned[]> picture(new unsigned[pixels]);
    std::vector<std::thread> workers;
    int part = pixels / threads, bright = 0;

    if (fread(picture.get(), sizeof(unsigned), pixels, stdin) != (size_t)pixels)
        return 1;
    for (int t = 0; t < threads; t++)
        workers.emplace_back(count, picture.get() + t * part, part, rounds, t);
    for (int t = 0; t < threads; t++) {
        workers[t].join();
        bright += histogram[t][bins - 1];
    }
    printf("%d\n", bright);
}
