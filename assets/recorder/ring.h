/* The ring between the recorded program, which makes and fills it, and the recorder, which empties it: a file mapped
 * by both. Every process image has its own. Its header is a struct here and offsets in traceio/record/ring.go. A slot
 * is two words, place and key. Those of a reference are drawn in traceio/orr/key.go, those of an event in
 * traceio/record/ring.go. traceio/record/layout_test.go compiles this file and compares every offset and every bit
 * with Go's.
 *
 * The key is written last, and its phase bit is 1 in the first lap around the ring, 0 in the second and so on. So the
 * reader sees by the slot itself whether it was written, the writer publishes no position, and whatever stands in the
 * ring when the program is killed can still be read. */
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
    RING_INTERRUPT = 17, /* value: 1 from now on the program handles the keyboard's interrupt itself, 0 no longer */
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
    uint64_t parent; /* 1 + the number of the ring of the image that this was forked from; 0: it began with an exec */
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
    uint64_t place, key;
};

/* The bits of a reference, as in traceio/orr/key.go. */
#define RING_ADDRESS_SHIFT 16
#define RING_PC_SHIFT 16
#define RING_SIZE_SHIFT 4
#define RING_KIND_SHIFT 1
#define RING_LATER (1 << 7)
#define RING_PHASE 1

#define RING_PLACE(address, thread) ((uint64_t)(address) << RING_ADDRESS_SHIFT | (uint64_t)(thread))
#define RING_SITE(pc) ((uint64_t)(pc) << RING_PC_SHIFT)
#define RING_SIZE(log2) ((uint64_t)(log2) << RING_SIZE_SHIFT)
enum { RING_LOAD = 1 << RING_KIND_SHIFT, RING_STORE = 2 << RING_KIND_SHIFT, RING_BOTH = 3 << RING_KIND_SHIFT };

/* The bits of an event, as in traceio/record/ring.go. */
#define RING_THREAD_SHIFT 32
#define RING_CODE_SHIFT 16
#define RING_COUNT_SHIFT 8
#define RING_PAYLOAD 8

#define RING_EVENT(code, count, thread) \
    ((uint64_t)(thread) << RING_THREAD_SHIFT | (uint64_t)(code) << RING_CODE_SHIFT | \
     (uint64_t)(count) << RING_COUNT_SHIFT)

#endif
