// A container, an exception, virtual functions and threads.
#include <atomic>
#include <cstdio>
#include <pthread.h>
#include <stdexcept>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual int corners() const = 0;
};
struct Triangle : Shape {
    int corners() const override { return 3; }
};
struct Square : Shape {
    int corners() const override { return 4; }
};

static std::atomic<long> total;

static void *add(void *numbers)
{
    for (int i : *static_cast<std::vector<int> *>(numbers))
        total += i;
    return nullptr;
}

int main()
{
    std::vector<int> v;
    int caught = 0, corners = 0;

    for (int i = 0; i < 500; i++)
        v.push_back(i);
    pthread_t one, two;
    if (pthread_create(&one, nullptr, add, &v) || pthread_create(&two, nullptr, add, &v))
        return 1;
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    try {
        v.at(1000) = 1;
    } catch (const std::out_of_range &) {
        caught = 1;
    }
    Shape *shapes[] = {new Triangle, new Square};
    for (Shape *s : shapes) {
        corners += s->corners();
        delete s;
    }
    std::printf("%ld %d %d\n", total.load(), caught, corners);
}
