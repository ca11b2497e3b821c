/* Orders come and go by the numbers on standard input; what is done goes back to a pool.
 * usage: pool NUMBERS ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { ORDERS = 256 };

struct order {
    struct order *next;
    unsigned amount, age;
};

static struct order pool[ORDERS], *idle, *waiting;

static unsigned take(unsigned number)
{
    struct order *o;
    unsigned amount = 0;

    if (number % 2 == 0 && idle) {
        o = idle;
        idle = o->next;
        *o = (struct order){waiting, number % 100, 0};
        waiting = o;
    } else if (waiting) {
        o = waiting;
        waiting = o->next;
        amount = o->amount;
        o->next = idle;
        idle = o;
    }
    return amount;
}

int main(int argc, char **argv)
{
    int numbers = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    unsigned *number = malloc(numbers * sizeof *number);
    long sum = 0;

    if (!number || fread(number, sizeof *number, numbers, stdin) != (size_t)numbers)
        return 1;
    for (int i = 0; i < ORDERS; i++) {
        pool[i].next = idle;
        idle = &pool[i];
    }
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < numbers; i++)
            sum += take(number[i] >> 8);
    }
    printf("%ld\n", sum);
    free(number);
    return 0;
}
