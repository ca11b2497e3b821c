/* The runtime of programs that were built with `orrery cc`: linked into the program, it gets the calls that the
 * compiler puts before every reference (the interface of gcc's and clang's thread sanitizer) and writes what they
 * tell into the recorder's ring. A program that the recorder did not start finds no ring and only makes the calls.
 *
 * Parts: hooks_access.h plain references, hooks_atomic.h atomic ones, hooks_string.h memcpy and its kin, hooks_heap.h
 * the allocator, hooks_start.h the recorder's side of starting, threads, fork and exec. */
#define _GNU_SOURCE
#include "append.h"
#include "calls.h"
#include "image.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define HOOK __attribute__((visibility("default"), used))
#define WEAK __attribute__((visibility("default"), weak, used))
#define INLINE static inline __attribute__((always_inline))
#define SLOW static __attribute__((noinline))
#define CALLER __builtin_return_address(0)
#define WORD(x) ((uint64_t)(uintptr_t)(x))

/* In a program without dynamic linking the linker turns every call of NAME into one of __wrap_NAME and gives the old
 * one as __real_NAME. In a dynamic one only what the program's own objects call is turned so; the allocator, threads
 * and exec are replaced for the libraries too, and the old ones are looked up. */
#define WRAP(name) __wrap_##name
#define REAL(name) __real_##name

enum { LOAD = RING_LOAD, STORE = RING_STORE, BOTH = RING_BOTH };
#define BYTES(log2) RING_SIZE(log2)

/* One thread of the program. calls is NULL in programs that are not recorded. */
struct self {
    struct calls *calls;
    void *made_by; /* who called operator new, while it runs */
    uint16_t number;
    uint8_t busy; /* the runtime itself calls the allocator */
};
static __thread struct self self __attribute__((tls_model("initial-exec")));

static enum { ALWAYS, BEFORE, INSIDE, AFTER } gate;
static uint64_t gate_depth;
static uint16_t gate_thread;

/* Before the program's first constructor, when there may be no thread-local memory yet; when nothing is recorded. */
INLINE bool quiet(void) { return shared == NULL || off; }

SLOW bool wanted(uint64_t pc)
{
    static const struct range nowhere;
    /* one word, since signal handlers read it, too */
    static __thread const struct range *latest __attribute__((tls_model("initial-exec")));
    const struct range *in = latest ? latest : &nowhere;
    uint64_t first = 0, last;

    if (gate != ALWAYS && gate != INSIDE)
        return false;
    if (!control->partial || (pc >= in->low && pc < in->high))
        return true;
    for (last = __atomic_load_n(&shared->ranges, __ATOMIC_ACQUIRE); first < last;) {
        uint64_t middle = (first + last) / 2;

        if (pc >= shared->range[middle].high) {
            first = middle + 1;
        } else if (pc < shared->range[middle].low) {
            last = middle;
        } else {
            latest = &shared->range[middle];
            return true;
        }
    }
    return false;
}

/* The way of a reference that may not be wanted, or that shares the ring with other threads. */
SLOW void reference_slow(uint64_t place, uint64_t key)
{
    if (!quiet() && (!filtered || wanted(key >> RING_PC_SHIFT)))
        append_slow(place | self.number, key);
}

/* Every reference goes through here. ret is the return address of the hook: the byte before it is the call's, which
 * bears the line of the reference. */
INLINE void reference(uint64_t address, void *ret, uint64_t what)
{
    uint64_t place = RING_PLACE(address, 0), key = RING_SITE(WORD(ret) - 1) | what;

    if (unlikely(!direct))
        reference_slow(place, key);
    else
        append_reference(place, key);
}

/* Stretches are told in pieces of 8 bytes and what remains. */
INLINE void piece(uint64_t at, uint64_t left, void *ret, uint64_t what, uint64_t *step)
{
    unsigned log2 = left >= 8 ? 3 : left >= 4 ? 2 : left >= 2 ? 1 : 0;

    reference(at, ret, what | BYTES(log2));
    *step = 1ULL << log2;
}

SLOW void stretch(const void *p, uint64_t n, void *ret, uint64_t what)
{
    uint64_t at = WORD(p), step;

    if (quiet())
        return;
    for (; n > 0; at += step, n -= step)
        piece(at, n, ret, what, &step);
}

#include "hooks_access.h"
#include "hooks_atomic.h"
#include "hooks_heap.h"
#include "hooks_string.h"

#include "hooks_start.h"
