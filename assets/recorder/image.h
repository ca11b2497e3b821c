/* The ring of a process image: made by the image itself, found by the recorder. Included by plugin.c alone. */
#ifndef ORRERY_IMAGE_H
#define ORRERY_IMAGE_H

#include "append.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>

static uint64_t guest_base;

/* Copies from the program's memory; false, and no fault, when the address is bad. */
static bool peek(void *to, uint64_t from, size_t n)
{
    struct iovec local = {to, n}, remote = {(void *)(from + guest_base), n};

    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)n;
}

/* Maps the control file; false when there is none. */
static bool map_control(const char *directory)
{
    char path[CONTROL_PATH + 16];
    struct stat st;
    void *p;
    int fd;

    snprintf(path, sizeof path, "%s/control", directory);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) != 0 || st.st_size < (off_t)sizeof *control) {
        close(fd);
        return false;
    }
    p = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (p == MAP_FAILED || ((struct control *)p)->magic != CONTROL_MAGIC || ((struct control *)p)->slots != RING_SLOTS)
        return false;
    control = p;
    return true;
}

#define RING_BYTES (RING_HEADER + (off_t)(RING_SLOTS * sizeof(struct slot)))

/* The ring gets its name when it is whole, with all its pages reserved: writing to a page that cannot be had would kill
 * the program. Nothing here allocates, because it is done between a fork and the end of it as well. */
static struct ring_header *new_ring(uint64_t number, uint64_t parent)
{
    char part[CONTROL_PATH + 60], name[CONTROL_PATH + 40];
    struct ring_header *h;
    off_t size = RING_BYTES;
    struct rlimit limit;
    int fd;

    /* the system kills who wants a longer file than it may have */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < (rlim_t)size) {
        errno = EFBIG;
        return NULL;
    }
    snprintf(name, sizeof name, "%s/ring.%llu", control->directory, (unsigned long long)number);
    snprintf(part, sizeof part, "%s.part", name);
    fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    h = MAP_FAILED;
    if (fallocate(fd, 0, 0, size) == 0)
        h = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED) {
        int why = errno;

        close(fd);
        unlink(part);
        errno = why;
        return NULL;
    }
    close(fd);
    h->magic = RING_MAGIC;
    h->slots = RING_SLOTS;
    h->pid = (uint64_t)getpid();
    h->parent = parent;
    if (rename(part, name) != 0) {
        int why = errno;

        munmap(h, (size_t)size);
        unlink(part);
        errno = why;
        return NULL;
    }
    return h;
}

/* Lets the parent's ring go, in the child of a fork. Memory of the child's own takes its place: a signal handler that
 * forked may return to where a record was about to be written there. */
static void leave_ring(void)
{
    switch_off();
    if (shared != NULL)
        mmap(shared, RING_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0);
}

/* Begins the recording of this image; false when it cannot be made. */
static bool make_ring(uint64_t parent)
{
    uint64_t number = __atomic_fetch_add(&control->made, 1, __ATOMIC_SEQ_CST);
    struct ring_header *fresh = new_ring(number, parent);

    if (fresh == NULL) {
        __atomic_store_n(&control->why, (uint64_t)errno, __ATOMIC_RELAXED);
        __atomic_fetch_add(&control->failed, 1, __ATOMIC_RELAXED);
        return false;
    }
    image = number;
    shared = fresh;
    ring = (struct slot *)((char *)fresh + RING_HEADER);
    head = limit = 0;
    stalled.at = UINT64_MAX;
    stalled.stalls = 0;
    waited = (struct wait){0};
    begun = false;
    off = many = muted = false;
    choose_way();
    clock_gettime(CLOCK_MONOTONIC, &began);
    return true;
}

#endif
