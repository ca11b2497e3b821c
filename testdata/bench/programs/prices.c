/* Adds up what was sold, from the records on standard input, at the prices of a catalogue.
 * usage: prices ITEMS RECORDS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

struct sale {
    unsigned item, shop, day, amount[13];
};

static long turnover(const struct sale *s, int sales, const int *price, unsigned items)
{
    long sum = 0;

    for (int i = 0; i < sales; i++) {
        long pieces = s[i].shop % 3 + s[i].day % 3;

        for (int k = 0; k < 13; k++)
            pieces += s[i].amount[k] % 5;
        sum += pieces * price[s[i].item % items];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int items = argc > 3 ? atoi(argv[1]) : 1, sales = argc > 3 ? atoi(argv[2]) : 1;
    int rounds = argc > 3 ? atoi(argv[3]) : 1;
    int *price = malloc(items * sizeof *price);
    struct sale *s = malloc(sales * sizeof *s);
    long sum = 0;

    if (!price || !s || fread(s, sizeof *s, sales, stdin) != (size_t)sales)
        return 1;
    for (int i = 0; i < items; i++)
        price[i] = 1 + i % 99;
    for (int r = 0; r < rounds; r++)
        sum += turnover(s, sales, price, items);
    printf("%ld\n", sum);
    free(s);
    free(price);
    return 0;
}
