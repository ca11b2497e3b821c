/* The recorder's plugin for QEMU's user mode: it sees every memory reference of the program, in order, and appends it to
 * the ring (ring.h). The program may do to its own process whatever it likes: close every descriptor, fork, be killed;
 * nothing but the mapping is needed after the start, and a child forgets it.
 *
 *     -plugin plugin.so,ring=FILE */
#define _GNU_SOURCE
#include "doorbell.h"
#include "qemu.h"
#include "ring.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

PLUGIN_API int qemu_plugin_version = 1;

#define MAX_VCPU 65536
#define MAX_FRAMES 24
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

static struct ring_header *shared;
static struct slot *ring;
static uint64_t slots, mask;
static pid_t reader;
static struct timespec began;
static uint64_t guest_base;
static bool started;

/* One thread: next walks from the chunk's first slot to end, and only the end of a chunk is looked at more closely.
 * Several threads: next == end for ever, each record takes its slots from head by an atomic addition. */
static struct slot *next, *end;
static uint64_t phase;      /* of the chunk that next is in */
static uint64_t chunk_from; /* ordinal of the next chunk's first slot */
static uint64_t head;
static bool many, off;

static uint16_t thread_of[MAX_VCPU];
static uint8_t fresh[MAX_VCPU]; /* the instruction being run has made no reference yet */
static uint16_t threads;

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

/* A pause of the writer while it waits for the reader; false when there is no reader to wait for. */
static bool pause_for_reader(unsigned *rounds)
{
    struct timespec nap = {0, 30000};

    if (off)
        return false;
    nanosleep(&nap, NULL);
    if (++*rounds % 256 == 0 && getppid() != reader) {
        switch_off();
        return false;
    }
    return true;
}

