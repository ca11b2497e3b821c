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
#include <time.h>
#include <unistd.h>

#define PAGE 4096

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct header *header;
__thread struct writer self LOCAL;
static struct control *control;   /* stays mapped in children */
static int lock_fd = -1;          /* holds the lock only: the program may close it and be given its number */
static long image_pid;            /* whose log this is, */
static int image_number;          /* which of the process's, */
static dev_t device;
static ino_t inode;
static char path[PATH_MAX];
static char prefix[PATH_MAX];
static char variable[PATH_MAX + 32]; /* as it stood in the environment */
static int alone;                 /* children are not recorded */
static int maps = 1;              /* what the program maps is logged */
static long filters;              /* seccomp filters that the recorder has itself */
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

void lose(unsigned events)
{
    if (header != NULL)
        __atomic_fetch_add(&header->lost, events, __ATOMIC_RELAXED);
}

/* Once the program has a seccomp filter, any question to the system may be its death: what is needed then has been
 * asked for before. A filter may be for all threads, so that it has to wait for those that are just asking. */
static int filtered, asking;

int orrery_ask_system(void)
{
    __atomic_fetch_add(&asking, 1, __ATOMIC_SEQ_CST);
    self.asking++;
    if (!__atomic_load_n(&filtered, __ATOMIC_SEQ_CST))
        return 1;
    orrery_asked();
    return 0;
}

void orrery_asked(void)
{
    self.asking--;
    __atomic_fetch_sub(&asking, 1, __ATOMIC_SEQ_CST);
}

static void nap(void)
{
    struct timespec t = {0, 50000};

    raw_call(SYS_nanosleep, (long)&t, 0, 0, 0, 0, 0);
}

/* Whether a file may have END bytes: going beyond would cost the program its life. */
static int may_have(off_t end)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || (rlim_t)end <= limit.rlim_cur;
}

/* The file is mapped in windows, also where it does not reach yet, so that nothing but its name is needed to go on: a
 * program may close any descriptor, and open another file with the number. */
#define WINDOW (64ull << 20)
#define NARROW (4ull << 20) /* where the program's address space is limited */
#define AHEAD 16            /* windows that a filtered program gets */
#define RESERVE 32          /* chunks that it has room for until the recorder has seen it */
#define WINDOWS 65536
static uint8_t *window[WINDOWS];
static uint64_t wide, windows; /* bytes of one, and how many there are */
static uint64_t size;          /* of the file, in chunks */
static char grow_lock;

/* Maps the next window, of the log that FD is open on. */
static int map_window(int fd)
{
    void *p;

    if (windows == WINDOWS)
        return EFBIG;
    p = raw_map(NULL, wide, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(PAGE + windows * wide));
    if (p == MAP_FAILED)
        return errno;
    window[windows++] = p;
    return 0;
}

/* Opens the log; -1 when its name leads elsewhere or nowhere. */
static int reopen(void)
{
    struct stat s;
    int fd = open(path, O_RDWR | O_CLOEXEC);

    if (fd >= 0 && (fstat(fd, &s) != 0 || s.st_dev != device || s.st_ino != inode)) {
        close(fd);
        errno = EBADF;
        return -1;
    }
    return fd;
}

static uint8_t *chunk_at(uint64_t i) { return window[i * CHUNK / wide] + i * CHUNK % wide; }

/* Gives chunk I room on the disk, so that nothing written there can fail. The errno, or 0. */
static int make_room(uint64_t i)
{
    off_t end = (off_t)(PAGE + (i + 1) * CHUNK);
    int failed = 0, fd = -1;

    if (!may_have(end))
        return EFBIG;
    if (i >= windows * wide / CHUNK) {
        if ((fd = reopen()) < 0)
            return errno;
        failed = map_window(fd);
        close(fd);
        if (failed)
            return failed;
    }
    if (i >= size && truncate(path, end) != 0)
        return errno;
    size = i >= size ? i + 1 : size;
#ifndef ORRERY_OLD_KERNEL
    if (madvise(chunk_at(i), CHUNK, MADV_POPULATE_WRITE) == 0)
        return 0;
    if (errno != EINVAL)
        return errno == EFAULT ? ENOSPC : errno; /* which would have been a bus error */
#endif
    if ((fd = reopen()) < 0) /* before Linux 5.14 */
        return errno;
    do
        failed = posix_fallocate(fd, end - CHUNK, CHUNK);
    while (failed == EINTR);
    close(fd);
    return failed;
}

