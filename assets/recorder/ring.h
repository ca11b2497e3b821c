/* The ring between the plugin, which makes and fills it, and the recorder, which empties it: a file mapped by both. Every
 * process image has its own. The recorder's twin of these declarations is traceio/record/ring.go, and a reference's two words are
 * a Row of traceio/orr/key.go; traceio/record/layout_test.go compares all of them with what this file says.
 *
 * A slot is two words. A reference is
 *
 *     w0 = address << 16 | thread                       (the address as 48 signed bits)
 *     w1 = pc << 16 | piece << 7 | log2(size) << 4 | what << 1 | phase      what: 1 load, 2 store, 3 both
 *
 * and an event is a head slot and COUNT slots of payload after it:
 *
 *     w0 = value          w1 = thread << 32 | code << 16 | count << 8 | phase
 *     w0 = payload word   w1 = 8 | phase
 *
 * w1 is written last, and its phase bit is 1 in the first lap around the ring, 0 in the second and so on. So the reader
 * sees by the slot itself whether it was written, the writer publishes no position, and whatever stands in the ring when
 * the program is killed can still be read. */
#ifndef ORRERY_RING_H
#define ORRERY_RING_H

#include <stdint.h>

#define RING_MAGIC 0x3247524f52525221ULL
#define RING_HEADER (1 << 20) /* bytes before the slots */
#define RING_SLOTS 65536
#define RING_CHUNK 4096       /* slots between two readings of the clock */
#define RING_SPARE 4096       /* slots left to signal handlers when the ring is full otherwise */
#define RING_ENTRIES 64
#define RING_RANGES 65000

enum ring_code {
    RING_CLOCK = 1,         /* value: nanoseconds since the start                                     */
    RING_START = 2,         /* value: guest base; payload: first pc or 0. Waits until it is read      */
    RING_MAP = 3,           /* value: address; payload: length. Code was mapped. Waits likewise       */
    RING_THREAD = 4,        /* a thread was made                                                      */
    RING_THREAD_END = 5,    /*                                                                        */
    RING_HELLO = 6,         /* the malloc wrapper is there                                            */
    RING_MALLOC = 7,        /* value: block; payload: ticks, size, usable, return addresses           */
    RING_FREE = 8,          /* value: block; payload: ticks, return addresses                         */
    RING_REALLOC_BEGIN = 9, /* value: old block; payload: ticks                                       */
    RING_REALLOC_END = 10,  /* value: new block; payload: ticks, size, usable, old, return addresses  */
    RING_MARK = 11,         /* value: length; payload: ticks, text                                    */
    RING_EXEC = 12,         /* value: length; payload: ticks, path                                    */
    RING_EXEC_FAILED = 13,
    RING_FROM = 14, /* the --from function was entered; value: 1 when its return will be seen */
    RING_UNTIL = 15, /* the --from function has returned                                      */
    RING_ENTER = 16, /* value: where the call of a recorded function by code that is not keeps its return address */
    RING_INTERRUPT = 17, /* value: 1 when the program deals with the keyboard's interrupt itself, 0 when it no longer does */
    RING_DIFFERS = 18, /* value: the number of a system call that the emulator does not do as the system would */
    RING_LOST = 19, /* stands where a record was begun and left, and may stand between a head and its payload */
};

/* What the reader does not want any more: anything, or references. */
enum ring_stop { RING_STOP = 1, RING_STOP_REFERENCES = 2 };

struct range {
    uint64_t low, high;
};

struct ring_header {
    uint64_t magic;
    uint64_t slots; /* RING_SLOTS */
    uint64_t pid;
    uint64_t parent; /* 1 + the number of the ring of the image that this one was forked from; 0: it began with an exec */
    uint64_t taken;   /* 1: the reader has this ring */
    uint64_t given_up; /* 1: the reader did not move for so long that the program went on without it */
    /* written by the reader */
    _Alignas(64) uint64_t consumed; /* slots read so far */
    uint64_t stop;                  /* what is not wanted any more */
    uint64_t entries;               /* used of entry */
    uint64_t ranges;                /* used of range */
    uint64_t entry[RING_ENTRIES];   /* where the --from function begins */
    struct range range[RING_RANGES]; /* instructions to record, in order, disjoint */
};

struct slot {
    uint64_t w0, w1;
};

/* What the words of a reference are put together from. */
#define RING_PLACE(address, thread) ((uint64_t)(address) << 16 | (uint64_t)(thread))
#define RING_SITE(pc) ((uint64_t)(pc) << 16)
#define RING_SIZE(log2) ((uint64_t)(log2) << 4)
#define RING_LATER (1 << 7)
enum { RING_LOAD = 1 << 1, RING_STORE = 2 << 1, RING_BOTH = 3 << 1 };

/* And those of an event. */
#define RING_EVENT(code, count, thread) ((uint64_t)(thread) << 32 | (uint64_t)(code) << 16 | (uint64_t)(count) << 8)
#define RING_PAYLOAD 8

#endif
