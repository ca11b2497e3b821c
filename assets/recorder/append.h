/* The writer's end of the ring. Included by plugin.c alone: what every reference goes through must be inlined. */
#ifndef ORRERY_APPEND_H
#define ORRERY_APPEND_H

#include "control.h"
#include "ring.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define MAX_VCPU 65536
#define unlikely(x) __builtin_expect(!!(x), 0)

static struct control *control;
static struct ring_header *shared;
static struct slot *ring;
static uint64_t slots, mask;
static uint64_t image; /* the number of this image's ring */
static struct timespec began;
static uint64_t asked; /* questions so far */

/* One thread: next walks from the chunk's first slot to end, and only the end of a chunk is looked at more closely.
 * Several threads: next == end for ever, each record takes its slots from head by an atomic addition. */
static struct slot *next, *end;
static uint64_t phase;      /* of the chunk that next is in */
static uint64_t chunk_from; /* ordinal of the next chunk's first slot */
static uint64_t head;
static bool many, off;
static bool muted; /* no more references are wanted, events are */

static uint16_t thread_of[MAX_VCPU];

static uint64_t nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)(now.tv_sec - began.tv_sec) * 1000000000ULL + (uint64_t)now.tv_nsec - (uint64_t)began.tv_nsec;
}

static void switch_off(void)
{
    off = true;
    next = end = NULL;
}

/* Whether there is a recorder. One that has ended keeps its number until its parent has looked at it, but has no
 * executable any more. */
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

/* Removes what a recorder that was killed has left behind: its directory, and the rings of all who wait for it. */
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

/* What a writer that waits has seen. */
struct wait {
    unsigned rounds, looks, still;
    uint64_t beats;
};

/* Looks whether there is still somebody to wait for. */
static bool reader_answers(struct wait *w)
{
    char path[CONTROL_PATH + 40];
    uint64_t now;

    if (!reader_lives()) {
        switch_off();
        tidy_up();
        return false;
    }
    now = __atomic_load_n(&control->beats, __ATOMIC_RELAXED);
    w->still = w->looks++ > 0 && now == w->beats ? w->still + 1 : 0;
    w->beats = now;
    if (!__atomic_load_n(&shared->taken, __ATOMIC_ACQUIRE)) {
        snprintf(path, sizeof path, "%s/ring.%llu", control->directory, (unsigned long long)image);
        if (access(path, F_OK) != 0 && errno == ENOENT && !__atomic_load_n(&shared->taken, __ATOMIC_ACQUIRE)) {
            switch_off(); /* the recorder has refused it, and counts it */
            return false;
        }
    }
    /* A program must not stand still because of its recorder: because it was stopped, say, or cannot take any more rings. A look comes
     * after some 70 ms of this process's own time. */
    if (w->still < control->patience && (w->looks < 4 * control->patience || __atomic_load_n(&shared->taken, __ATOMIC_RELAXED)))
        return true;
    __atomic_store_n(&shared->given_up, 1, __ATOMIC_RELEASE);
    switch_off();
    return false;
}

/* A pause of the writer while it waits for the reader; false when there is no reader to wait for. Falling asleep and waking up cost
 * as much as some thousand references: the longer it has waited, the longer it sleeps. */
static bool pause_for_reader(struct wait *w)
{
    struct timespec nap = {0, 30000L << (w->rounds < 3 ? w->rounds : 3)};

    if (off)
        return false;
    nanosleep(&nap, NULL);
    if (__atomic_load_n(&shared->stop, __ATOMIC_RELAXED) == RING_STOP) {
        switch_off();
        return false;
    }
    return ++w->rounds % 256 != 0 || reader_answers(w);
}

static bool wait_room(uint64_t upto)
{
    struct wait wait = {0};

    while (unlikely(upto > __atomic_load_n(&shared->consumed, __ATOMIC_ACQUIRE) + slots))
        if (!pause_for_reader(&wait))
            return false;
    return true;
}

static inline uint64_t phase_of(uint64_t ordinal) { return !(ordinal / slots & 1); }

