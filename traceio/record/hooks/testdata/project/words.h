/* Words of a text, and a stack of them. */
#ifndef WORDS_H
#define WORDS_H

struct word {
    char text[24];
    int count;
    struct word *below;
};

extern const char *const poem;
extern int letters[26];

const char *next_word(const char *at, char *out, int size);
struct word *push(struct word *top, const char *text);
struct word *find(struct word *top, const char *text);
void drop(struct word *top);
int count_letters(const struct word *top);

#endif