/* Whether the recorder has done with the log: it must not grow where nobody sees it. */
static int is_gone(void)
{
    struct stat s;

    return fstat(lock_fd, &s) == 0 && s.st_dev == device && s.st_ino == inode && s.st_nlink == 0;
}

/* A chunk of those that the recorder has made room for; NULL when there is none. */
static uint8_t *take_grown(void)
{
    uint64_t i = __atomic_load_n(&header->chunks, __ATOMIC_RELAXED);

    do {
        if (i >= __atomic_load_n(&header->grown, __ATOMIC_ACQUIRE) || i >= windows * wide / CHUNK)
            return NULL;
    } while (!__atomic_compare_exchange_n(&header->chunks, &i, i + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return chunk_at(i);
}

/* The program cannot reach its log any more, since it has another root or user, say: the recorder makes room. */
static uint8_t *ask_recorder(void)
{
    unsigned naps;
    uint8_t *p = NULL;

    header->filtered = 1;
    for (naps = 0; naps < 20000 && (p = take_grown()) == NULL && !header->full && !header->over; naps++)
        nap();
    return p;
}

static uint8_t *grow(void)
{
    uint8_t *p = NULL;
    int failed = 0;

    while (__atomic_test_and_set(&grow_lock, __ATOMIC_ACQUIRE))
        nap();
    if (!stopped && !header->filtered && (failed = make_room(header->chunks)) == 0)
        p = chunk_at(__atomic_fetch_add(&header->chunks, 1, __ATOMIC_RELAXED));
    if (failed)
        header->grown = size;
    __atomic_clear(&grow_lock, __ATOMIC_RELEASE);
    if (p == NULL && !stopped && (failed == 0 || failed == ENOENT || failed == EACCES || failed == ENOTDIR) &&
        !is_gone())
        p = ask_recorder();
    if (p == NULL && !stopped)
        stop(failed ? failed : header->full ? (int)header->full : EBADF);
    return p;
}

/* The next chunk to write into. */
static uint8_t *new_chunk(void)
{
    uint8_t *p;

    if (!orrery_ask_system())
        return take_grown();
    if (self.chunk)
        madvise(self.chunk, CHUNK, MADV_DONTNEED); /* it is in the file */
    p = grow();
    if (p != NULL)
        compare_clocks();
    orrery_asked();
    return p;
}

/* Makes ready for a time in which nothing can be asked: room for some chunks now, and places for many that the
 * recorder makes room for. */
void orrery_begin_filter(void)
{
    unsigned i;
    int error = errno, fd;

    if (stopped || filtered || !orrery_ask_system())
        return;
    self.busy++;
    while (__atomic_test_and_set(&grow_lock, __ATOMIC_ACQUIRE))
        nap();
    if (!header->filtered) {
        for (i = 0; i < RESERVE && make_room(header->chunks + i) == 0; i++)
            ;
        header->grown = header->chunks + i;
        if ((fd = reopen()) >= 0) {
            for (i = 0; i < AHEAD && map_window(fd) == 0; i++)
                ;
            close(fd);
        }
    }
    compare_clocks();
    __atomic_store_n(&filtered, 1, __ATOMIC_SEQ_CST);
    header->filtered = 2;
    __atomic_clear(&grow_lock, __ATOMIC_RELEASE);
    for (i = 0; i < 20000 && __atomic_load_n(&asking, __ATOMIC_SEQ_CST) > self.asking; i++)
        nap();
    orrery_asked();
    self.busy--;
    errno = error;
}

void orrery_end_filter(int failed)
{
    if (failed && filtered && header != NULL) {
        header->filtered = 0;
        filtered = 0;
    }
}

int orrery_is_filtered(int exec)
{
    if (filtered && control != NULL)
        __atomic_fetch_add(&control->filtered, (uint64_t)exec, __ATOMIC_RELAXED);
    return filtered;
}

static void put_thread(void)
{
    uint8_t *p = self.at + 1;

    self.tick = ticks();
    self.addr = 0;
    p = put(p, self.serial);
    p = put(p, self.tick);
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

/* Counts an image that cannot begin a log: in memory that is shared with the recorder, which needs no room and no
 * descriptor. */
static int no_log(int why)
{
    uint64_t i;

    header = NULL;
    if (control == NULL)
        return -1;
    i = __atomic_fetch_add(&control->failed, 1, __ATOMIC_RELAXED);
    control->why = (uint64_t)why;
    if (i < MISSED) {
        control->missed[i].number = (uint32_t)image_number;
        control->missed[i].pid = (uint32_t)image_pid;
    }
    return -1;
}

/* Begins a file for this process image: PREFIX.PID.N, where N counts the images that the process has been. */
static int open_log(void)
{
    struct stat s;
    struct rlimit limit;
    int fd = -1, n, failed;
    void *p;

    if (*prefix != '/')
        return -1;
    header = NULL;
    image_pid = getpid();
    image_number = 0;
    for (n = 0; n < 10000; n++) {
        if (snprintf(path, sizeof path, "%s.%ld.%d", prefix, image_pid, n) >= (int)sizeof path)
            return -1;
        image_number = n;
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0)
        return no_log(errno);
    lock_fd = fcntl(fd, F_DUPFD_CLOEXEC, 900); /* where programs do not expect it */
    if (lock_fd >= 0)
        close(fd);
    else
        lock_fd = fd;
    fd = lock_fd;
    flock(fd, LOCK_EX | LOCK_NB); /* whoever can have the lock knows that this image is over */
    failed = fstat(fd, &s) ? errno : may_have(PAGE) ? posix_fallocate(fd, 0, PAGE) : EFBIG;
    if (failed)
        return no_log(failed);
    device = s.st_dev;
    inode = s.st_ino;
    p = raw_map(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return no_log(errno);
    windows = size = 0;
    wide = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? NARROW : WINDOW;
    failed = map_window(fd);
    if (failed)
        return no_log(failed);
    header = p;
    header->version = 2;
    header->chunk = CHUNK;
    header->pid = (uint64_t)image_pid;
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
    int error = errno, had = !stopped;
    long parent = image_pid;
    struct stat s;

    asking = self.asking = 0;
    grow_lock = spare_lock = 0;
    if (header == NULL)
        return;
    stopped = 1;
    spares = 0;
    orrery_maps_in_child();
    if (filtered) { /* and nothing can be asked for */
        header = NULL;
        if (had && !alone)
            orrery_is_filtered(1);
        return;
    }
    raw_unmap(header, PAGE);
    while (windows > 0)
        raw_unmap(window[--windows], wide);
    if (fstat(lock_fd, &s) == 0 && s.st_dev == device && s.st_ino == inode)
        close(lock_fd);
    lock_fd = -1;
    header = NULL;
    serials = 0;
    generation++;
    forget_stacks();
    stopped = alone || open_log() != 0;
    if (!stopped) {
        header->forked = 1;
        header->parent = (uint64_t)parent;
        self.busy = 1;
        orrery_forget();
        if (room(64))
            orrery_look_around();
        self.busy = 0;
    }
    errno = error;
}

/* How many seccomp filters this process has: by what the loader asks the system for, too, so that a filter that lets
 * a program begin lets this happen. */
static long count_filters(void)
{
    static const char key[] = "Seccomp_filters:", mode[] = "Seccomp:";
    char text[8192], *at;
    ssize_t n = 0;
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    if ((at = strstr(text, key)) != NULL)
        return strtol(at + sizeof key - 1, NULL, 10);
    return (at = strstr(text, mode)) != NULL && strtol(at + sizeof mode - 1, NULL, 10) > 0;
}

/* Maps what all images share: DIRECTORY/control. */
static void share(void)
{
    char at[PATH_MAX];
    const char *end = strrchr(prefix, '/');
    void *p;
    int fd;

    if (end == NULL || snprintf(at, sizeof at, "%.*s/control", (int)(end - prefix), prefix) >= (int)sizeof at)
        return;
    fd = open(at, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    p = raw_map(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (p != MAP_FAILED)
        control = p;
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
    while (*where >= '0' && *where <= '9')
        filters = filters * 10 + *where++ - '0';
    strncpy(prefix, where, sizeof prefix - 1);
    self.busy = 1;
    if (count_filters() > filters) { /* what it was begun with lets a program run, and nobody knows what else */
        alone = 1;
        self.busy = 0;
        errno = error;
        return;
    }
    share();
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
    if (!stopped && orrery_ask_system()) {
        compare_clocks();
        orrery_asked();
    }
}
