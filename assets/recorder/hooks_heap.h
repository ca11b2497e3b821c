/* Wrappers of the allocator's functions: each passes the call on and records it, with the call stack. An allocation is
 * recorded after the call and a free before it, so that two threads that pass an address to each other are recorded in
 * the right order. Definitions are weak: a program's own allocator stays in place. Included by hooks.c alone. */
#include "early_arena.h"

#include <malloc.h>

#ifdef HOOKS_STATIC
#define FUNCTION(name) WRAP(name)
#define PASS(type, name, ...) extern type REAL(name)(__VA_ARGS__);
#define PASSED(name) REAL(name)
#define FIND(name) ((void)0)
#define FOUND true
#define READY true
#else
#define FUNCTION(name) name
#define PASS(type, name, ...) static type (*passed_##name)(__VA_ARGS__);
#define PASSED(name) passed_##name
#define FIND(name) (*(void **)&passed_##name = dlsym(RTLD_NEXT, #name))
#define FOUND (passed_malloc != NULL)
#define READY (FOUND && !self.busy)
#endif

PASS(void *, malloc, size_t)
PASS(void *, calloc, size_t, size_t)
PASS(void *, realloc, void *, size_t)
PASS(void *, memalign, size_t, size_t)
PASS(void *, aligned_alloc, size_t, size_t)
PASS(int, posix_memalign, void **, size_t, size_t)
PASS(void *, valloc, size_t)
PASS(void *, pvalloc, size_t)
PASS(void, free, void *)
PASS(size_t, malloc_usable_size, void *)

SLOW void find_allocator(void)
{
    if (self.busy)
        return;
    self.busy = 1;
    FIND(calloc);
    FIND(realloc);
    FIND(memalign);
    FIND(aligned_alloc);
    FIND(posix_memalign);
    FIND(valloc);
    FIND(pvalloc);
    FIND(free);
    FIND(malloc_usable_size);
    FIND(malloc);
    self.busy = 0;
}

static bool ready(void)
{
    if (unlikely(!FOUND))
        find_allocator();
    return READY;
}

/* Appends the addresses that the calls under way return to, innermost first; the compiler's hooks know of the program's
 * own functions. A gap as large as no frame is where another stack begins. */
static unsigned add_calls(uint64_t *out, unsigned most)
{
    const struct calls *c = self.calls;
    uint64_t i, last = 0;
    unsigned n = 0;

    for (i = c->top; i > c->bottom && n < most; i--) {
        uint64_t slot = c->call[(i - 1) % DEPTH].slot;

        if (last != 0 && slot - last > 1 << 20)
            break;
        last = slot;
        out[n++] = c->call[(i - 1) % DEPTH].back;
    }
    return n;
}

/* Appends an allocator event: its first FIXED payload words, then the stack. */
SLOW void heap_event(unsigned code, const void *p, void *ret, unsigned fixed, uint64_t size, uint64_t usable,
                     uint64_t old)
{
    uint64_t words[4 + 1 + MAX_FRAMES] = {nanoseconds(), size, usable, old};

    words[fixed] = WORD(self.made_by ? self.made_by : ret);
    event(code, self.number, WORD(p), words, fixed + 1 + add_calls(words + fixed + 1, MAX_FRAMES));
}

INLINE bool recording_heap(void) { return !quiet() && self.calls != NULL; }

INLINE void *made(void *p, size_t n, void *ret)
{
    if (p != NULL && recording_heap())
        heap_event(RING_MALLOC, p, ret, 3, n, PASSED(malloc_usable_size)(p), 0);
    return p;
}

INLINE void free_recorded(void *p, void *ret)
{
    if (recording_heap())
        heap_event(RING_FREE, p, ret, 1, 0, 0, 0);
    PASSED(free)(p);
}

WEAK void *FUNCTION(malloc)(size_t n) { return ready() ? made(PASSED(malloc)(n), n, CALLER) : early_take(16, n); }

WEAK void *FUNCTION(calloc)(size_t count, size_t each)
{
    size_t n;

    if (!ready())
        return __builtin_mul_overflow(count, each, &n) ? NULL : early_take(16, n);
    return made(PASSED(calloc)(count, each), count * each, CALLER);
}

WEAK void *FUNCTION(memalign)(size_t align, size_t n)
{
    return ready() ? made(PASSED(memalign)(align, n), n, CALLER) : NULL;
}