static bool wait_room(uint64_t upto)
{
    unsigned rounds = 0;

    while (unlikely(upto > __atomic_load_n(&shared->consumed, __ATOMIC_ACQUIRE) + slots))
        if (!pause_for_reader(&rounds))
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

/* Opens the next chunk for a single writer and gives the clock as its first record. */
static bool open_chunk(void)
{
    if (off || many)
        return false;
    if (__atomic_load_n(&shared->stop, __ATOMIC_RELAXED) || !wait_room(chunk_from + RING_CHUNK)) {
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
        for (i = 0; i < n; i++) {
            if (next == end && !open_chunk())
                return;
            put(next, words[2 * i], words[2 * i + 1] | phase);
            next++;
        }
        return;
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
    static uint64_t asked;
    uint64_t mine = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    unsigned rounds = 0;

    event(code, vcpu, value, &payload, 1);
    while (!off && __atomic_load_n(&shared->answered, __ATOMIC_ACQUIRE) < mine)
        if (!pause_for_reader(&rounds))
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
    if (unlikely(off))
        return;
    at = __atomic_fetch_add(&head, 1, __ATOMIC_RELAXED);
    if (unlikely(!wait_room(at + 1)))
        return;
    put(ring + (at & mask), w0, w1 | phase_of(at));
    if (unlikely((at & (RING_CHUNK - 1)) == 0)) {
        uint64_t clock[2] = {nanoseconds(), event_word(RING_CLOCK, 0, 0)};

        append(clock, 1);
        if (__atomic_load_n(&shared->stop, __ATOMIC_RELAXED))
            switch_off();
    }
}

/* Bits 4-6 of the emulator's description of a reference are the log2 of its size and bits 16-17 say load, store or both:
 * checked against its own answers when the plugin is loaded, then read without a call. */
static bool known_layout(void)
{
    plugin_meminfo i;

    for (i = 0; i < 1 << 18; i += 8)
        if (qemu_plugin_mem_size_shift(i) != (i >> 4 & 7) || qemu_plugin_mem_is_store(i) != (i >> 17 & 1))
            return false;
    return true;
}

static inline void record(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, uint64_t user)
{
    uint64_t w0 = vaddr << 16 | thread_of[vcpu];
    uint64_t w1 = user | (info & 0x70) | (info >> 15 & 6);
    struct slot *s = next;

    if (unlikely(s == end)) {
        append_slow(w0, w1);
        return;
    }
    next = s + 1;
    put(s, w0, w1 | phase);
}

/* What the translator says of an instruction, in the low bits of the user data; its pc is above. */
enum { WANTED = 1, CALL = 2, RET = 4, JUMP = 8, PIECES = 16, CLASS = 0xffff };

static void on_reference(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    record(vcpu, info, vaddr, (uint64_t)user);
}

/* Vector registers, compare-exchange of 16 bytes and saved states arrive in pieces of 8 bytes: all but the first of one
 * execution are marked, so that the reader can put them together again. */
static void on_piece(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    uint64_t later = fresh[vcpu] ? 0 : 1 << 7;

    fresh[vcpu] = 0;
    record(vcpu, info, vaddr, (uint64_t)user | later);
}

static void on_fresh(unsigned vcpu, void *user)
{
    (void)user;
    fresh[vcpu] = 1;
}

/* --from: nothing is recorded before the function is entered nor after that call of it returns. The return is known
 * by the place of its return address: the store that the CALL instruction made just before, possibly followed by the load
 * of an indirect jump (a procedure linkage table). */
static enum { BEFORE, INSIDE, AFTER } gate;
static uint64_t pushed[MAX_VCPU]; /* where the last CALL put its return address, 0 when references have come since */
static uint64_t frame;
static unsigned owner;

static void on_gated(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    uint64_t u = (uint64_t)user, class = u & CLASS;

    if (gate == BEFORE) {
        if (class & CALL && info >> 17 & 1)
            pushed[vcpu] = vaddr;
        else if (!(class & JUMP))
            pushed[vcpu] = 0;
        return;
    }
    if (gate == AFTER)
        return;
    if (class & WANTED) {
        if (class & PIECES)
            on_piece(vcpu, info, vaddr, (void *)(u & ~(uint64_t)CLASS));
        else
            record(vcpu, info, vaddr, u & ~(uint64_t)CLASS);
    }
    if (class & RET && vaddr == frame && vcpu == owner) {
        gate = AFTER;
        event(RING_UNTIL, vcpu, 0, NULL, 0);
    }
}

static void on_entry(unsigned vcpu, void *user)
{
    (void)user;
    if (gate != BEFORE)
        return;
    frame = pushed[vcpu];
    owner = vcpu;
    event(RING_FROM, vcpu, frame != 0, NULL, 0);
    gate = INSIDE;
}

static bool wanted(uint64_t pc)
{
    uint64_t low = 0, high = shared->ranges;

    while (low < high) {
        uint64_t middle = (low + high) / 2;

        if (pc >= shared->range[middle].high)
            low = middle + 1;
        else
            high = middle;
    }
    return low < shared->ranges && pc >= shared->range[low].low;
}

static bool is_entry(uint64_t pc)
{
    uint64_t i;

    for (i = 0; i < shared->entries; i++)
        if (shared->entry[i] == pc)
            return true;
    return false;
}

/* Sorts instructions by their first bytes. PIECES is generous: it costs time, not truth. */
static uint64_t classify(const unsigned char *code, size_t n)
{
    size_t i = 0;
    unsigned char op, modrm;

    while (i < n && (code[i] == 0x66 || code[i] == 0xf2 || code[i] == 0xf3 || code[i] == 0x2e || code[i] == 0x36 ||
                     code[i] == 0x3e || code[i] == 0x26 || code[i] == 0x64 || code[i] == 0x65 || code[i] == 0xf0 ||
                     (code[i] & 0xf0) == 0x40))
        i++;
    if (i >= n)
        return 0;
    op = code[i];
    modrm = i + 1 < n ? code[i + 1] : 0;
    switch (op) {
    case 0xe8:
        return CALL;
    case 0xc2:
    case 0xc3:
        return RET;
    case 0xff:
        return (modrm >> 3 & 7) == 2 ? CALL : (modrm >> 3 & 7) == 4 ? JUMP : 0;
    case 0xc4:
    case 0xc5:
    case 0x62:
    case 0xd9: /* the floating point unit's environment, state and 10-byte numbers */
    case 0xdb:
    case 0xdd:
    case 0xdf:
        return PIECES;
    case 0x0f:
        break;
    default:
        return 0;
    }
    op = modrm; /* of 0f xx: conditional sets and moves, bit tests and extending loads touch memory once */
    if ((op >= 0x40 && op <= 0x4f) || (op >= 0x80 && op <= 0xb7) || op >= 0xb8) {
        if (op == 0xae || op == 0xc7)
            return PIECES;
        return op == 0xc2 || (op >= 0xc4 && op <= 0xc6) || op >= 0xd0 ? PIECES : 0;
    }
    return PIECES;
}

static void on_translate(plugin_id id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb), i;

    (void)id;
    if (off)
        return;
    if (!started) {
        struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);

        started = true;
        guest_base = (uint64_t)qemu_plugin_insn_haddr(first) - qemu_plugin_insn_vaddr(first);
        question(RING_START, 0, guest_base, qemu_plugin_insn_vaddr(first));
    }
    for (i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        uint64_t class = classify(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn));
        uint64_t user = pc << 16;

        if (wanted(pc))
            class |= WANTED;
        if (!shared->gated && !(class & WANTED))
            continue;
        if (class & PIECES)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fresh, NO_REGISTERS, NULL);
        if (shared->gated) {
            if (is_entry(pc))
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_entry, NO_REGISTERS, NULL);
            qemu_plugin_register_vcpu_mem_cb(insn, on_gated, NO_REGISTERS, BOTH, (void *)(user | class));
        } else {
            qemu_plugin_register_vcpu_mem_cb(insn, class & PIECES ? on_piece : on_reference, NO_REGISTERS, BOTH,
                                             (void *)user);
        }
    }
}

