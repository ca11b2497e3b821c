/* How many letters are unread in all mailboxes, counted now and then.
 * usage: mail BOXES ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mailbox {
    int unread, letters;
    char text[4152];
};

static long unread(const struct mailbox *box, int boxes)
{
    long sum = 0;

    for (int i = 0; i < boxes; i++)
        sum += box[i].unread;
    return sum;
}

int main(int argc, char **argv)
{
    int boxes = argc > 2 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 1;
    struct mailbox *box = malloc(boxes * sizeof *box);
    long sum = 0;

    if (!box)
        return 1;
    for (int i = 0; i < boxes; i++) {
        box[i].letters = i % 40;
        box[i].unread = i % 7;
        memset(box[i].text, 'a' + i % 26, sizeof box[i].text);
    }
    for (int r = 0; r < rounds; r++)
        sum += unread(box, boxes);
    printf("%ld\n", sum);
    free(box);
    return 0;
}
