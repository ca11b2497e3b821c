/* Builds lists of words on the heap, for pictures of the heap: blocks of several sizes from several places, some freed
 * soon, some at the end, some grown step by step and some forgotten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    struct word *next;
    char *text;
    int length;
};

struct table {
    struct word **slot;
    int used, room;
};

static unsigned seed = 1;

/* The same numbers on every machine. */
static unsigned dice(unsigned sides)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % sides;
}

static char *make_text(int length)
{
    char *text = malloc(length + 1);

    for (int i = 0; i < length; i++)
        text[i] = 'a' + dice(26);
    text[length] = 0;
    return text;
}

static struct word *make_word(struct word *next)
{
    struct word *w = malloc(sizeof *w);

    w->next = next;
    w->length = 3 + dice(40);
    w->text = make_text(w->length);
    return w;
}

static struct word *build_list(int count)
{
    struct word *list = NULL;

    for (int i = 0; i < count; i++)
        list = make_word(list);
    return list;
}

/* The table of pointers grows by half whenever it is full. */
static void index_list(struct table *t, struct word *list)
{
    for (struct word *w = list; w != NULL; w = w->next) {
        if (t->used == t->room) {
            t->room += t->room / 2 + 8;
            t->slot = realloc(t->slot, t->room * sizeof *t->slot);
        }
        t->slot[t->used++] = w;
    }
}

/* Takes every other word out; the text of every eighth of those is forgotten. */
static struct word *thin(struct word *list)
{
    int n = 0;

    for (struct word *w = list; w != NULL && w->next != NULL; w = w->next) {
        struct word *gone = w->next;

        w->next = gone->next;
        if (n++ % 8 != 0)
            free(gone->text);
        free(gone);
    }
    return list;
}

/* Joins all words in a buffer that lives only for this call. */
static int join(const struct word *list)
{
    int length = 0;
    char *all;

    for (const struct word *w = list; w != NULL; w = w->next)
        length += w->length;
    all = calloc(length + 1, 1);
    length = 0;
    for (const struct word *w = list; w != NULL; w = w->next) {
        memcpy(all + length, w->text, w->length);
        length += w->length;
    }
    free(all);
    return length;
}

static void free_list(struct word *list)
{
    while (list != NULL) {
        struct word *next = list->next;

        free(list->text);
        free(list);
        list = next;
    }
}

int main(void)
{
    struct table table = {0};
    struct word *kept[6];
    int letters = 0;

    for (int round = 0; round < 6; round++) {
        kept[round] = build_list(40 + 20 * round);
        index_list(&table, kept[round]);
        letters += join(kept[round]);
        kept[round] = thin(kept[round]);
        if (round % 3 == 2) {
            free_list(kept[round - 1]);
            kept[round - 1] = NULL;
        }
    }
    printf("%d letters, %d words\n", letters, table.used);
    for (int round = 0; round < 5; round++) /* the last list is never freed */
        free_list(kept[round]);
    free(table.slot);
    return 0;
}
