/* Who called whom. Included by plugin.c alone. */
#ifndef ORRERY_CALLS_H
#define ORRERY_CALLS_H

#include "append.h"

#include <stdint.h>

#define MAX_FRAMES 24

/* The calls that have not returned, of one thread: where each return address lies on the program's stack, and what it
 * is. Kept from the CALL and RET instructions of all code, it needs no frame pointers and no unwind tables. Stacks
 * grow down, so what lies at or below the place that a CALL writes or a RET reads is over; this also clears away what
 * an exception or a longjmp has left. Of calls nested deeper than DEPTH the innermost are known. */
#define DEPTH 4096
struct calls {
    uint64_t top, bottom;
    struct {
        uint64_t slot, back;
    } call[DEPTH];
};
static struct calls *calls_of[MAX_VCPU];

static inline void drop_returned(struct calls *c, uint64_t slot)
{
    while (c->top > c->bottom && c->call[(c->top - 1) % DEPTH].slot <= slot)
        c->top--;
}

static inline void push_call(struct calls *c, uint64_t slot, uint64_t back)
{
    drop_returned(c, slot);
    c->call[c->top % DEPTH].slot = slot;
    c->call[c->top % DEPTH].back = back;
    if (++c->top - c->bottom > DEPTH)
        c->bottom++;
}

/* The return addresses of the calls under way, innermost first. A gap as large as no frame is where another stack
 * begins: of a coroutine or a signal handler. */
static unsigned walk(unsigned vcpu, uint64_t *out)
{
    const struct calls *c = calls_of[vcpu];
    uint64_t i, last = 0;
    unsigned n = 0;

    if (c == NULL)
        return 0;
    for (i = c->top; i > c->bottom && n < MAX_FRAMES; i--) {
        uint64_t slot = c->call[(i - 1) % DEPTH].slot;

        if (last != 0 && slot - last > 1 << 20)
            break;
        last = slot;
        out[n++] = c->call[(i - 1) % DEPTH].back;
    }
    return n;
}

#endif
