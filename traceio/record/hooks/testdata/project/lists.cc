// Containers, an exception and a thread.
#include <atomic>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
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

static void add(const std::vector<int> &v)
{
    for (int i : v)
        total += i;
}

int main()
{
    std::map<std::string, int> numbers;
    std::vector<int> v;

    for (int i = 0; i < 500; i++) {
        v.push_back(i);
        numbers["number " + std::to_string(i % 50)] += i;
    }
    std::thread one(add, v), two(add, v);
    one.join();
    two.join();
    try {
        v.at(1000) = 1;
    } catch (const std::out_of_range &) {
        numbers["caught"] = 1;
    }
    Shape *shapes[] = {new Triangle, new Square};
    int corners = 0;
    for (Shape *s : shapes) {
        corners += s->corners();
        delete s;
    }
    std::cout << total << ' ' << numbers.size() << ' ' << corners << '\n';
}
