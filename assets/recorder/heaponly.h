/* What the parts of the heap recorder share. It is preloaded into a program that runs at its own speed and writes what
 * the program's allocator is asked for, with call stacks, to a file that is mapped and shared: what is written stays,
 * however the program ends. */
#ifndef HEAPONLY_H
#define HEAPONLY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAMES 32
#define LOCAL __attribute__((tls_model("initial-exec")))

/* heaponly_unwind.c: fills OUT with up to MAX return addresses, innermost first. PC, SP and BP are a function's at a
 * call that has not returned. Words are read only below TOP, the end of the stack that SP points into. */
unsigned orrery_unwind(uintptr_t pc, uintptr_t sp, uintptr_t bp, uintptr_t top, uintptr_t *out, unsigned max);
void orrery_forget(void);       /* libraries have gone: what is known of code may be wrong */
void orrery_look_around(void);  /* tell orrery_module of everything that is loaded */

#define ORRERY_LOG_VARIABLE "ORRERY_HEAP_LOG" /* says where the logs go */

/* heaponly_records.c */
struct call { /* one call of the allocator */
    uint64_t begin, end; /* ticks of the processor's clock */
    uintptr_t frame;     /* of the wrapper: its caller's BP, its return address, then its caller's stack */
};
void orrery_made(const struct call *, void *p, size_t size, size_t usable);
void orrery_moved(const struct call *, void *old, void *p, size_t size, size_t usable);
void orrery_freed(const struct call *, void *p);
void orrery_module(uintptr_t bias, uintptr_t low, uintptr_t high, const char *path, int first);

/* heaponly_log.c */
void orrery_log_start(void);
int orrery_alone(void);         /* what the program starts is to run without the wrapper */
void orrery_log_end(void);
struct image {
    const char *prefix;   /* of logs' paths; NULL: children are not recorded */
    const char *variable; /* what the environment says of the logs */
    long pid;
    int number;           /* which of the process's images it is */
};
void orrery_log_image(struct image *);
int orrery_maps_count(void);     /* what the program maps is logged */
int orrery_ask_system(void);     /* the system may be asked for something; orrery_asked follows */
void orrery_asked(void);
void orrery_begin_filter(void);  /* the program is about to ask for a seccomp filter, */
void orrery_end_filter(int failed); /* and has got an answer */
/* Whether the system may not be asked any more. exec: 1 more process that is not recorded for it, -1 one less, 0. */
int orrery_is_filtered(int exec);

/* heaponly.c */
int orrery_in_allocator(const void *pc);

/* heaponly_exec.c */
void orrery_exec_find(void);

/* heaponly_maps.c */
void orrery_maps_in_child(void);

/* The system's own calls: mmap, munmap, prctl and syscall by name are the wrapper's. */
static inline long raw_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result < 0 && result >= -4095) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

static inline void *raw_map(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    return (void *)raw_call(SYS_mmap, (long)at, (long)n, prot, flags, fd, offset);
}

static inline int raw_unmap(void *at, size_t n) { return (int)raw_call(SYS_munmap, (long)at, (long)n, 0, 0, 0, 0); }

static inline void *raw_remap(void *at, size_t before, size_t after, int flags, void *to)
{
    return (void *)raw_call(SYS_mremap, (long)at, (long)before, (long)after, flags, (long)to, 0);
}

/* In some sandboxes reading the processor's clock is death: then time stands, but for the order of events. */
extern uint64_t orrery_no_clock __attribute__((visibility("hidden"))); /* 0, or the time */

static inline uint64_t ticks(void)
{
    if (__builtin_expect(__atomic_load_n(&orrery_no_clock, __ATOMIC_RELAXED) != 0, 0))
        return __atomic_add_fetch(&orrery_no_clock, 1, __ATOMIC_RELAXED);
    return __builtin_ia32_rdtsc();
}

#endif
