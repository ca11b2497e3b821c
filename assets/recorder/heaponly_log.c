/* The log's file: when a process begins and ends one, and how threads get the chunks that they write into. */
#define _GNU_SOURCE
#include "heaponly_log.h"

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

#define PAGE 4096

struct header *header;
__thread struct writer self LOCAL;
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
int stopped = 1;
unsigned generation = 1;
static unsigned serials;          /* of threads */
static pthread_key_t at_exit_of_thread;
static int has_key;

/* Chunks that threads have left behind half full. */
#define SPARE 64
static struct { uint8_t *at, *chunk; } spare[SPARE];
static unsigned spares;
static char spare_lock;

static uint64_t now(clockid_t which)
{
    struct timespec t;

    clock_gettime(which, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void compare_clocks(void)
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

int slow_room(size_t n)
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

/* Beside a log that could not be begun stands a link to the number of the error: that needs no room. */
static int no_log(int why)
{
    char number[16], other[PATH_MAX + 8];

    snprintf(number, sizeof number, "%d", why);
    snprintf(other, sizeof other, "%s.why", path);
    if (symlink(number, other) != 0)
        other[0] = '\0'; /* then nobody is told */
    return -1;
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
    forget_stacks();
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
    if (make_stacks() && open_log() == 0) {
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