/* Copies from the program's memory; false, and no fault, when the address is bad. */
static bool peek(void *to, uint64_t from, size_t n)
{
    struct iovec local = {to, n}, remote = {(void *)(from + guest_base), n};

    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)n;
}

/* The return addresses found by following frame pointers from the wrapper's frame, innermost first. A function without
 * a frame pointer leaves its caller's in place or nonsense; nonsense that does not point up this stack ends the walk. */
static unsigned walk(uint64_t fp, uint64_t *out)
{
    uint64_t page = fp >> 12, pair[2];
    unsigned n = 0;

    while (n < MAX_FRAMES) {
        if (fp >> 12 == page && (fp & 4095) <= 4096 - sizeof pair)
            memcpy(pair, (void *)(fp + guest_base), sizeof pair);
        else if (!peek(pair, fp, sizeof pair))
            break;
        if (pair[1] < 4096)
            break;
        out[n++] = pair[1];
        if (pair[0] <= fp || pair[0] - fp > 1 << 20 || pair[0] & 7)
            break;
        fp = pair[0];
    }
    return n;
}

/* Text in the program's memory as payload words, at most TEXT bytes; its length comes back. Read page by page, so that a
 * text that ends just before a hole in the memory is had whole. */
#define TEXT 1024
static unsigned text(uint64_t from, uint64_t n, bool until_zero, uint64_t *words)
{
    char *to = (char *)words;
    unsigned have = 0;

    if (n > TEXT)
        n = TEXT;
    while (have < n) {
        size_t part = 4096 - ((from + have) & 4095);
        char *zero;

        if (part > n - have)
            part = n - have;
        if (!peek(to + have, from + have, part))
            break;
        zero = until_zero ? memchr(to + have, 0, part) : NULL;
        if (zero != NULL) {
            have = (unsigned)(zero - to);
            break;
        }
        have += part;
    }
    memset(to + have, 0, 8);
    return have;
}

static void ring_bell(unsigned vcpu, uint64_t what, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t fp)
{
    uint64_t words[4 + 130] = {nanoseconds(), b, c, d};
    unsigned n;

    switch (what) {
    case ORRERY_HELLO:
        event(RING_HELLO, vcpu, 0, NULL, 0);
        break;
    case ORRERY_MALLOC:
        event(RING_MALLOC, vcpu, a, words, 3 + walk(fp, words + 3));
        break;
    case ORRERY_FREE:
        event(RING_FREE, vcpu, a, words, 1 + walk(fp, words + 1));
        break;
    case ORRERY_REALLOC_BEGIN:
        event(RING_REALLOC_BEGIN, vcpu, a, words, 1);
        break;
    case ORRERY_REALLOC_END:
        event(RING_REALLOC_END, vcpu, a, words, 4 + walk(fp, words + 4));
        break;
    case ORRERY_MARK:
        n = text(a, b, false, words + 1);
        event(RING_MARK, vcpu, n, words, 1 + (n + 7) / 8);
        break;
    }
}

