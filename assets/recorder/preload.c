/* The recorder's malloc wrapper: loaded into the recorded program before its allocator, it passes every call on and rings
 * the doorbell with what came of it. A block is announced after it was made and before it is given back, so that two
 * threads that hand an address to each other are heard in the right order. References made by this object are not
 * recorded. */
#define _GNU_SOURCE
#include "doorbell.h"
#include "environment.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define WORD(x) ((unsigned long)(x))
#define LOCAL __attribute__((tls_model("initial-exec")))

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void *(*real_memalign)(size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_valloc)(size_t);
static void *(*real_pvalloc)(size_t);
static void (*real_free)(void *);
static void (*real_free_sized)(void *, size_t);
static void (*real_free_aligned_sized)(void *, size_t, size_t);
static size_t (*real_usable)(void *);
static int is_glibc;

/* dlsym may allocate before it has told us where the allocator is: such calls are served from here and never freed. */
static char early[16384] __attribute__((aligned(16)));
static size_t early_used;
static __thread volatile int finding LOCAL; /* volatile: dlsym is declared never to call back, yet does */

static void *early_take(size_t n)
{
    size_t at = __atomic_fetch_add(&early_used, (n + 31) & ~(size_t)15, __ATOMIC_RELAXED);

    if (n > sizeof early || at + n + 16 > sizeof early) {
        errno = ENOMEM;
        return NULL;
    }
    *(size_t *)(early + at) = n;
    return early + at + 16;
}

static int is_early(const void *p)
{
    return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static void find(void)
{
    void *glibc;

    if (finding)
        return;
    finding = 1;
    real_calloc = dlsym(RTLD_NEXT, "calloc");
    real_realloc = dlsym(RTLD_NEXT, "realloc");
    real_memalign = dlsym(RTLD_NEXT, "memalign");
    real_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    real_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    real_valloc = dlsym(RTLD_NEXT, "valloc");
    real_pvalloc = dlsym(RTLD_NEXT, "pvalloc");
    real_free_sized = dlsym(RTLD_NEXT, "free_sized");
    real_free_aligned_sized = dlsym(RTLD_NEXT, "free_aligned_sized");
    real_usable = dlsym(RTLD_NEXT, "malloc_usable_size");
    real_free = dlsym(RTLD_NEXT, "free");
    glibc = dlsym(RTLD_NEXT, "__libc_malloc");
    real_malloc = dlsym(RTLD_NEXT, "malloc");
    is_glibc = glibc != NULL && glibc == (void *)real_malloc;
    finding = 0;
}

/* READY is whether the call can be passed on; the first call of all looks the allocator up. */
static int ready(void)
{
    if (__builtin_expect(real_malloc == NULL, 0))
        find();
    return real_malloc != NULL && !finding;
}

/* glibc keeps a chunk's size, with three flag bits, in the word before the block. Reading it here rather than calling
 * malloc_usable_size keeps references that the program never made out of the recording. */
static size_t usable(void *p)
{
    size_t word;

    if (!is_glibc)
        return real_usable != NULL ? real_usable(p) : 0;
    word = ((size_t *)p)[-1];
    return (word & ~(size_t)7) - (word & 2 ? 16 : 8);
}

static void *made(void *p, size_t n)
{
    if (p != NULL)
        orrery_ring(ORRERY_MALLOC, WORD(p), n, usable(p), 0);
    return p;
}

EXPORT void *malloc(size_t n)
{
    return ready() ? made(real_malloc(n), n) : early_take(n);
}

EXPORT void *calloc(size_t count, size_t each)
{
    size_t n;

    if (!ready())
        return __builtin_mul_overflow(count, each, &n) ? NULL : early_take(n);
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

/* A block from the early arena moves into the real allocator. */
static void *adopt(void *p, size_t n)
{
    size_t old = ((size_t *)p)[-2];
    void *q = real_malloc(n);

    if (q != NULL)
        memcpy(q, p, old < n ? old : n);
    return q;
}

EXPORT void *realloc(void *p, size_t n)
{
    if (!ready())
        return p == NULL ? early_take(n) : NULL;
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
