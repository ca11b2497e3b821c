/* The allocator's names, loaded before the allocator's own: every call is passed on and logged. A block's end is stamped
 * before it is given back and its beginning after it was made, so that an address that goes from one thread to another
 * does so in the log's order. */
#define _GNU_SOURCE
#include "environment.h"
#include "heaponly.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void *(*real_memalign)(size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_valloc)(size_t);
static void *(*real_pvalloc)(size_t);
static void (*real_free)(void *);
static size_t (*real_usable)(void *);
static int (*real_dlclose)(void *);
static int is_glibc;

/* dlsym may allocate before it has told where the allocator is: such calls are served from here and never freed. */
static char early[65536] __attribute__((aligned(16)));
static size_t early_used;
static __thread volatile int finding LOCAL;

static void *early_take(size_t align, size_t n)
{
    size_t at = __atomic_fetch_add(&early_used, (n + align + 31) & ~(size_t)15, __ATOMIC_RELAXED);

    if (n > sizeof early || align > 4096 || at + n + align + 16 > sizeof early) {
        errno = ENOMEM;
        return NULL;
    }
    at = (at + 16 + align - 1) & ~(align - 1);
    ((size_t *)(early + at))[-2] = n;
    return early + at;
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
    real_usable = dlsym(RTLD_NEXT, "malloc_usable_size");
    real_dlclose = dlsym(RTLD_NEXT, "dlclose");
    real_free = dlsym(RTLD_NEXT, "free");
    glibc = dlsym(RTLD_NEXT, "__libc_malloc");
    is_glibc = glibc != NULL && glibc == dlsym(RTLD_NEXT, "malloc");
    __atomic_store_n(&real_malloc, dlsym(RTLD_NEXT, "malloc"), __ATOMIC_RELEASE);
    if (real_malloc != NULL)
        orrery_log_start();
    finding = 0;
}

/* Whether code is part of another allocator than the C library's, which does not call itself by names that others can take. */
int orrery_in_allocator(const void *pc)
{
    Dl_info caller, allocator;

    return real_malloc != NULL && !is_glibc && dladdr(pc, &caller) && dladdr((const void *)(uintptr_t)real_malloc, &allocator) &&
           caller.dli_fbase == allocator.dli_fbase;
}

static inline int ready(void)
{
    if (__builtin_expect(__atomic_load_n(&real_malloc, __ATOMIC_ACQUIRE) == NULL, 0))
        find();
    return real_malloc != NULL;
}

/* glibc keeps a chunk's size, with three flag bits, in the word before the block. */
static inline size_t usable(void *p)
{
    size_t word;

    if (!is_glibc)
        return real_usable != NULL ? real_usable(p) : 0;
    word = ((size_t *)p)[-1];
    return (word & ~(size_t)7) - (word & 2 ? 16 : 8);
}

/* MADE is what makes the block; the caller's frame is known only in the wrapper itself. */
#define MAKE(n, made)                                                                                                     \
    do {                                                                                                                   \
        struct call c;                                                                                                     \
        void *q;                                                                                                           \
        c.frame = (uintptr_t)__builtin_frame_address(0);                                                                   \
        c.begin = ticks();                                                                                                 \
        q = (made);                                                                                                        \
        c.end = ticks();                                                                                                   \
        if (q != NULL)                                                                                                     \
            orrery_made(&c, q, (n), usable(q));                                                                            \
        return q;                                                                                                          \
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

/* A block from the early arena moves into the real allocator. */
static void *adopt(void *p, size_t n)
{
    size_t old = ((size_t *)p)[-2];
    void *q = real_malloc(n);

    if (q != NULL)
        memcpy(q, p, old < n ? old : n);
    return q;
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
