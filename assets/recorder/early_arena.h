/* The early arena. A wrapper of the allocator looks the real one up with dlsym, which may itself allocate: such calls
 * are served from here, and never freed. The length of a block stands two words before it:
 *
 *     | ... | length | (unused) | block, aligned to at least 16 ... | */
#ifndef ORRERY_EARLY_ARENA_H
#define ORRERY_EARLY_ARENA_H

#include <errno.h>
#include <stddef.h>

#ifndef EARLY_ARENA
#define EARLY_ARENA 16384 /* bytes */
#endif

static char early_arena[EARLY_ARENA] __attribute__((aligned(16)));
static size_t early_used;

/* align is a power of two, at least 16. */
static void *early_take(size_t align, size_t n)
{
    size_t at = __atomic_fetch_add(&early_used, (n + align + 31) & ~(size_t)15, __ATOMIC_RELAXED);

    if (n > sizeof early_arena || align > 4096 || at + n + align + 16 > sizeof early_arena) {
        errno = ENOMEM;
        return NULL;
    }
    at = (at + 16 + align - 1) & ~(align - 1);
    ((size_t *)(early_arena + at))[-2] = n;
    return early_arena + at;
}

static int is_early(const void *p)
{
    return (const char *)p >= early_arena && (const char *)p < early_arena + sizeof early_arena;
}

/* Moves a block of the arena to one of n bytes of the real allocator, which may be NULL. It copies byte by byte, since
 * memcpy may be the program's, which is recorded. */
static void *early_move(void *to, const void *p, size_t n)
{
    size_t i, old = ((const size_t *)p)[-2];
    volatile char *q = to;

    for (i = 0; to != NULL && i < n && i < old; i++)
        q[i] = ((const char *)p)[i];
    return to;
}

#endif