/* What mmap was asked, until its answer is known. */
static struct {
    uint64_t length;
    bool code;
} mapping[MAX_VCPU];

static void on_syscall(plugin_id id, unsigned vcpu, int64_t num, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                       uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)a7, (void)a8;
    if (off)
        return;
    switch (num) {
    case ORRERY_DOORBELL:
        ring_bell(vcpu, a1, a2, a3, a4, a5, a6);
        break;
    case SYS_mmap:
        mapping[vcpu].length = a2;
        mapping[vcpu].code = (a3 & PROT_EXEC) && !(a4 & MAP_ANONYMOUS);
        break;
    case SYS_execve:
    case SYS_execveat: {
        uint64_t words[1 + 130] = {nanoseconds()};
        unsigned n = text(num == SYS_execve ? a1 : a2, TEXT, true, words + 1);

        event(RING_EXEC, vcpu, n, words, 1 + (n + 7) / 8);
        break;
    }
    }
}

static void on_syscall_done(plugin_id id, unsigned vcpu, int64_t num, int64_t ret)
{
    (void)id;
    if (off)
        return;
    if (num == SYS_mmap && mapping[vcpu].code && (uint64_t)ret < (uint64_t)-4096)
        question(RING_MAP, vcpu, (uint64_t)ret, mapping[vcpu].length);
    else if (num == SYS_execve || num == SYS_execveat)
        event(RING_EXEC_FAILED, vcpu, 0, NULL, 0);
}

/* Called in the thread that makes the new one, before that runs. */
static void on_thread(plugin_id id, unsigned vcpu)
{
    uint64_t ticks = nanoseconds();
    static unsigned made;

    (void)id;
    if (off || vcpu >= MAX_VCPU)
        return;
    made = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    thread_of[vcpu] = (uint16_t)made;
    if (made > 0 && !many) {
        head = next ? chunk_from - (uint64_t)(end - next) : chunk_from;
        next = end = NULL;
        many = true;
    }
    event(RING_THREAD, vcpu, ticks, NULL, 0);
}

static void on_thread_end(plugin_id id, unsigned vcpu)
{
    (void)id;
    if (!off)
        event(RING_THREAD_END, vcpu, nanoseconds(), NULL, 0);
}

/* The child of a fork shares the mapping but not the recording. */
static void in_child(void) { switch_off(); }

static bool map_ring(const char *path)
{
    struct stat st;
    void *p;
    int fd = open(path, O_RDWR | O_CLOEXEC);

    if (fd < 0)
        return false;
    if (fstat(fd, &st) != 0 || st.st_size < RING_HEADER) {
        close(fd);
        return false;
    }
    p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (p == MAP_FAILED)
        return false;
    shared = p;
    ring = (struct slot *)((char *)p + RING_HEADER);
    slots = shared->slots;
    mask = slots - 1;
    return shared->magic == RING_MAGIC && RING_HEADER + slots * sizeof *ring <= (uint64_t)st.st_size;
}

PLUGIN_API int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv)
{
    _Static_assert(sizeof(struct ring_header) <= RING_HEADER, "the header has outgrown its place");
    int i;

    (void)info;
    for (i = 0; i < argc; i++)
        if (strncmp(argv[i], "ring=", 5) == 0 && !map_ring(argv[i] + 5)) {
            qemu_plugin_outs("orrery: the recorder's ring cannot be mapped\n");
            return -1;
        }
    if (ring == NULL)
        return -1;
    if (!known_layout()) {
        qemu_plugin_outs("orrery: this emulator describes references in a way the recorder does not know\n");
        return -1;
    }
    reader = getppid();
    clock_gettime(CLOCK_MONOTONIC, &began);
    pthread_atfork(NULL, NULL, in_child);
    qemu_plugin_register_vcpu_init_cb(id, on_thread);
    qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_done);
    return 0;
}
