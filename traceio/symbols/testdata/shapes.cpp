// Templates, namespaces, virtual calls, lambdas and containers: what C++ puts into debug information.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace geometry {
struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
    int id = 0;
};
struct square : shape {
    explicit square(double s) : side(s) {}
    double area() const override { return side * side; }
    double side;
};
struct circle : shape {
    explicit circle(double r) : radius(r) {}
    double area() const override { return 3.14159 * radius * radius; }
    double radius;
};
static int made[5];
namespace {
int hidden = 3;
}
template <typename T> T clamp(T v, T low, T high)
{
    return v < low ? low : v > high ? high : v;
}
} // namespace geometry

std::vector<int> numbers;

void bubble(std::vector<int> &a)
{
    for (size_t i = 0; i + 1 < a.size(); i++)
        for (size_t j = 0; j + 1 < a.size() - i; j++)
            if (a[j] > a[j + 1])
                std::swap(a[j], a[j + 1]);
}

double total(const std::vector<std::unique_ptr<geometry::shape>> &shapes)
{
    double sum = 0;
    for (auto &s : shapes)
        sum += geometry::clamp(s->area(), 0.5, 100.0);
    return sum;
}

int main(int argc, char **)
{
    std::vector<std::unique_ptr<geometry::shape>> shapes;
    for (int i = 0; i < 20; i++) {
        if (i % 2)
            shapes.push_back(std::make_unique<geometry::square>(i));
        else
            shapes.push_back(std::make_unique<geometry::circle>(i * argc));
        geometry::made[i % 5]++;
    }
    for (int i = 0; i < 50; i++)
        numbers.push_back((i * 37 + geometry::hidden) % 50);
    bubble(numbers);
    std::map<std::string, int> words;
    for (int n : numbers)
        words["w" + std::to_string(n % 7)] += n;
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 10 < b % 10; });
    printf("%f %zu %d\n", total(shapes), words.size(), numbers[0]);
    return 0;
}
