/* Blocks of the heap and what holds their pointers first. */
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; double *data; long id; };

enum { N = 12 };
static double *C;
static struct node *P[N];
static struct { int n; char *text; } word;
static long number;

static void *pass(size_t size)
{
    return malloc(size); /* handed on: *main:block */
}

static void use(void *block)
{
    ((char *)block)[0] = 1;
    free(block);
}

static struct node *make(struct node *next)
{
    struct node *made = calloc(1, sizeof *made); /* *make:made */
    made->next = next;
    return made;
}

int main(void)
{
    double *local = malloc(N * sizeof *local); /* *main:local */
    double *rows[3];
    void *either[2];
    C = malloc(N * N * sizeof *C); /* *C */
    word.text = malloc(20); /* *word.text */
    for (int i = 0; i < N; i++)
        P[i] = malloc(sizeof *P[i]); /* *P[*] */
    for (int i = 0; i < 3; i++)
        rows[i] = malloc(64); /* *main:rows[*] */
    P[4] = realloc(P[4], 200); /* *P[4] */
    number = (long)malloc(30); /* not a pointer: heap@ */
    P[0]->next = malloc(40); /* a heap block holds it: heap@ */
    use(malloc(70)); /* nobody: heap@ */
    for (int i = 0; i < 2; i++) {
        void *block = pass(80);
        if (i == 0)
            either[i] = block;
        else
            either[1] = block;
    }
    struct node *list = NULL;
    for (int i = 0; i < 20; i++)
        list = make(list);
    for (int i = 0; i < N * N; i++)
        C[i] = i;
    for (int i = 0; i < N; i++) {
        P[i]->id = i;
        local[i] = C[i];
    }
    rows[0][0] = local[1];
    ((char *)either[0])[1] = 0;
    printf("%g %p %ld\n", rows[0][0], (void *)list, number);
    return 0;
}
