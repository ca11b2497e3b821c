namespace shape {
struct Corner { short across, down; };
struct Figure { Corner corners[4]; int colour; Figure *next; long reserved_for_later_use[3]; };
inline __attribute__((always_inline)) int measure_of_one_side(volatile int *side) { return *side + 1; }
static int area(int n)
{
    volatile int side = n;
    Figure figure = {{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, 3, 0, {1, 2, 3}};
    Figure *volatile drawn = &figure;
    return measure_of_one_side(&side) + drawn->corners[n & 3].across;
}
}
namespace store {
struct Content { long label; shape::Figure figures[2]; };
struct Crate {
    int number; Content content; char stamp[5];
    int weigh(int by) { volatile int total_weight_of_all = by; return total_weight_of_all + number; }
};
}