static inline void put(struct slot *s, uint64_t w0, uint64_t w1)
{
    s->w0 = w0;
    __atomic_store_n(&s->w1, w1, __ATOMIC_RELEASE);
}

static inline uint64_t event_word(unsigned code, unsigned count, unsigned thread)
{
    return (uint64_t)thread << 32 | code << 16 | count << 8;
}

/* From now on every record takes its slots from head. */
static void share_ring(void)
{
    head = next ? chunk_from - (uint64_t)(end - next) : chunk_from;
    next = end = NULL;
    many = true;
}

/* Looks what is still wanted. A single thread's references take the short way through next and end as long as there is one: without it
 * all come to append_slow, which drops them. */
static bool wants_references(void)
{
    uint64_t stop = __atomic_load_n(&shared->stop, __ATOMIC_RELAXED);

    if (stop == RING_STOP)
        switch_off();
    else if (stop == RING_STOP_REFERENCES) {
        muted = true;
        if (!many)
            share_ring();
    }
    return stop == 0;
}

/* Opens the next chunk for a single writer and gives the clock as its first record. */
static bool open_chunk(void)
{
    if (off || many || !wants_references())
        return false;
    if (!wait_room(chunk_from + RING_CHUNK)) {
        switch_off();
        return false;
    }
    next = ring + (chunk_from & mask);
    end = next + RING_CHUNK;
    phase = phase_of(chunk_from);
    chunk_from += RING_CHUNK;
    put(next++, nanoseconds(), event_word(RING_CLOCK, 0, 0) | phase);
    return true;
}

/* Appends n slots that must stand together; words[2*i+1] without the phase. Any number of threads. */
static void append(const uint64_t *words, unsigned n)
{
    uint64_t at;
    unsigned i;

    if (!many) {
        for (i = 0; i < n && (next != end || open_chunk()); i++) {
            put(next, words[2 * i], words[2 * i + 1] | phase);
            next++;
        }
        if (i == n || !many)
            return;
        words += 2 * i; /* the rest goes where the shared ring goes on */
        n -= i;
    }
    if (off)
        return;
    at = __atomic_fetch_add(&head, n, __ATOMIC_RELAXED);
    if (!wait_room(at + n))
        return;
    for (i = 0; i < n; i++, at++)
        put(ring + (at & mask), words[2 * i], words[2 * i + 1] | phase_of(at));
}

static void event(unsigned code, unsigned vcpu, uint64_t value, const uint64_t *payload, unsigned count)
{
    uint64_t words[2 * 256];
    unsigned i;

    if (off)
        return;
    words[0] = value;
    words[1] = event_word(code, count, thread_of[vcpu]);
    for (i = 0; i < count; i++) {
        words[2 * i + 2] = payload[i];
        words[2 * i + 3] = 8;
    }
    append(words, count + 1);
}

/* An event after which the program waits until the reader has dealt with it. */
static void question(unsigned code, unsigned vcpu, uint64_t value, uint64_t payload)
{
    uint64_t mine = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    struct wait wait = {0};

    event(code, vcpu, value, &payload, 1);
    while (!off && __atomic_load_n(&shared->answered, __ATOMIC_ACQUIRE) < mine)
        if (!pause_for_reader(&wait))
            return;
}

/* The way of a record that found no free slot in its chunk, or that shares the ring with other threads. */
static __attribute__((noinline)) void append_slow(uint64_t w0, uint64_t w1)
{
    uint64_t at;

    if (!many) {
        if (open_chunk()) {
            put(next, w0, w1 | phase);
            next++;
        }
        return;
    }
    if (unlikely(off || muted))
        return;
    at = __atomic_fetch_add(&head, 1, __ATOMIC_RELAXED);
    if (unlikely(!wait_room(at + 1)))
        return;
    put(ring + (at & mask), w0, w1 | phase_of(at));
    if (unlikely((at & (RING_CHUNK - 1)) == 0)) {
        uint64_t clock[2] = {nanoseconds(), event_word(RING_CLOCK, 0, 0)};

        append(clock, 1);
        wants_references();
    }
}

#endif
