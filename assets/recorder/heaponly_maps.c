/* Memory that the program maps for itself counts as allocated, like what it asks the allocator for: mmap of no file,
 * mremap and munmap. What the C library maps, for its allocator or the stacks of threads, does not come through here.
 * A mapping may be given back in parts: then it ends, and what is left of it begins anew. */
#define _GNU_SOURCE
#include "heaponly.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define MAPPINGS 65536
#define PAGE_UP(n) (((n) + 4095) & ~(uintptr_t)4095)

/* The mappings that have been told and live, in order of address. */
static struct mapping {
    uintptr_t low, high;
} live[MAPPINGS];
static unsigned used;
static char lock;
static __thread volatile int within LOCAL; /* a signal handler's mapping must not wait for the one that it interrupts */

/* Whether a call that returns to BACK is to be told; then the lock is taken. What an allocator maps, it hands out by
 * malloc. */
static int take(const void *back)
{
    if (within || !orrery_maps_count() || orrery_in_allocator(back))
        return 0;
    within = 1;
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
    return 1;
}

static void give(void)
{
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    within = 0;
}

void orrery_maps_in_child(void) { give(); } /* whoever had it is not in the child */

/* The first mapping that ends behind AT. */
static unsigned place(uintptr_t at)
{
    unsigned low = 0, high = used;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (live[middle].high <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int insert(uintptr_t low, uintptr_t high)
{
    unsigned i = place(low);

    if (used == MAPPINGS)
        return 0;
    memmove(&live[i + 1], &live[i], (used++ - i) * sizeof live[0]);
    live[i] = (struct mapping){low, high};
    return 1;
}

static void made(const struct call *c, uintptr_t low, uintptr_t high, size_t asked)
{
    if (insert(low, high))
        orrery_made(c, (void *)low, asked, high - low);
}

/* Ends all that lies in [low, high), and begins what sticks out of it. */
static void end(const struct call *c, uintptr_t low, uintptr_t high)
{
    for (;;) {
        unsigned i = place(low);
        struct mapping m;

        if (i == used || live[i].low >= high)
            return;
        m = live[i];
        memmove(&live[i], &live[i + 1], (--used - i) * sizeof live[0]);
        orrery_freed(c, (void *)m.low);
        if (m.low < low)
            made(c, m.low, low, low - m.low);
        if (m.high > high)
            made(c, high, m.high, m.high - high);
    }
}

/* Where the program's calls are not told, they are the system's alone. */
#define MAP(at, n, prot, flags, fd, offset)                                                                            \
    do {                                                                                                               \
        struct call c = {.frame = (uintptr_t)__builtin_frame_address(0), .begin = ticks()};                            \
        void *p;                                                                                                       \
        if (!take(__builtin_return_address(0)))                                                                        \
            return raw_map(at, n, prot, flags, fd, offset);                                                            \
        c.end = c.begin;                                                                                               \
        if ((flags) & MAP_FIXED)                                                                                       \
            end(&c, (uintptr_t)(at), (uintptr_t)(at) + PAGE_UP(n));                                                    \
        p = raw_map(at, n, prot, flags, fd, offset);                                                                   \
        c.end = ticks();                                                                                               \
        if (p != MAP_FAILED && (flags) & MAP_ANONYMOUS)                                                                \
            made(&c, (uintptr_t)p, (uintptr_t)p + PAGE_UP(n), n);                                                      \
        give();                                                                                                        \
        return p;                                                                                                      \
    } while (0)

EXPORT void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    MAP(at, n, prot, flags, fd, offset);
}
EXPORT void *mmap64(void *at, size_t n, int prot, int flags, int fd, off64_t offset)
{
    MAP(at, n, prot, flags, fd, offset);
}

EXPORT int munmap(void *at, size_t n)
{
    struct call c = {.frame = (uintptr_t)__builtin_frame_address(0), .begin = ticks()};
    int failed;

    if (!take(__builtin_return_address(0)))
        return raw_unmap(at, n);
    c.end = c.begin;
    if (((uintptr_t)at & 4095) == 0 && n > 0)
        end(&c, (uintptr_t)at, (uintptr_t)at + PAGE_UP(n));
    failed = raw_unmap(at, n);
    give();
    return failed;
}

EXPORT void *mremap(void *old, size_t before, size_t after, int flags, ...)
{
    struct call c = {.frame = (uintptr_t)__builtin_frame_address(0), .begin = ticks()};
    uintptr_t low = (uintptr_t)old;
    void *to = NULL, *p;
    unsigned i;

    if (flags & MREMAP_FIXED) {
        va_list more;

        va_start(more, flags);
        to = va_arg(more, void *);
        va_end(more);
    }
    if (!take(__builtin_return_address(0)))
        return raw_remap(old, before, after, flags, to);
    p = raw_remap(old, before, after, flags, to);
    c.end = ticks();
    i = place(low);
    if (p != MAP_FAILED && i < used && live[i].low == low && live[i].high == low + PAGE_UP(before)) {
        memmove(&live[i], &live[i + 1], (--used - i) * sizeof live[0]);
        if (flags & MREMAP_FIXED)
            end(&c, (uintptr_t)p, (uintptr_t)p + PAGE_UP(after));
        if (insert((uintptr_t)p, (uintptr_t)p + PAGE_UP(after)))
            orrery_moved(&c, old, p, after, PAGE_UP(after));
        else
            orrery_freed(&c, old);
    }
    give();
    return p;
}
