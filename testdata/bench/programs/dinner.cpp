// Guests sit down one after the other, each next to somebody who is there; then the dishes go round.
// usage: dinner GUESTS DISHES
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <list>
#include <vector>

struct Guest {
    int number;
    int hunger;
};

static std::list<Guest> seat(int guests)
{
    std::list<Guest> table;
    std::vector<std::list<Guest>::iterator> seats;
    unsigned seed = 1;

    for (int i = 0; i < guests; i++) {
        seed = seed * 1664525u + 1013904223u;
        auto neighbour = i == 0 ? table.end() : seats[(seed >> 4) % seats.size()];
        seats.push_back(table.insert(neighbour, Guest{i, 5 + i % 11}));
    }
    return table;
}

static long eaten(const std::list<Guest> &table)
{
    long sum = 0;

    for (const Guest &g : table)
        sum += g.hunger;
    return sum;
}

int main(int argc, char **argv)
{
    int guests = argc > 2 ? atoi(argv[1]) : 1, dishes = argc > 2 ? atoi(argv[2]) : 1;
    std::list<Guest> table = seat(guests);
    long total = 0;

    for (int d = 0; d < dishes; d++)
        total += eaten(table);
    printf("%ld\n", total);
}
