// Computes the hypervolume and, for up to 10000 points, the first front of each set named on the command line with pagmo, and
// prints CPU seconds of one computation. A set is a text: the number of objectives and of points, the volume that orrery found and
// its number of points on the front, then the points. Reference is (1, .., 1). A difference ends it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pagmo/utils/hypervolume.hpp>
#include <pagmo/utils/multi_objective.hpp>
#include <vector>

template <class F> double seconds(F f)
{
    int n = 0;
    const std::clock_t from = std::clock();
    do {
        f();
        ++n;
    } while (std::clock() - from < CLOCKS_PER_SEC / 2);
    return double(std::clock() - from) / CLOCKS_PER_SEC / n;
}

int main(int argc, char **argv)
{
    for (int a = 1; a < argc; ++a) {
        std::FILE *in = std::fopen(argv[a], "r");
        int m = 0, n = 0, front = 0;
        double want = 0;
        if (!in || std::fscanf(in, "%d %d %lf %d", &m, &n, &want, &front) != 4) {
            std::fprintf(stderr, "%s cannot be read\n", argv[a]);
            return 1;
        }
        std::vector<pagmo::vector_double> points(n, pagmo::vector_double(m));
        for (auto &p : points) {
            for (auto &x : p) {
                if (std::fscanf(in, "%lf", &x) != 1) {
                    std::fprintf(stderr, "%s is cut\n", argv[a]);
                    return 1;
                }
            }
        }
        std::fclose(in);
        const pagmo::vector_double ref(m, 1.0);
        pagmo::hypervolume volume(points, false);
        volume.set_copy_points(true);
        const double got = volume.compute(ref);
        if (std::fabs(got - want) > 1e-9 * want) {
            std::fprintf(stderr, "m=%d n=%d: pagmo finds %.17g, orrery %.17g\n", m, n, got, want);
            return 1;
        }
        const double time = seconds([&] { volume.compute(ref); });
        std::printf("volume/m=%d/n=%d %.9f\n", m, n, time);
        if (n <= 10000) {
            const auto fronts = std::get<0>(pagmo::fast_non_dominated_sorting(points));
            if (int(fronts[0].size()) != front) {
                std::fprintf(stderr, "m=%d n=%d: pagmo's front has %zu points, orrery's %d\n", m, n, fronts[0].size(), front);
                return 1;
            }
            std::printf("front/m=%d/n=%d %.9f\n", m, n, seconds([&] { pagmo::fast_non_dominated_sorting(points); }));
        }
    }
}
