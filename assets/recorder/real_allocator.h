/* The allocator behind a wrapper that is loaded in front of it: its functions, as dlsym finds them. Included by
 * heaponly.c and preload.c. */
#ifndef ORRERY_REAL_ALLOCATOR_H
#define ORRERY_REAL_ALLOCATOR_H

#include "early_arena.h"

#include <dlfcn.h>

static void *(*real_malloc)(size_t); /* the last that is looked up: the others are there when it is */
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void *(*real_memalign)(size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_valloc)(size_t);
static void *(*real_pvalloc)(size_t);
static void (*real_free)(void *);
static size_t (*real_usable)(void *);
static int is_glibc;

/* This thread looks up functions: what that allocates comes from the early arena. volatile: dlsym is declared never
 * to call back, yet does. */
static __thread volatile int finding __attribute__((tls_model("initial-exec")));

/* Looks all of them up, while finding. */
static void find_allocator(void)
{
    void *glibc, *found;

    real_calloc = dlsym(RTLD_NEXT, "calloc");
    real_realloc = dlsym(RTLD_NEXT, "realloc");
    real_memalign = dlsym(RTLD_NEXT, "memalign");
    real_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    real_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    real_valloc = dlsym(RTLD_NEXT, "valloc");
    real_pvalloc = dlsym(RTLD_NEXT, "pvalloc");
    real_free = dlsym(RTLD_NEXT, "free");
    real_usable = dlsym(RTLD_NEXT, "malloc_usable_size");
    glibc = dlsym(RTLD_NEXT, "__libc_malloc");
    found = dlsym(RTLD_NEXT, "malloc");
    is_glibc = glibc != NULL && glibc == found;
    __atomic_store_n((void **)&real_malloc, found, __ATOMIC_RELEASE);
}

/* glibc keeps a chunk's size, with three flag bits, in the word before the block. Reading it here rather than calling
 * malloc_usable_size keeps references that the program never made out of a recording. */
static inline size_t usable(void *p)
{
    size_t word;

    if (!is_glibc)
        return real_usable != NULL ? real_usable(p) : 0;
    word = ((size_t *)p)[-1];
    return (word & ~(size_t)7) - (word & 2 ? 16 : 8);
}

/* A block of the early arena moves into the real allocator. */
static void *adopt(void *p, size_t n) { return early_move(real_malloc(n), p, n); }

#endif
