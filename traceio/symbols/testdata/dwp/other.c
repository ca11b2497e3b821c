struct pair {
    int left;
    long right;
} pairs[3];

static inline int twice(int x) { return 2 * x; }

int other(int x)
{
    int y = twice(x);
    pairs[1].left = y;
    return y;
}
