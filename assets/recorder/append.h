/* The writer's end of the ring. Included by plugin.c and hooks.c, since every reference must go through inlined code.
 *
 * A record first takes its slots, by one addition to head, and then writes them. So whatever runs in between, another
 * thread or a signal handler on this one, takes slots of its own, and no lock is needed and no signal is blocked:
 *
 *     ... | read | read | written | taken | written | written | free | free | ...
 *                         ^ consumed                            ^ head      ^ limit: up to here there is room
 *
 * The reader stops at the first slot that is taken and not written. If a handler has left by longjmp what it had
 * interrupted, that slot is never written; a writer that waits for the reader then finds it and writes RING_LOST. */
#ifndef ORRERY_APPEND_H
#define ORRERY_APPEND_H

#include "control.h"
#include "ring.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define MAX_VCPU 65536
#define unlikely(x) __builtin_expect(!!(x), 0)

static struct control *control;
static struct ring_header *shared;
static struct slot *ring;
static uint64_t image; /* the number of this image's ring */
static struct timespec began;

static uint64_t head;  /* ordinal of the next slot to be taken */
static uint64_t limit; /* slots before this one have room; a slot behind it is looked at more closely */
static bool many;      /* there are several threads: what is taken from head is taken atomically */
static bool off;       /* nothing is recorded any more */
static bool muted;     /* no references are recorded any more, events are */
static bool filtered;  /* not every reference is recorded */
static bool direct;    /* none of these: references take the fast path */

static uint16_t thread_of[MAX_VCPU];

static uint64_t nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)(now.tv_sec - began.tv_sec) * 1000000000ULL + (uint64_t)now.tv_nsec - (uint64_t)began.tv_nsec;
}

static void choose_way(void) { direct = !many && !off && !muted && !filtered; }

static void switch_off(void)
{
    off = true;
    choose_way();
}

/* Whether the recorder runs. A zombie still has its process number, but no executable. */
static bool reader_lives(void)
{
    char path[40], to[8];

    if (__atomic_load_n(&control->over, __ATOMIC_RELAXED))
        return false;
    if (getppid() == (pid_t)control->recorder)
        return true;
    if (kill((pid_t)control->recorder, 0) != 0 && errno == ESRCH)
        return false;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)control->recorder);
    return readlink(path, to, sizeof to) >= 0 || errno != ENOENT || readlink("/proc/self/exe", to, sizeof to) < 0;
}

/* Removes the directory of a recorder that was killed, with all rings. */
static void tidy_up(void)
{
    char path[CONTROL_PATH + 40];
    uint64_t i, made = __atomic_load_n(&control->made, __ATOMIC_RELAXED);

    snprintf(path, sizeof path, "%s/control", control->directory);
    unlink(path);
    for (i = 0; i < made; i++) {
        snprintf(path, sizeof path, "%s/ring.%llu", control->directory, (unsigned long long)i);
        unlink(path);
    }
    rmdir(control->directory);
}

/* How long a thread has waited for the reader. It is cleared only where a wait ends, since signal handlers may leave
 * waits by longjmp. */
struct wait {
    unsigned rounds, looks, still;
    uint64_t beats;
};
static __thread struct wait waited __attribute__((tls_model("initial-exec")));

/* Stops recording if the recorder does not run any more or has refused this ring. */
static void reader_answers(void)
{
    struct wait *w = &waited;
    char path[CONTROL_PATH + 40];
    uint64_t now;

    if (!reader_lives()) {
        switch_off();
        tidy_up();
        return;
    }
    now = __atomic_load_n(&control->beats, __ATOMIC_RELAXED);
    w->still = w->looks++ > 0 && now == w->beats ? w->still + 1 : 0;
    w->beats = now;
    if (!__atomic_load_n(&shared->taken, __ATOMIC_ACQUIRE)) {
        snprintf(path, sizeof path, "%s/ring.%llu", control->directory, (unsigned long long)image);
        if (access(path, F_OK) != 0 && errno == ENOENT && !__atomic_load_n(&shared->taken, __ATOMIC_ACQUIRE)) {
            switch_off(); /* the recorder has refused it, and counts it */
            return;
        }
    }
    /* A program must not hang because its recorder was stopped or cannot open more rings. This is called every 70 ms or
     * so of this process's own time. */
    if (w->still < control->patience &&
        (w->looks < 4 * control->patience || __atomic_load_n(&shared->taken, __ATOMIC_RELAXED)))
        return;
    __atomic_store_n(&shared->given_up, 1, __ATOMIC_RELEASE);
    switch_off();
}

