/* Evaluates sums of the bytes on standard input: each expression is a tree in an arena that is emptied before the next.
 * usage: arena EXPRESSIONS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { LEAVES = 64 };

struct node {
    struct node *left, *right;
    int value;
};

static struct node arena[2 * LEAVES];
static int used;

static struct node *parse(const unsigned char *text, int n)
{
    struct node *node = &arena[used++];

    *node = (struct node){NULL, NULL, text[0] & 15};
    if (n > 1) {
        node->left = parse(text, n / 2);
        node->right = parse(text + n / 2, n - n / 2);
    }
    return node;
}

static int evaluate(const struct node *node)
{
    return node->left ? evaluate(node->left) + evaluate(node->right) : node->value;
}

int main(int argc, char **argv)
{
    int expressions = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    unsigned char *text = malloc(expressions * LEAVES);
    long sum = 0;

    if (!text || fread(text, LEAVES, expressions, stdin) != (size_t)expressions)
        return 1;
    for (int r = 0; r < rounds; r++) {
        for (int e = 0; e < expressions; e++) {
            used = 0;
            sum += evaluate(parse(text + e * LEAVES, LEAVES));
        }
    }
    printf("%ld\n", sum);
    free(text);
    return 0;
}
