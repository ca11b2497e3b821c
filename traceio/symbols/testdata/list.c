/* A small program with inlining, static locals, arrays of structures and several lines per function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int id; double at[3]; struct { char tag; short flags[2]; } meta; } particle;

int A[63][63];
static particle P[10];
const char *greeting = "hello";
extern int tail[];
int tail[7];

struct node { struct node *next; int value; };

static inline int square(int x) { return x * x; }

static inline int twice_square(int x)
{
    int s = square(x);
    return s + square(x + 1);
}

static struct node *push(struct node *head, int v)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = head;
    n->value = twice_square(v);
    return n;
}

static int counter(void)
{
    static int calls;
    static int history[4][5];
    history[calls % 4][calls % 5] = calls;
    return ++calls;
}

static void fill(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = square(i) - twice_square(j);
    for (int i = 0; i < 10; i++) {
        P[i].id = i;
        P[i].at[i % 3] = i * 0.5;
        P[i].meta.flags[1] = (short)counter();
    }
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    fill(argc > 1 ? atoi(argv[1]) : 63);
    for (int i = 0; i < 100; i++)
        head = push(head, i);
    long sum = 0;
    while (head) {
        struct node *next = head->next;
        sum += head->value + tail[head->value % 7];
        free(head);
        head = next;
    }
    printf("%s %ld %d %zu\n", greeting, sum, A[3][7], strlen(greeting));
    return 0;
}
