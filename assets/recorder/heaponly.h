/* What the parts of the heap recorder share. It is preloaded into a program that runs at its own speed and writes what
 * the program's allocator is asked for, with call stacks, to a file that is mapped and shared: what is written stays,
 * however the program ends. */
#ifndef HEAPONLY_H
#define HEAPONLY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAMES 32
#define LOCAL __attribute__((tls_model("initial-exec")))

/* heaponly_unwind.c: fills OUT with up to MAX return addresses, innermost first. PC, SP and BP are a function's at a call
 * that has not returned. Words are read only below TOP, the end of the stack that SP points into. */
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

/* heaponly.c */
int orrery_in_allocator(const void *pc);

/* heaponly_exec.c */
void orrery_exec_find(void);

/* heaponly_maps.c */
void orrery_maps_in_child(void);

/* The system's own calls: mmap and munmap by name are the wrapper's. */
static inline void *raw_map(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    return (void *)syscall(SYS_mmap, at, n, prot, flags, fd, offset);
}

static inline int raw_unmap(void *at, size_t n) { return (int)syscall(SYS_munmap, at, n); }

static inline void *raw_remap(void *at, size_t before, size_t after, int flags, void *to)
{
    return (void *)syscall(SYS_mremap, at, before, after, flags, to);
}

static inline uint64_t ticks(void) { return __builtin_ia32_rdtsc(); }

#endif