WEAK void *FUNCTION(aligned_alloc)(size_t align, size_t n)
{
    return ready() ? made(PASSED(aligned_alloc)(align, n), n, CALLER) : NULL;
}

WEAK int FUNCTION(posix_memalign)(void **out, size_t align, size_t n)
{
    int failed;

    if (!ready())
        return ENOMEM;
    failed = PASSED(posix_memalign)(out, align, n);
    if (!failed)
        made(*out, n, CALLER);
    return failed;
}

WEAK void *FUNCTION(valloc)(size_t n) { return ready() ? made(PASSED(valloc)(n), n, CALLER) : NULL; }
WEAK void *FUNCTION(pvalloc)(size_t n) { return ready() ? made(PASSED(pvalloc)(n), n, CALLER) : NULL; }

static void *resize(void *p, size_t n, void *ret)
{
    void *q;

    if (!recording_heap())
        return PASSED(realloc)(p, n);
    heap_event(RING_REALLOC_BEGIN, p, ret, 1, 0, 0, 0);
    q = PASSED(realloc)(p, n);
    /* realloc(p, 0) frees p and answers NULL; for any other size NULL means that p still lives */
    if (q == NULL && n == 0)
        heap_event(RING_FREE, p, ret, 1, 0, 0, 0);
    else
        heap_event(RING_REALLOC_END, q, ret, 4, n, q ? PASSED(malloc_usable_size)(q) : 0, WORD(p));
    return q;
}

INLINE void *resized(void *p, size_t n, void *ret)
{
    if (!ready())
        return p == NULL ? early_take(16, n) : NULL;
    if (p == NULL)
        return made(PASSED(realloc)(NULL, n), n, ret);
    return is_early(p) ? made(early_move(PASSED(malloc)(n), p, n), n, ret) : resize(p, n, ret);
}

WEAK void *FUNCTION(realloc)(void *p, size_t n) { return resized(p, n, CALLER); }

WEAK void *FUNCTION(reallocarray)(void *p, size_t count, size_t each)
{
    size_t n;

    if (__builtin_mul_overflow(count, each, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    return resized(p, n, CALLER);
}

WEAK void FUNCTION(free)(void *p)
{
    if (p != NULL && !is_early(p) && ready())
        free_recorded(p, CALLER);
}

#ifndef HOOKS_STATIC
/* C++: new and delete call malloc and free, which are recorded, with the caller of new as their caller. A new that
 * fails throws. */
#define NEW(name, parameters, arguments)                                                                               \
    WEAK void *name parameters                                                                                         \
    {                                                                                                                  \
        static void *(*real) parameters;                                                                               \
        struct caller caller __attribute__((cleanup(leave), unused)) = {self.made_by};                                 \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        if (self.made_by == NULL)                                                                                      \
            self.made_by = CALLER;                                                                                     \
        return real arguments;                                                                                         \
    }
#define DELETE(name, parameters, arguments)                                                                            \
    WEAK void name parameters                                                                                          \
    {                                                                                                                  \
        static void (*real) parameters;                                                                                \
        struct caller caller __attribute__((cleanup(leave), unused)) = {self.made_by};                                 \
        if (real == NULL)                                                                                              \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
        if (self.made_by == NULL)                                                                                      \
            self.made_by = CALLER;                                                                                     \
        real arguments;                                                                                                \
    }

struct caller {
    void *before;
};
static void leave(struct caller *c) { self.made_by = c->before; }

NEW(_Znwm, (size_t n), (n))
NEW(_Znam, (size_t n), (n))
NEW(_ZnwmRKSt9nothrow_t, (size_t n, const void *t), (n, t))
NEW(_ZnamRKSt9nothrow_t, (size_t n, const void *t), (n, t))
NEW(_ZnwmSt11align_val_t, (size_t n, size_t a), (n, a))
NEW(_ZnamSt11align_val_t, (size_t n, size_t a), (n, a))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const void *t), (n, a, t))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const void *t), (n, a, t))
DELETE(_ZdlPv, (void *p), (p))
DELETE(_ZdaPv, (void *p), (p))
DELETE(_ZdlPvm, (void *p, size_t n), (p, n))
DELETE(_ZdaPvm, (void *p, size_t n), (p, n))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *t), (p, t))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *t), (p, t))
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t a), (p, a))
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t a), (p, a))
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n, size_t a), (p, n, a))
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n, size_t a), (p, n, a))
#endif
