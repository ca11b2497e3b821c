/* The allocator's names, loaded before the allocator's own: every call is passed on and logged. A block's end is
 * stamped before it is given back and its beginning after it was made, so that an address that goes from one thread
 * to another does so in the log's order. */
#define _GNU_SOURCE
#define EARLY_ARENA 65536
#include "environment.h"
#include "heaponly.h"
#include "real_allocator.h"

#include <errno.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static int (*real_dlclose)(void *);

static void find(void)
{
    if (finding)
        return;
    finding = 1;
    real_dlclose = dlsym(RTLD_NEXT, "dlclose");
    find_allocator();
    if (real_malloc != NULL)
        orrery_log_start();
    finding = 0;
}

/* Whether code is part of another allocator than the C library's, which does not call itself by names that others can
 * take. */
int orrery_in_allocator(const void *pc)
{
    Dl_info caller, allocator;

    return real_malloc != NULL && !is_glibc && dladdr(pc, &caller) &&
           dladdr((const void *)(uintptr_t)real_malloc, &allocator) && caller.dli_fbase == allocator.dli_fbase;
}

static inline int ready(void)
{
    if (__builtin_expect(__atomic_load_n(&real_malloc, __ATOMIC_ACQUIRE) == NULL, 0))
        find();
    return real_malloc != NULL;
}

/* MADE is what makes the block; the caller's frame is known only in the wrapper itself. */
#define MAKE(n, made)                                                                                                  \
    do {                                                                                                               \
        struct call c;                                                                                                 \
        void *q;                                                                                                       \
        c.frame = (uintptr_t)__builtin_frame_address(0);                                                               \
        c.begin = ticks();                                                                                             \
        q = (made);                                                                                                    \
        c.end = ticks();                                                                                               \
        if (q != NULL)                                                                                                 \
            orrery_made(&c, q, (n), usable(q));                                                                        \
        return q;                                                                                                      \
    } while (0)

EXPORT void *malloc(size_t n)
{
    if (!ready())
        return early_take(16, n);
    MAKE(n, real_malloc(n));
}

EXPORT void *calloc(size_t count, size_t each)
{
    size_t n;

    if (!ready())
        return __builtin_mul_overflow(count, each, &n) ? NULL : early_take(16, n);
    MAKE(count * each, real_calloc(count, each));
}

EXPORT void *memalign(size_t align, size_t n)
{
    if (!ready() || !real_memalign)
        return early_take(align < 16 ? 16 : align, n);
    MAKE(n, real_memalign(align, n));
}

EXPORT void *aligned_alloc(size_t align, size_t n)
{
    if (!ready() || !real_aligned_alloc)
        return early_take(align < 16 ? 16 : align, n);
    MAKE(n, real_aligned_alloc(align, n));
}

EXPORT void *valloc(size_t n)
{
    if (!ready() || !real_valloc)
        return early_take(4096, n);
    MAKE(n, real_valloc(n));
}

EXPORT void *pvalloc(size_t n)
{
    if (!ready() || !real_pvalloc)
        return early_take(4096, n);
    MAKE(n, real_pvalloc(n));
}

EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
    struct call c;
    int failed;

    if (!ready() || !real_posix_memalign)
        return ENOMEM;
    c.frame = (uintptr_t)__builtin_frame_address(0);
    c.begin = ticks();
    failed = real_posix_memalign(out, align, n);
    c.end = ticks();
    if (!failed && *out != NULL)
        orrery_made(&c, *out, n, usable(*out));
    return failed;
}

static inline __attribute__((always_inline)) void *resize(void *p, size_t n, uintptr_t frame)
{
    struct call c = { .frame = frame, .begin = ticks() };
    void *q = p == NULL ? real_malloc(n) : is_early(p) ? adopt(p, n) : real_realloc(p, n);

    c.end = ticks();
    if (p == NULL || is_early(p)) {
        if (q != NULL)
            orrery_made(&c, q, n, usable(q));
    } else if (q != NULL) {
        orrery_moved(&c, p, q, n, usable(q));
    } else if (n == 0) { /* realloc(p, 0) frees p; for any other size NULL means that p still lives */
        orrery_freed(&c, p);
    }
    return q;
}

EXPORT void *realloc(void *p, size_t n)
{
    if (!ready())
        return p == NULL ? early_take(16, n) : NULL;
    return resize(p, n, (uintptr_t)__builtin_frame_address(0));
}

EXPORT void *reallocarray(void *p, size_t count, size_t each)
{
    size_t n;

    if (__builtin_mul_overflow(count, each, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    if (!ready())
        return p == NULL ? early_take(16, n) : NULL;
    return resize(p, n, (uintptr_t)__builtin_frame_address(0));
}

static inline __attribute__((always_inline)) void release(void *p, uintptr_t frame)
{
    struct call c;

    if (p == NULL || is_early(p) || !ready())
        return;
    c.frame = frame;
    c.begin = ticks();
    orrery_freed(&c, p);
    real_free(p);
}

EXPORT void free(void *p) { release(p, (uintptr_t)__builtin_frame_address(0)); }
EXPORT void cfree(void *p) { release(p, (uintptr_t)__builtin_frame_address(0)); }

EXPORT void free_sized(void *p, size_t n)
{
    (void)n;
    release(p, (uintptr_t)__builtin_frame_address(0));
}

EXPORT void free_aligned_sized(void *p, size_t align, size_t n)
{
    (void)align, (void)n;
    release(p, (uintptr_t)__builtin_frame_address(0));
}

/* Addresses of a library that is gone may be another's tomorrow. */
EXPORT int dlclose(void *handle)
{
    int failed;

    if (!ready() || real_dlclose == NULL)
        return -1;
    failed = real_dlclose(handle);
    orrery_forget();
    return failed;
}

__attribute__((constructor)) static void arrive(void)
{
    ready();
    orrery_exec_find();
    if (orrery_alone())
        leave_environment();
}
__attribute__((destructor)) static void leave(void) { orrery_log_end(); }