static inline uint64_t phase_of(uint64_t ordinal) { return ~(ordinal / RING_SLOTS) & RING_PHASE; }

static inline void put(struct slot *s, uint64_t place, uint64_t key)
{
    s->place = place;
    __atomic_store_n(&s->key, key, __ATOMIC_RELEASE);
}

/* How many nanoseconds other threads get to write a slot that they have taken: it takes a few instructions, but they
 * may not be running. Each time that was not enough, something abandons slots, so the next ones get half. */
static uint64_t patience(unsigned stalls) { return 2000000000ULL >> (stalls < 7 ? stalls : 7); }

/* The first slot that is not read, how many slots were taken when the reader came to it, and when that was. Not a
 * part of struct wait, since signal handlers may leave waits by longjmp. */
static struct {
    uint64_t at, taken, since;
    unsigned stalls;
} stalled;

static bool written(uint64_t at)
{
    return (__atomic_load_n(&ring[at % RING_SLOTS].key, __ATOMIC_ACQUIRE) & RING_PHASE) == phase_of(at);
}

/* Writes RING_LOST to slots that were taken and abandoned: with a single thread, all that it has not written before it
 * came here; with several, those that were taken long ago. Slots without room belong to threads that wait for it. If a
 * slow thread writes its slot after all, the record of the next lap there counts as lost. */
static void fill_holes(void)
{
    uint64_t at = __atomic_load_n(&shared->consumed, __ATOMIC_ACQUIRE);
    uint64_t taken = __atomic_load_n(&head, __ATOMIC_RELAXED);
    uint64_t room = (at + RING_SLOTS - RING_SPARE) / RING_CHUNK * RING_CHUNK;

    if (many && at != __atomic_load_n(&stalled.at, __ATOMIC_ACQUIRE)) {
        stalled.since = nanoseconds();
        stalled.taken = taken;
        __atomic_store_n(&stalled.at, at, __ATOMIC_RELEASE);
        return;
    }
    if (many)
        taken = stalled.taken;
    if (at >= taken || written(at) || (many && nanoseconds() - stalled.since < patience(stalled.stalls)))
        return;
    stalled.stalls++;
    for (; at < taken && at < room; at++)
        if (!written(at))
            put(ring + at % RING_SLOTS, 1, RING_EVENT(RING_LOST, 0, 0) | phase_of(at));
}

/* A pause while the writer waits for the reader; false when there is no reader. Falling asleep and waking up cost as
 * much as some thousand references, so the pauses grow. It calls the system directly, since nanosleep is a
 * cancellation point and a thread must not be cancelled at a reference. */
static bool pause_for_reader(void)
{
    struct timespec nap = {0, 30000L << (waited.rounds < 3 ? waited.rounds : 3)};
    int saved = errno;

    if (off)
        return false;
    fill_holes();
    syscall(SYS_nanosleep, &nap, NULL);
    if (__atomic_load_n(&shared->stop, __ATOMIC_RELAXED) == RING_STOP)
        switch_off();
    else if (++waited.rounds % 256 == 0)
        reader_answers();
    errno = saved;
    return !off;
}

/* Whether the slots before an ordinal can be written: the reader has read the lap before. */
static bool has_room(uint64_t upto)
{
    return upto <= __atomic_load_n(&shared->consumed, __ATOMIC_ACQUIRE) + RING_SLOTS;
}

/* Waits for room. False when recording has stopped, or when this has become the child of a fork in a signal handler:
 * the parent writes what was begun before. */
static bool wait_room(const struct slot *in, uint64_t upto)
{
    while (unlikely(in == ring && !has_room(upto)))
        if (!pause_for_reader())
            return false;
    waited = (struct wait){0};
    return in == ring;
}

/* From now on there are several threads. */
static void share_ring(void)
{
    many = true;
    choose_way();
}

/* Follows the reader's stop word. */
static void look_what_is_wanted(void)
{
    uint64_t stop = __atomic_load_n(&shared->stop, __ATOMIC_RELAXED);

    if (stop == RING_STOP)
        switch_off();
    else if (stop == RING_STOP_REFERENCES) {
        muted = true;
        choose_way();
    }
}

