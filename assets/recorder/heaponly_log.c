/* The log: a file of chunks that is mapped, shared and only ever appended to. A thread writes into a chunk of its own and
 * waits for nobody. A record's first byte is stored last and what is not written is zero, so that the log of a program
 * that is killed ends at a record's end. Numbers are varints; the reader is traceio/record/preload/log.go.
 *
 *     header, 4096 bytes | chunk of 256 KiB | chunk | ...
 */
#define _GNU_SOURCE
#include "heaponly.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CHUNK (256u << 10)
#define PAGE 4096
#define STACKS (1u << 22) /* different call stacks that get a number */

enum { REC_THREAD = 1, REC_STACK, REC_MODULE, REC_MADE, REC_FREED, REC_MOVED };

struct header {
    char magic[8];
    uint32_t version, chunk;
    uint64_t chunks;              /* begun */
    uint64_t pid, parent;
    uint64_t tick0, ns0;          /* the two clocks when the log began, */
    uint64_t tick1, ns1;          /* and the latest time that they were compared */
    uint64_t wall;                /* nanoseconds since 1970 at ns0 */
    uint64_t full;                /* errno that ended the log before the program, 0 */
    uint64_t lost_stacks;         /* events whose stack got no number */
    uint64_t forked;              /* the image began with a fork, not with an exec */
    uint64_t over;                /* set by the recorder: nothing more is wanted */
};

static struct header *header;
static int fd = -1;
static long image_pid;            /* whose log this is, */
static int image_number;          /* which of the process's, */
static dev_t device;
static ino_t inode;
static char path[PATH_MAX];
static char prefix[PATH_MAX];
static char variable[PATH_MAX + 32]; /* as it stood in the environment */
static int alone;                 /* children are not recorded */
static int maps = 1;              /* what the program maps is logged */
static int stopped = 1;           /* nothing can be written (any more) */
static unsigned generation = 1;   /* one more in every child */
static unsigned serials;          /* of threads */
static uint64_t *stacks;          /* hashes of the stacks that have been described; a stack's number is its slot + 1 */
static unsigned stacks_used;
static pthread_key_t at_exit_of_thread;
static int has_key;

/* Chunks that threads have left behind half full. */
#define SPARE 64
static struct { uint8_t *at, *chunk; } spare[SPARE];
static unsigned spares;
static char spare_lock;

static __thread struct {
    uint8_t *at, *end, *chunk;
    uint64_t tick;
    uintptr_t addr;
    uintptr_t low, high;          /* the stack that was seen last: nothing above high may be read */
    unsigned generation, serial, looks, events;
    int busy, exiting;
} self LOCAL;

static inline uint8_t *put(uint8_t *p, uint64_t x)
{
    while (x >= 0x80) {
        *p++ = (uint8_t)(x | 0x80);
        x >>= 7;
    }
    *p++ = (uint8_t)x;
    return p;
}

static inline uint64_t zigzag(uint64_t d) { return d << 1 ^ (uint64_t)((int64_t)d >> 63); }

