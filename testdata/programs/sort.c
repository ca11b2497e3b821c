/* Sorts numbers in a large array, for pictures of caches: bubble sort sweeps over ever less of it, merge sort over ever more.
 * usage: sort bubble | merge COUNT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static int data[MOST], spare[MOST];

/* Each sweep carries the largest number left to its place at the end, so the next one is shorter. */
static void bubble_sort(int n)
{
    for (int end = n - 1; end > 0; end--) {
        for (int i = 0; i < end; i++) {
            if (data[i] > data[i + 1]) {
                int swapped = data[i];
                data[i] = data[i + 1];
                data[i + 1] = swapped;
            }
        }
    }
}

static void merge(int low, int middle, int high)
{
    int left = low, right = middle;

    for (int k = low; k < high; k++) {
        if (left < middle && (right >= high || data[left] <= data[right]))
            spare[k] = data[left++];
        else
            spare[k] = data[right++];
    }
    for (int k = low; k < high; k++)
        data[k] = spare[k];
}

/* Sorts [low, high): both halves, then merges them. */
static void merge_sort(int low, int high)
{
    if (high - low < 2)
        return;
    int middle = low + (high - low) / 2;
    merge_sort(low, middle);
    merge_sort(middle, high);
    merge(low, middle, high);
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[2]) : 0;
    unsigned seed = 1;

    if (n < 2 || n > MOST || (strcmp(argv[1], "bubble") != 0 && strcmp(argv[1], "merge") != 0)) {
        fprintf(stderr, "usage: sort bubble | merge COUNT (2 to %d)\n", MOST);
        return 2;
    }
    for (int i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        data[i] = seed >> 16 & 0x7fff;
    }
    if (strcmp(argv[1], "bubble") == 0)
        bubble_sort(n);
    else
        merge_sort(0, n);
    for (int i = 1; i < n; i++) {
        if (data[i - 1] > data[i]) {
            fprintf(stderr, "not sorted at %d\n", i);
            return 1;
        }
    }
    printf("smallest %d, largest %d\n", data[0], data[n - 1]);
    return 0;
}