/* Takes slots in a program with one thread: one instruction, which a signal cannot interrupt. */
static inline __attribute__((always_inline)) uint64_t take_alone(uint64_t n)
{
    __asm__ volatile("xaddq %0, %1" : "+r"(n), "+m"(head) : : "cc", "memory");
    return n;
}

static uint64_t take(uint64_t n) { return many ? __atomic_fetch_add(&head, n, __ATOMIC_RELAXED) : take_alone(n); }

static uint64_t append(const uint64_t *words, unsigned n);

/* This thread has taken slots that it has not written, or has abandoned by longjmp. With several threads such a thread
 * waits only when there is no room at all: the record that it interrupted may be what the reader waits for. */
static __thread bool begun __attribute__((tls_model("initial-exec")));

/* Makes sure of room for slots taken beyond the limit, most often up to the end of their chunk. A chunk begins with a
 * reading of the clock. */
static __attribute__((noinline)) bool open_chunk(const struct slot *in, uint64_t upto, bool inside)
{
    uint64_t end = (upto + RING_CHUNK - 1) / RING_CHUNK * RING_CHUNK;

    if (off || !wait_room(in, inside ? upto : end + RING_SPARE))
        return false;
    if (limit < end && has_room(end + RING_SPARE)) {
        uint64_t clock[2] = {nanoseconds(), RING_EVENT(RING_CLOCK, 0, 0)};

        limit = end;
        look_what_is_wanted();
        append(clock, 1);
    }
    return !off;
}

/* Appends n consecutive slots; words[2*i+1] without the phase. Gives the ordinal after them, 0 when they are not
 * recorded. */
static uint64_t append(const uint64_t *words, unsigned n)
{
    struct slot *to = ring;
    bool inside = begun, room;
    uint64_t at;
    unsigned i;

    if (off)
        return 0;
    begun = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    at = take(n);
    room = at + n <= limit || open_chunk(to, at + n, inside);
    for (i = 0; room && i < n; i++)
        put(to + (at + i) % RING_SLOTS, words[2 * i], words[2 * i + 1] | phase_of(at + i));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    begun = inside;
    return room ? at + n : 0;
}

static uint64_t event(unsigned code, unsigned vcpu, uint64_t value, const uint64_t *payload, unsigned count)
{
    uint64_t words[2 * 256];
    unsigned i;

    if (off)
        return 0;
    words[0] = value;
    words[1] = RING_EVENT(code, count, thread_of[vcpu]);
    for (i = 0; i < count; i++) {
        words[2 * i + 2] = payload[i];
        words[2 * i + 3] = RING_PAYLOAD;
    }
    return append(words, count + 1);
}

/* An event after which the program waits until the reader has handled it, and all before it. */
static void question(unsigned code, unsigned vcpu, uint64_t value, uint64_t payload)
{
    const struct slot *in = ring;

    wait_room(in, event(code, vcpu, value, &payload, 1) + RING_SLOTS);
}

/* A reference whose slot has been taken, beyond the limit. */
static __attribute__((noinline)) void append_at(struct slot *to, uint64_t at, uint64_t place, uint64_t key, bool inside)
{
    if (open_chunk(to, at + 1, inside))
        put(to + at % RING_SLOTS, place, key | phase_of(at));
}

/* The fast path of a reference: one thread, everything is recorded. */
static inline __attribute__((always_inline)) void append_reference(uint64_t place, uint64_t key)
{
    struct slot *to = ring, *s;
    uint64_t at = take_alone(1);

    if (unlikely(at >= limit)) {
        append_at(to, at, place, key, false);
        return;
    }
    s = to + at % RING_SLOTS;
    __asm__ volatile("prefetchw %0" : : "m"(s[48])); /* the reader has this cache line since the lap before */
    put(s, place, key | phase_of(at));
}

/* The slow path: with several threads, or when references may not be wanted. */
static __attribute__((noinline)) void append_slow(uint64_t place, uint64_t key)
{
    struct slot *to = ring;
    bool inside = begun;
    uint64_t at;

    if (unlikely(off || muted))
        return;
    begun = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    at = take(1);
    if (unlikely(at >= limit))
        append_at(to, at, place, key, inside);
    else
        put(to + at % RING_SLOTS, place, key | phase_of(at));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    begun = inside;
}

#endif
