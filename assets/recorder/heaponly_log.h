/* The log: a file of chunks that is mapped, shared and only ever appended to. A thread writes into a chunk of its own
 * and waits for nobody. A record's first byte is stored last and what is not written is zero, so that the log of a
 * program that is killed ends at a record's end. Numbers are varints; the reader is traceio/record/preload/log.go.
 *
 *     header, 4096 bytes | chunk of 256 KiB | chunk | ...
 *
 * heaponly_log.c has the file and its chunks, heaponly_records.c what is written into them. */
#ifndef HEAPONLY_LOG_H
#define HEAPONLY_LOG_H

#include "heaponly.h"

#define CHUNK (256u << 10)

enum { REC_THREAD = 1, REC_STACK, REC_MODULE, REC_MADE, REC_FREED, REC_MOVED };

struct header {
    char magic[8];
    uint32_t version, chunk;
    uint64_t chunks;              /* begun */
    uint64_t pid, parent;
    uint64_t tick0, ns0;          /* the two clocks when the log began, */
    uint64_t tick1, ns1;          /* and the latest time that they were compared */
    uint64_t wall;                /* nanoseconds since 1970 at ns0 */
    uint64_t full;                /* errno that ended the log before the program, 0 */
    uint64_t lost_stacks;         /* events whose stack got no number */
    uint64_t forked;              /* the image began with a fork, not with an exec */
    uint64_t over;                /* set by the recorder: nothing more is wanted */
    uint64_t lost;                /* events that there was no room for */
    uint64_t filtered;            /* the program has a seccomp filter: the recorder grows the file */
    uint64_t grown;               /* chunks that the file has room for since then */
};

/* What all images of a recording share: a file named "control" beside the logs, made by the recorder. */
#define MISSED 8000
struct control {
    uint64_t filtered; /* processes that are not recorded, because they began under a filter */
    uint64_t failed;   /* images that could not begin a log, of which the first have a place below */
    uint64_t why;      /* errno of the last of them */
    struct { uint32_t pid, number; } missed[MISSED];
};

/* What a thread knows of where it writes. */
struct writer {
    uint8_t *at, *end, *chunk;
    uint64_t tick;
    uintptr_t addr;
    uintptr_t low, high;          /* the stack that was seen last: nothing above high may be read */
    unsigned generation, serial, looks, events;
    int busy, exiting, asking;
};

#pragma GCC visibility push(hidden) /* so that they are reached directly */

/* heaponly_log.c */
extern struct header *header;
extern __thread struct writer self LOCAL;
extern int stopped;         /* nothing can be written (any more) */
void lose(unsigned events);
extern unsigned generation; /* one more in every child */
void compare_clocks(void);
int slow_room(size_t n);

/* heaponly_records.c */
int make_stacks(void);
void forget_stacks(void); /* those that have been described */

#pragma GCC visibility pop

/* Makes room for a record of up to N bytes; 0 means that there is none to be had. */
static inline int room(size_t n)
{
    return __builtin_expect(self.generation == generation && (size_t)(self.end - self.at) > n, 1) || slow_room(n);
}

static inline uint8_t *put(uint8_t *p, uint64_t x)
{
    while (x >= 0x80) {
        *p++ = (uint8_t)(x | 0x80);
        x >>= 7;
    }
    *p++ = (uint8_t)x;
    return p;
}

#endif
