/* Shuffles cards.
 * usage: deal CARDS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

static void shuffle(unsigned *card, unsigned cards, unsigned seed)
{
    for (unsigned i = cards; i > 1; i--) {
        unsigned j = ((seed = seed * 1664525u + 1013904223u) >> 4) % i, x = card[i - 1];

        card[i - 1] = card[j];
        card[j] = x;
    }
}

int main(int argc, char **argv)
{
    unsigned cards = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    unsigned *card = malloc(cards * sizeof *card);

    if (!card)
        return 1;
    for (unsigned i = 0; i < cards; i++)
        card[i] = i;
    for (unsigned r = 0; r < rounds; r++)
        shuffle(card, cards, r + 1);
    printf("%u\n", card[cards / 2]);
    free(card);
    return 0;
}
