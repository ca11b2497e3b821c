// How many tickets are left, asked after every few sales.
// usage: tickets TICKETS QUESTIONS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Ticket {
    long number;
    double price;
    char seat[64];
    bool sold;
};

static long left(const std::vector<Ticket> &tickets)
{
    long count = 0;

    for (const Ticket &t : tickets)
        count += !t.sold;
    return count;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[1]) : 1, questions = argc > 2 ? atoi(argv[2]) : 1;
    std::vector<Ticket> tickets;
    long total = 0;

    tickets.reserve(n);
    for (int i = 0; i < n; i++) {
        Ticket t{i, 10.0 + i % 9, {}, false};

        memset(t.seat, 'A' + i % 20, sizeof t.seat);
        tickets.push_back(t);
    }
    for (int q = 0; q < questions; q++) {
        tickets[q * 37 % n].sold = true;
        total += left(tickets);
    }
    printf("%ld\n", total);
}