static uint64_t now(clockid_t which)
{
    struct timespec t;

    clock_gettime(which, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void compare_clocks(void)
{
    header->ns1 = now(CLOCK_MONOTONIC);
    header->tick1 = ticks();
}

static void stop(int why)
{
    stopped = 1;
    header->full = (uint64_t)why;
}

/* Programs close descriptors that they do not know. A log without a name is one that the recorder has done with: it must not
 * grow where nobody sees it. */
static int still_ours(void)
{
    struct stat s;

    if (fstat(fd, &s) == 0 && s.st_dev == device && s.st_ino == inode)
        return s.st_nlink > 0;
    fd = open(path, O_RDWR | O_CLOEXEC);
    return fd >= 0 && fstat(fd, &s) == 0 && s.st_dev == device && s.st_ino == inode;
}

/* Whether a file may have END bytes: going beyond would cost the program its life. */
static int may_have(off_t end)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || (rlim_t)end <= limit.rlim_cur;
}

/* Appends a chunk to the file and maps it. */
static uint8_t *new_chunk(void)
{
    uint64_t i;
    off_t at;
    int failed;
    uint8_t *p;

    if (!still_ours()) {
        stop(EBADF);
        return NULL;
    }
    i = __atomic_fetch_add(&header->chunks, 1, __ATOMIC_RELAXED);
    at = (off_t)(PAGE + i * CHUNK);
    if (!may_have(at + CHUNK)) {
        stop(EFBIG);
        return NULL;
    }
    do
        failed = posix_fallocate(fd, at, CHUNK);
    while (failed == EINTR);
    if (failed) {
        stop(failed);
        return NULL;
    }
    p = raw_map(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, at);
    if (p == MAP_FAILED) {
        stop(errno);
        return NULL;
    }
    compare_clocks();
    return p;
}

static void put_thread(void)
{
    uint8_t *p = self.at + 1;

    self.tick = ticks();
    self.addr = 0;
    p = put(p, self.serial);
    p = put(p, self.tick);
    p = put(p, (uint64_t)syscall(SYS_gettid));
    __atomic_store_n(self.at, REC_THREAD, __ATOMIC_RELEASE);
    self.at = p;
}

/* Another thread may go on where this one ends. */
static void leave_chunk(void *unused)
{
    (void)unused;
    if (self.chunk == NULL || self.generation != generation || self.end - self.at < 4096)
        return;
    if (__atomic_test_and_set(&spare_lock, __ATOMIC_ACQUIRE))
        return;
    if (spares < SPARE) {
        spare[spares].at = self.at;
        spare[spares++].chunk = self.chunk;
        self.chunk = self.at = self.end = NULL;
    }
    __atomic_clear(&spare_lock, __ATOMIC_RELEASE);
    self.exiting = 1;
}

static int adopt_chunk(void)
{
    if (spares == 0 || __atomic_test_and_set(&spare_lock, __ATOMIC_ACQUIRE))
        return 0;
    if (spares > 0) {
        spares--;
        self.at = spare[spares].at;
        self.chunk = spare[spares].chunk;
        self.end = self.chunk + CHUNK;
    }
    __atomic_clear(&spare_lock, __ATOMIC_RELEASE);
    return self.chunk != NULL;
}

/* Makes room for a record of up to N bytes; 0 means that there is none to be had. */
static int slow_room(size_t n)
{
    int error = errno, ok = 0;

    if (stopped || n > CHUNK - 64)
        return 0;
    if (self.generation != generation) {
        self.chunk = self.at = self.end = NULL; /* what it had is the parent's */
        self.generation = generation;
        self.serial = __atomic_fetch_add(&serials, 1, __ATOMIC_RELAXED);
        self.low = self.high = 0;
        if (has_key && !self.exiting)
            pthread_setspecific(at_exit_of_thread, &self);
        if (adopt_chunk()) {
            put_thread();
            if ((size_t)(self.end - self.at) > n) {
                errno = error;
                return 1;
            }
        }
    }
    if (self.chunk)
        raw_unmap(self.chunk, CHUNK);
    self.at = self.end = NULL;
    self.chunk = new_chunk();
    if (self.chunk) {
        self.at = self.chunk;
        self.end = self.chunk + CHUNK;
        put_thread();
        ok = 1;
    }
    errno = error;
    return ok;
}

static inline int room(size_t n)
{
    return __builtin_expect(self.generation == generation && (size_t)(self.end - self.at) > n, 1) || slow_room(n);
}

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

/* Looks up which mapping SP lies in. It takes some 50 microseconds, so a program with very many stacks is not followed. */
static void find_stack(uintptr_t sp)
{
    char text[4096 + 1];
    size_t have = 0;
    ssize_t n;
    int error = errno, maps;

    self.low = self.high = 0;
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

#define MOST_EVENT 128

static inline int begin(void)
{
    if (stopped || self.busy || __atomic_load_n(&header->over, __ATOMIC_RELAXED))
        return 0;
    self.busy = 1;
    self.events++;
    if ((self.events & 0xffff) == 0 || (self.events & (self.events - 1)) == 0) /* soon, and then again and again */
        compare_clocks();
    return 1;
}

void orrery_made(const struct call *c, void *q, size_t size, size_t usable)
{
    unsigned stack;
    uint8_t *p;

    if (!begin())
        return;
    stack = room(MOST_EVENT) ? stack_of(c->frame, FRAMES) : 0;
    if (room(MOST_EVENT)) {
        p = put_time(self.at + 1, c->end);
        p = put(p, c->end - c->begin);
        p = put_addr(p, (uintptr_t)q);
        p = put(p, size);
        p = put(p, usable >= size ? usable - size + 1 : 0);
        p = put(p, stack);
        __atomic_store_n(self.at, REC_MADE, __ATOMIC_RELEASE);
        self.at = p;
    }
    self.busy = 0;
}

void orrery_moved(const struct call *c, void *old, void *q, size_t size, size_t usable)
{
    unsigned stack;
    uint8_t *p;

    if (!begin())
        return;
    stack = room(MOST_EVENT) ? stack_of(c->frame, FRAMES) : 0;
    if (room(MOST_EVENT)) {
        p = put_time(self.at + 1, c->begin);
        p = put_addr(p, (uintptr_t)old);
        p = put_time(p, c->end);
        p = put_addr(p, (uintptr_t)q);
        p = put(p, size);
        p = put(p, usable >= size ? usable - size + 1 : 0);
        p = put(p, stack);
        __atomic_store_n(self.at, REC_MOVED, __ATOMIC_RELEASE);
        self.at = p;
    }
    self.busy = 0;
}

void orrery_freed(const struct call *c, void *q)
{
    unsigned stack;
    uint8_t *p;

    if (!begin())
        return;
    stack = room(MOST_EVENT) ? stack_of(c->frame, 1) : 0;
    if (room(MOST_EVENT)) {
        p = put_time(self.at + 1, c->begin);
        p = put_addr(p, (uintptr_t)q);
        p = put(p, stack);
        __atomic_store_n(self.at, REC_FREED, __ATOMIC_RELEASE);
        self.at = p;
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
        ssize_t k = readlink("/proc/self/exe", exe, sizeof exe - 1);
        exe[k > 0 ? k : 0] = 0;
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

/* Beside a log that could not be begun stands a link to the number of the error: that needs no room. */
static int no_log(int why)
{
    char number[16], other[PATH_MAX + 8];

    snprintf(number, sizeof number, "%d", why);
    snprintf(other, sizeof other, "%s.why", path);
    return symlink(number, other) != 0 ? -2 : -1;
}

/* Begins a file for this process image: PREFIX.PID.N, where N counts the images that the process has been. */
static int open_log(void)
{
    struct stat s;
    int n, high, failed;

    if (*prefix != '/')
        return -1;
    image_pid = getpid();
    image_number = 0;
    for (n = 0; n < 10000; n++) {
        if (snprintf(path, sizeof path, "%s.%ld.%d", prefix, (long)getpid(), n) >= (int)sizeof path)
            return -1;
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        return -1;
    image_number = n;
    high = fcntl(fd, F_DUPFD_CLOEXEC, 900); /* where programs do not expect it */
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    flock(fd, LOCK_EX | LOCK_NB); /* whoever can have the lock knows that this image is over */
    failed = fstat(fd, &s) ? errno : may_have(PAGE) ? posix_fallocate(fd, 0, PAGE) : EFBIG;
    if (failed)
        return no_log(failed);
    device = s.st_dev;
    inode = s.st_ino;
    header = raw_map(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (header == MAP_FAILED)
        return no_log(errno);
    header->version = 1;
    header->chunk = CHUNK;
    header->pid = (uint64_t)getpid();
    header->parent = (uint64_t)getppid();
    header->wall = now(CLOCK_REALTIME);
    header->ns0 = now(CLOCK_MONOTONIC);
    header->tick0 = ticks();
    compare_clocks();
    memcpy(header->magic, "\x89OHEAP\r\n", 8);
    return 0;
}

/* The parent's log is the parent's. */
static void in_child(void)
{
    int error = errno;

    if (stopped)
        return;
    stopped = 1;
    raw_unmap(header, PAGE);
    close(fd);
    fd = -1;
    spares = 0;
    spare_lock = 0;
    orrery_maps_in_child();
    serials = 0;
    generation++;
    madvise(stacks, STACKS * sizeof *stacks, MADV_DONTNEED); /* all zero again */
    stacks_used = 0;
    stopped = alone || open_log() != 0;
    if (!stopped) {
        header->forked = 1;
        self.busy = 1;
        orrery_forget();
        if (room(64))
            orrery_look_around();
        self.busy = 0;
    }
    errno = error;
}

void orrery_log_start(void)
{
    const char *where = getenv(ORRERY_LOG_VARIABLE);
    int error = errno;

    if (where == NULL)
        return;
    snprintf(variable, sizeof variable, ORRERY_LOG_VARIABLE "=%s", where);
    if ((alone = *where == '!'))
        where++;
    if (*where == '-') {
        maps = 0;
        where++;
    }
    strncpy(prefix, where, sizeof prefix - 1);
    self.busy = 1;
    stacks = raw_map(NULL, STACKS * sizeof *stacks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks != MAP_FAILED && open_log() == 0) {
        stopped = 0;
        has_key = pthread_key_create(&at_exit_of_thread, leave_chunk) == 0;
        pthread_atfork(NULL, NULL, in_child);
        if (room(64))
            orrery_look_around();
    }
    self.busy = 0;
    errno = error;
}

int orrery_alone(void) { return alone; }

void orrery_log_image(struct image *i)
{
    *i = (struct image){alone || *prefix != '/' ? NULL : prefix, variable, image_pid, image_number};
}

int orrery_maps_count(void) { return maps && !stopped && !self.busy; }

void orrery_log_end(void)
{
    if (!stopped)
        compare_clocks();
}
