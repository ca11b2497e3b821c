// Blocks of the heap that C++ makes, and what holds their pointers first.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Part {
    long a, b;
    Part(long a, long b) : a(a), b(b) {}
};

struct Whole {
    long sum;
    Part *part;
    Whole(long n) : sum(n), part(new Part(n, n + 1)) { sum += part->b; } // a heap block holds it: heap@
    virtual ~Whole() { delete part; }
};

struct Cell {
    int id;
    Cell() : id(counter++) {}
    ~Cell() { counter--; }
    static long counter;
};
long Cell::counter;

struct Tree {
    Tree *left = nullptr, *right = nullptr;
    Tree(Tree *l, Tree *r) : left(l), right(r) {}
};

struct Slot { long n; Cell *cells; };

static Whole *global;
static Slot slots[3];

__attribute__((noinline)) static Part *handed(long n)
{
    return new Part(n, n); // *main:taken
}

__attribute__((noinline)) static Tree *grow(int depth)
{
    if (depth == 0)
        return nullptr;
    Tree *volatile tree = new Tree(grow(depth - 1), grow(depth - 1)); // *grow:tree
    return tree;
}

int main()
{
    Part *volatile single = new Part(1, 2); // *main:single
    global = new Whole(3); // *global
    Cell *volatile array = new Cell[5]; // *main:array
    for (int i = 0; i < 3; i++)
        slots[i].cells = new Cell[i + 1]; // *slots[*].cells
    Part *volatile taken = handed(4);
    Tree *volatile root = grow(4);
    std::vector<long> numbers(100); // *main:numbers
    numbers[3] = taken->a;
    std::unique_ptr<Part> owned(new Part(6, 7)); // *main:owned where that is inlined; it is stored by its own constructor else: heap@
    Part *volatile later;
    {
        Whole *inner = new Whole(5); // *main:inner; optimised, it is nowhere in memory: heap@
        later = inner->part;
        std::printf("%ld\n", inner->sum + later->b);
    }
    std::printf("%ld %ld %d %ld %p\n", single->a + owned->a, global->sum, array[1].id, numbers[3] + slots[numbers[3] % 3].cells[0].id, (void *)root);
    return 0;
}
