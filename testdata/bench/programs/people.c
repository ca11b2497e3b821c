/* Counts who is of age in each of a number of years.
 * usage: people PEOPLE YEARS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char name[40];
    int born, height, weight, postcode;
    long number;
};

static long of_age(const struct person *p, int people, int year)
{
    long count = 0;

    for (int i = 0; i < people; i++)
        count += year - p[i].born >= 18;
    return count;
}

int main(int argc, char **argv)
{
    int people = argc > 2 ? atoi(argv[1]) : 1, years = argc > 2 ? atoi(argv[2]) : 1;
    struct person *p = malloc(people * sizeof *p);
    long count = 0;

    if (!p)
        return 1;
    for (int i = 0; i < people; i++) {
        memset(p[i].name, 'a' + i % 26, sizeof p[i].name);
        p[i].born = 1930 + i * 7 % 90;
        p[i].height = 150 + i % 50;
        p[i].weight = 50 + i % 60;
        p[i].postcode = 10000 + i;
        p[i].number = i;
    }
    for (int y = 0; y < years; y++)
        count += of_age(p, people, 1980 + y % 60);
    printf("%ld\n", count);
    free(p);
    return 0;
}
