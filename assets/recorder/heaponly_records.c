/* The log's records: what is written of a call of the allocator, of its stack, and of a library. */
#define _GNU_SOURCE
#include "heaponly_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#define STACKS (1u << 22) /* different call stacks that get a number */

static uint64_t *stacks;     /* hashes of the stacks that have been described; a stack's number is its slot + 1 */
static unsigned stacks_used;

int make_stacks(void)
{
    stacks = raw_map(NULL, STACKS * sizeof *stacks, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return stacks != MAP_FAILED;
}

void forget_stacks(void)
{
    madvise(stacks, STACKS * sizeof *stacks, MADV_DONTNEED); /* all zero again */
    stacks_used = 0;
}

static inline uint64_t zigzag(uint64_t d) { return d << 1 ^ (uint64_t)((int64_t)d >> 63); }

static uintptr_t number_in(const char **s, int base)
{
    uintptr_t x = 0;

    for (;; (*s)++) {
        int c = **s, d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
        if (d >= base)
            return x;
        x = x * (uintptr_t)base + (uintptr_t)d;
    }
}

/* Looks up which mapping SP lies in. It takes some 50 microseconds, so a program with very many stacks is not
 * followed. */
static void find_stack(uintptr_t sp)
{
    char text[4096 + 1];
    size_t have = 0;
    ssize_t n;
    int error = errno, maps;

    self.low = self.high = 0;
    if (!orrery_ask_system())
        return;
    if (self.looks++ > 1000 || (maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) < 0)
        goto out;
    while (self.high == 0 && (n = read(maps, text + have, sizeof text - 1 - have)) > 0) {
        const char *line = text, *end;
        have += (size_t)n;
        text[have] = 0;
        while ((end = strchr(line, '\n')) != NULL) {
            const char *s = line;
            uintptr_t low = number_in(&s, 16), high;
            s++;
            high = number_in(&s, 16);
            if (sp >= low && sp < high) {
                self.low = low;
                self.high = high;
                if (end - line > 7 && memcmp(end - 7, "[stack]", 7) == 0)
                    self.low = high - (64u << 20); /* it grows by itself */
                break;
            }
            line = end + 1;
        }
        have = (size_t)(text + have - line);
        memmove(text, line, have);
    }
    close(maps);
out:
    orrery_asked();
    errno = error;
}

static unsigned describe(uint64_t hash, const uintptr_t *frame, unsigned n)
{
    unsigned slot = (unsigned)(hash % STACKS), i;
    uintptr_t last = 0;
    uint64_t none;
    uint8_t *p;

    for (;; slot = (slot + 1) % STACKS) {
        uint64_t seen = __atomic_load_n(&stacks[slot], __ATOMIC_RELAXED);
        if (seen == hash)
            return slot + 1;
        if (seen == 0) {
            if (stacks_used >= STACKS / 4 * 3 || !room(16 + 10 * (size_t)n)) {
                header->lost_stacks++;
                return 0;
            }
            none = 0;
            if (__atomic_compare_exchange_n(&stacks[slot], &none, hash, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                break;
            if (none == hash)
                return slot + 1;
        }
    }
    __atomic_fetch_add(&stacks_used, 1, __ATOMIC_RELAXED);
    p = put(self.at + 1, slot + 1);
    p = put(p, n);
    for (i = 0; i < n; i++) {
        p = put(p, zigzag(frame[i] - last));
        last = frame[i];
    }
    __atomic_store_n(self.at, REC_STACK, __ATOMIC_RELEASE);
    self.at = p;
    return slot + 1;
}

/* The number of the stack of the wrapper with the given frame, up to MOST frames deep. */
static unsigned stack_of(uintptr_t frame, unsigned most)
{
    uintptr_t pc[FRAMES], sp = frame + 16;
    uint64_t hash = 0x2545f4914f6cdd1du;
    unsigned n, i, slot;

    if (most == 1) {
        pc[0] = ((uintptr_t *)frame)[1];
        n = 1;
    } else {
        if (sp < self.low || sp >= self.high)
            find_stack(sp);
        n = orrery_unwind(((uintptr_t *)frame)[1], sp, ((uintptr_t *)frame)[0], self.high, pc, most);
    }
    for (i = 0; i < n; i++) {
        hash = (hash ^ pc[i]) * 0x9fb21c651e98df25u;
        hash ^= hash >> 32;
    }
    hash |= hash == 0;
    slot = (unsigned)(hash % STACKS);
    if (__builtin_expect(__atomic_load_n(&stacks[slot], __ATOMIC_RELAXED) == hash, 1))
        return slot + 1;
    return describe(hash, pc, n);
}

static inline uint8_t *put_time(uint8_t *p, uint64_t t)
{
    if (t < self.tick)
        t = self.tick;
    p = put(p, t - self.tick);
    self.tick = t;
    return p;
}

static inline uint8_t *put_addr(uint8_t *p, uintptr_t a)
{
    p = put(p, zigzag(a - self.addr));
    self.addr = a;
    return p;
}

/* What is told of a block: where it is, what was asked for, what there is beyond that, and who asked. */
static inline uint8_t *put_block(uint8_t *p, void *q, size_t size, size_t usable, unsigned stack)
{
    p = put_addr(p, (uintptr_t)q);
    p = put(p, size);
    p = put(p, usable >= size ? usable - size + 1 : 0);
    return put(p, stack);
}

#define MOST_EVENT 128

/* EVENTS is how many the recording will have of it. */
static inline int begin(unsigned events)
{
    if (self.busy)
        return 0;
    if (stopped) {
        lose(events);
        return 0;
    }
    if (__atomic_load_n(&header->over, __ATOMIC_RELAXED))
        return 0;
    self.busy = 1;
    self.events++;
    /* at powers of two, and then regularly */
    if (((self.events & 0xffff) == 0 || (self.events & (self.events - 1)) == 0) && orrery_ask_system()) {
        compare_clocks();
        orrery_asked();
    }
    return 1;
}

void orrery_made(const struct call *c, void *q, size_t size, size_t usable)
{
    unsigned stack;
    uint8_t *p;

    if (!begin(1))
        return;
    stack = room(MOST_EVENT) ? stack_of(c->frame, FRAMES) : 0;
    if (room(MOST_EVENT)) {
        p = put_time(self.at + 1, c->end);
        p = put(p, c->end - c->begin);
        p = put_block(p, q, size, usable, stack);
        __atomic_store_n(self.at, REC_MADE, __ATOMIC_RELEASE);
        self.at = p;
    } else {
        lose(1);
    }
    self.busy = 0;
}

void orrery_moved(const struct call *c, void *old, void *q, size_t size, size_t usable)
{
    unsigned stack;
    uint8_t *p;

    if (!begin(2))
        return;
    stack = room(MOST_EVENT) ? stack_of(c->frame, FRAMES) : 0;
    if (room(MOST_EVENT)) {
        p = put_time(self.at + 1, c->begin);
        p = put_addr(p, (uintptr_t)old);
        p = put_time(p, c->end);
        p = put_block(p, q, size, usable, stack);
        __atomic_store_n(self.at, REC_MOVED, __ATOMIC_RELEASE);
        self.at = p;
    } else {
        lose(2);
    }
    self.busy = 0;
}

void orrery_freed(const struct call *c, void *q)
{
    unsigned stack;
    uint8_t *p;

    if (!begin(1))
        return;
    stack = room(MOST_EVENT) ? stack_of(c->frame, 1) : 0;
    if (room(MOST_EVENT)) {
        p = put_time(self.at + 1, c->begin);
        p = put_addr(p, (uintptr_t)q);
        p = put(p, stack);
        __atomic_store_n(self.at, REC_FREED, __ATOMIC_RELEASE);
        self.at = p;
    } else {
        lose(1);
    }
    self.busy = 0;
}

/* Comes from orrery_look_around while this thread is busy. */
void orrery_module(uintptr_t bias, uintptr_t low, uintptr_t high, const char *name, int first)
{
    static char exe[PATH_MAX];
    size_t n;
    uint8_t *p;

    if (first && *name == 0) {
        if (*exe == 0 && orrery_ask_system()) {
            ssize_t k = readlink("/proc/self/exe", exe, sizeof exe - 1);
            exe[k > 0 ? k : 0] = 0;
            orrery_asked();
        }
        name = exe;
    }
    n = strlen(name);
    if (*name != '/' || n > PATH_MAX || stopped || !room(64 + n))
        return;
    p = put(self.at + 1, bias);
    p = put(p, low);
    p = put(p, high);
    p = put(p, (uint64_t)first);
    p = put(p, n);
    memcpy(p, name, n);
    __atomic_store_n(self.at, REC_MODULE, __ATOMIC_RELEASE);
    self.at = p + n;
}
