/* The doorbell: a system call that no kernel has. A recorded program rings it to tell the recorder something at an
 * exact place in the stream of its references; the recorder's plugin hears it and the kernel answers ENOSYS. Outside
 * a recording, and where the program has hooks, the call does nothing but fail. Programs may include this file to set
 * marks: orrery_mark("second phase"). */
#ifndef ORRERY_DOORBELL_H
#define ORRERY_DOORBELL_H

#define ORRERY_DOORBELL 0x2f727279L

enum orrery_ring {
    ORRERY_HELLO = 1,         /* the malloc wrapper is in place                               */
    ORRERY_MALLOC = 2,        /* pointer, bytes requested, bytes usable                       */
    ORRERY_FREE = 3,          /* pointer                                                      */
    ORRERY_REALLOC_BEGIN = 4, /* old pointer                                                  */
    ORRERY_REALLOC_END = 5,   /* new pointer (0: failed, the old block lives), bytes, usable, old */
    ORRERY_MARK = 6,          /* text, its length                                             */
};

static inline __attribute__((always_inline)) long orrery_ring(long what, unsigned long a, unsigned long b,
                                                              unsigned long c, unsigned long d)
{
    register unsigned long r10 __asm__("r10") = c;
    register unsigned long r8 __asm__("r8") = d;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(ORRERY_DOORBELL), "D"(what), "S"(a), "d"(b), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
}

/* orrery_mark puts TEXT on the recording's timeline, at the next reference. */
static inline void orrery_mark(const char *text)
{
    unsigned long n = 0;

    while (text[n])
        n++;
    orrery_ring(ORRERY_MARK, (unsigned long)text, n, 0, 0);
}

#endif
