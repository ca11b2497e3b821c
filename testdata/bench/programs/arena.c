/* Adds up trees of cells, which come on standard input: each tree is built in an arena that is emptied before the next.
 * usage: arena TREES ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { LEAVES = 64 };

struct cell {
    long amount[8];
};

struct node {
    struct node *left, *right;
    long value;
};

static struct node arena[2 * LEAVES];
static int used;

static struct node *build(const struct cell *cell, int n)
{
    struct node *node = &arena[used++];

    *node = (struct node){NULL, NULL, 0};
    if (n > 1) {
        node->left = build(cell, n / 2);
        node->right = build(cell + n / 2, n - n / 2);
    } else {
        for (int i = 0; i < 8; i++)
            node->value += cell->amount[i] % 13;
    }
    return node;
}

static long add(const struct node *node)
{
    return node->left ? add(node->left) + add(node->right) : node->value;
}

int main(int argc, char **argv)
{
    int trees = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    struct cell *cell = malloc(trees * LEAVES * sizeof *cell);
    long sum = 0;

    if (!cell || fread(cell, LEAVES * sizeof *cell, trees, stdin) != (size_t)trees)
        return 1;
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < trees; t++) {
            used = 0;
            sum += add(build(cell + t * LEAVES, LEAVES));
        }
    }
    printf("%ld\n", sum);
    free(cell);
    return 0;
}
