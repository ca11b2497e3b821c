/* The recorder's malloc wrapper: loaded into the recorded program before its allocator, it passes every call on and
 * rings the doorbell with what came of it. A block is announced after it was made and before it is given back, so
 * that two threads that hand an address to each other are heard in the right order. References made by this object
 * are not recorded. */
#define _GNU_SOURCE
#include "doorbell.h"
#include "environment.h"
#include "real_allocator.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define WORD(x) ((unsigned long)(x))

static void (*real_free_sized)(void *, size_t);
static void (*real_free_aligned_sized)(void *, size_t, size_t);

static void find(void)
{
    if (finding)
        return;
    finding = 1;
    real_free_sized = dlsym(RTLD_NEXT, "free_sized");
    real_free_aligned_sized = dlsym(RTLD_NEXT, "free_aligned_sized");
    find_allocator();
    finding = 0;
}

/* READY is whether the call can be passed on; the first call of all looks the allocator up. */
static int ready(void)
{
    if (__builtin_expect(real_malloc == NULL, 0))
        find();
    return real_malloc != NULL && !finding;
}

static void *made(void *p, size_t n)
{
    if (p != NULL)
        orrery_ring(ORRERY_MALLOC, WORD(p), n, usable(p), 0);
    return p;
}

EXPORT void *malloc(size_t n)
{
    return ready() ? made(real_malloc(n), n) : early_take(16, n);
}

EXPORT void *calloc(size_t count, size_t each)
{
    size_t n;

    if (!ready())
        return __builtin_mul_overflow(count, each, &n) ? NULL : early_take(16, n);
    return made(real_calloc(count, each), count * each);
}

EXPORT void *memalign(size_t align, size_t n)
{
    return ready() && real_memalign ? made(real_memalign(align, n), n) : NULL;
}

EXPORT void *aligned_alloc(size_t align, size_t n)
{
    return ready() && real_aligned_alloc ? made(real_aligned_alloc(align, n), n) : NULL;
}

EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
    int failed;

    if (!ready() || !real_posix_memalign)
        return ENOMEM;
    failed = real_posix_memalign(out, align, n);
    if (!failed)
        made(*out, n);
    return failed;
}

EXPORT void *valloc(size_t n)
{
    return ready() && real_valloc ? made(real_valloc(n), n) : NULL;
}

EXPORT void *pvalloc(size_t n)
{
    return ready() && real_pvalloc ? made(real_pvalloc(n), n) : NULL;
}

static void *resize(void *p, size_t n)
{
    void *q;

    orrery_ring(ORRERY_REALLOC_BEGIN, WORD(p), 0, 0, 0);
    q = real_realloc(p, n);
    /* realloc(p, 0) frees p and answers NULL; for any other size NULL means that p still lives */
    if (q == NULL && n == 0)
        orrery_ring(ORRERY_FREE, WORD(p), 0, 0, 0);
    else
        orrery_ring(ORRERY_REALLOC_END, WORD(q), n, q ? usable(q) : 0, WORD(p));
    return q;
}

EXPORT void *realloc(void *p, size_t n)
{
    if (!ready())
        return p == NULL ? early_take(16, n) : NULL;
    if (p == NULL)
        return made(real_realloc(NULL, n), n);
    if (is_early(p))
        return made(adopt(p, n), n);
    return resize(p, n);
}

EXPORT void *reallocarray(void *p, size_t count, size_t each)
{
    size_t n;

    if (__builtin_mul_overflow(count, each, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    if (!ready() || is_early(p))
        return realloc(p, n);
    return p == NULL ? made(real_realloc(NULL, n), n) : resize(p, n);
}

EXPORT void free(void *p)
{
    if (p == NULL || is_early(p) || !ready())
        return;
    orrery_ring(ORRERY_FREE, WORD(p), 0, 0, 0);
    real_free(p);
}

EXPORT void free_sized(void *p, size_t n)
{
    if (p == NULL || is_early(p) || !ready())
        return;
    orrery_ring(ORRERY_FREE, WORD(p), 0, 0, 0);
    real_free_sized ? real_free_sized(p, n) : real_free(p);
}

EXPORT void free_aligned_sized(void *p, size_t align, size_t n)
{
    if (p == NULL || is_early(p) || !ready())
        return;
    orrery_ring(ORRERY_FREE, WORD(p), 0, 0, 0);
    real_free_aligned_sized ? real_free_aligned_sized(p, align, n) : real_free(p);
}

__attribute__((constructor)) static void arrive(void)
{
    ready();
    leave_environment();
    orrery_ring(ORRERY_HELLO, 0, 0, 0, 0);
}
