/* Bubble sort of five numbers in an array.
 * usage: bubble sorted | reversed | shuffled */
#include <stdio.h>
#include <string.h>

enum { COUNT = 5 };

static int numbers[COUNT];

static void bubble_sort(int *list, int count)
{
    int swapped = 1;

    for (int last = count - 1; swapped && last > 0; last--) {
        swapped = 0;
        for (int i = 0; i < last; i++) {
            if (list[i] > list[i + 1]) {
                int larger = list[i];
                list[i] = list[i + 1];
                list[i + 1] = larger;
                swapped = 1;
            }
        }
    }
}

int main(int argc, char **argv)
{
    static const int sorted[COUNT] = {1, 2, 3, 4, 5};
    static const int reversed[COUNT] = {5, 4, 3, 2, 1};
    static const int shuffled[COUNT] = {3, 2, 5, 4, 1}; /* six pairs are out of order */
    const int *start = NULL;

    if (argc == 2 && strcmp(argv[1], "sorted") == 0)
        start = sorted;
    else if (argc == 2 && strcmp(argv[1], "reversed") == 0)
        start = reversed;
    else if (argc == 2 && strcmp(argv[1], "shuffled") == 0)
        start = shuffled;
    if (start == NULL) {
        fprintf(stderr, "usage: bubble sorted | reversed | shuffled\n");
        return 2;
    }
    memcpy(numbers, start, sizeof numbers);
    bubble_sort(numbers, COUNT);
    for (int i = 0; i < COUNT; i++)
        printf("%d%c", numbers[i], i + 1 < COUNT ? ' ' : '\n');
    return 0;
}
