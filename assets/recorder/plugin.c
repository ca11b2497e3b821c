/* The recorder's plugin for QEMU's user mode: it sees every memory reference of the program, in order, and appends it
 * to the ring (ring.h). The program may do to its own process whatever it likes: close every descriptor, fork, be
 * killed; nothing but the mapping is needed after the start. The child of a fork makes a ring of its own, and so does
 * the program that a process becomes by exec.
 *
 *     -plugin plugin.so,dir=DIRECTORY */
#define _GNU_SOURCE
#include "append.h"
#include "calls.h"
#include "classify.h"
#include "doorbell.h"
#include "image.h"
#include "qemu.h"
#include "ring.h"
#include "follow_exec.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

PLUGIN_API int qemu_plugin_version = INTERFACE;

static bool started;
static uint16_t threads;
static uint8_t fresh[MAX_VCPU]; /* the instruction being run has made no reference yet */

/* Bits 4-6 of the emulator's description of a reference are the log2 of its size and bits 16-17 say load, store or
 * both: checked against its own answers when the plugin is loaded, then read without a call. */
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
    _Static_assert(RING_SIZE(7) == 0x70 && RING_BOTH == 6, "the emulator's bits are not the ring's any more");
    uint64_t place = RING_PLACE(vaddr, thread_of[vcpu]);
    uint64_t key = user | (info & 0x70) | (info >> 15 & 6);

    if (unlikely(!direct))
        append_slow(place, key);
    else
        append_reference(place, key);
}

/* The thread is in code that is not recorded and has called something there. If a recorded reference comes before a
 * return, then that is what it called, and the address of the return address is recorded: a reader of the recording
 * that follows the calls to know the stack frames has not seen this call. */
static uint8_t outside[MAX_VCPU];

static __attribute__((noinline)) void entered(unsigned vcpu)
{
    const struct calls *c = calls_of[vcpu];

    outside[vcpu] = 0;
    if (c != NULL && c->top > c->bottom && !muted)
        event(RING_ENTER, vcpu, c->call[(c->top - 1) % DEPTH].slot, NULL, 0);
}

/* Recorded code that goes on behind one of its own calls was not entered, although after a longjmp it looks so: where
 * calls return to is kept from their translation, which comes first and is serialised by the emulator. */
#define BEHIND (1 << 16)
static uint64_t behind_calls[BEHIND];

static uint64_t *behind(uint64_t pc)
{
    uint64_t i = pc * 0x9e3779b97f4a7c15 >> 48, tries;

    for (tries = 0; tries < 64 && behind_calls[i] != 0 && behind_calls[i] != pc; tries++)
        i = (i + 1) % BEHIND;
    return &behind_calls[i];
}

static void on_back(unsigned vcpu, void *user)
{
    (void)user;
    outside[vcpu] = 0;
}

static inline void record_watched(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, uint64_t user)
{
    if (unlikely(outside[vcpu]))
        entered(vcpu);
    record(vcpu, info, vaddr, user);
}

static void on_reference(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    record(vcpu, info, vaddr, (uint64_t)user);
}

static void on_watched(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    record_watched(vcpu, info, vaddr, (uint64_t)user);
}

/* Vector registers, compare-exchange of 16 bytes and saved states arrive in pieces of 8 bytes: all but the first of one
 * execution are marked, so that the reader can join them. */
static void on_piece(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    uint64_t later = fresh[vcpu] ? 0 : RING_LATER;

    fresh[vcpu] = 0;
    record_watched(vcpu, info, vaddr, (uint64_t)user | later);
}

static void on_fresh(unsigned vcpu, void *user)
{
    (void)user;
    fresh[vcpu] = 1;
}

/* --from: nothing is recorded before the function is entered nor after that call of it returns, which is when a RET of
 * the same thread reads the return address that was on top at the entry. */
static enum { ALWAYS, BEFORE, INSIDE, AFTER } gate;
static uint64_t frame;
static unsigned owner;

static void on_call_or_return(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    uint64_t u = (uint64_t)user, pc = u >> 16;
    struct calls *c = calls_of[vcpu];

    bool recorded = u & WANTED && gate <= INSIDE && gate != BEFORE;

    if (recorded)
        record_watched(vcpu, info, vaddr, RING_SITE(pc));
    if (unlikely(c == NULL))
        return;
    if (u & RET) {
        outside[vcpu] = 0;
        drop_returned(c, vaddr);
        if (unlikely(gate == INSIDE) && vcpu == owner && frame != 0 && vaddr >= frame) {
            gate = AFTER;
            event(RING_UNTIL, vcpu, 0, NULL, 0);
        }
    } else if (info >> 17 & 1) { /* an indirect CALL loads, too */
        push_call(c, vaddr, pc + (u >> 8 & 15));
        outside[vcpu] = !recorded && control->partial;
    }
}

/* Some emulators (7.2 is one) forget to take back an instruction's callback when the instruction itself leaves for
 * code that has yet to be looked up, as returns do. Then references that the emulator makes in functions of its own
 * (saving the vector registers, say), for later instructions that have no callback, arrive under the name of that
 * instruction. When the whole program is watched every such instruction has its own callback; when it is not, what
 * leaves the straight path is allowed as many references as it makes. */
static uint8_t quota[MAX_VCPU];

static void on_leaving(unsigned vcpu, void *user) { quota[vcpu] = (uint64_t)user >> 12 & 3; }

static void on_limited(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    uint64_t u = (uint64_t)user;

    if (quota[vcpu] == 0)
        return;
    quota[vcpu]--;
    if (u & (CALL | RET))
        on_call_or_return(vcpu, info, vaddr, user);
    else if (gate == ALWAYS || gate == INSIDE)
        record_watched(vcpu, info, vaddr, u & ~(uint64_t)CLASS);
}

static void on_gated(unsigned vcpu, plugin_meminfo info, uint64_t vaddr, void *user)
{
    uint64_t u = (uint64_t)user;

    if (gate != INSIDE)
        return;
    if (u & PIECES)
        on_piece(vcpu, info, vaddr, (void *)(u & ~(uint64_t)CLASS));
    else
        record_watched(vcpu, info, vaddr, u & ~(uint64_t)CLASS);
}

static void on_entry(unsigned vcpu, void *user)
{
    struct calls *c = calls_of[vcpu];

    (void)user;
    if (gate != BEFORE)
        return;
    frame = c != NULL && c->top > c->bottom ? c->call[(c->top - 1) % DEPTH].slot : 0;
    owner = vcpu;
    event(RING_FROM, vcpu, frame != 0, NULL, 0);
    outside[vcpu] = frame != 0;
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
        uint64_t class = classify((const unsigned char *)(pc + guest_base), qemu_plugin_insn_size(insn));
        uint64_t user = RING_SITE(pc) | qemu_plugin_insn_size(insn) << 8 | class;

        if (wanted(pc))
            user |= WANTED;
        if (control->partial && user & WANTED) {
            if (i == 0 && *behind(pc) == pc &&
                !begins_function((const unsigned char *)(pc + guest_base), qemu_plugin_insn_size(insn)))
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_back, NO_REGISTERS, NULL);
            if (user & CALL)
                *behind(pc + qemu_plugin_insn_size(insn)) = pc + qemu_plugin_insn_size(insn);
        }
        if (control->gated && is_entry(pc))
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_entry, NO_REGISTERS, NULL);
        if (!(user & (WANTED | CALL | RET)))
            continue;
        if (control->partial && user & (CALL | RET | JUMP)) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_leaving, NO_REGISTERS, (void *)user);
            qemu_plugin_register_vcpu_mem_cb(insn, on_limited, NO_REGISTERS, BOTH, (void *)user);
            continue;
        }
        if (user & (CALL | RET)) {
            qemu_plugin_register_vcpu_mem_cb(insn, on_call_or_return, NO_REGISTERS, BOTH, (void *)user);
            continue;
        }
        if (user & PIECES)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fresh, NO_REGISTERS, NULL);
        if (control->gated)
            qemu_plugin_register_vcpu_mem_cb(insn, on_gated, NO_REGISTERS, BOTH, (void *)user);
        else
            qemu_plugin_register_vcpu_mem_cb(insn,
                                             user & PIECES      ? on_piece
                                             : control->partial ? on_watched
                                                                : on_reference,
                                             NO_REGISTERS, BOTH, (void *)RING_SITE(pc));
    }
}

/* Text in the program's memory as payload words, at most TEXT bytes; its length comes back. Read page by page, so
 * that a text that ends just before a hole in the memory is had whole. */
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

static void ring_bell(unsigned vcpu, uint64_t what, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t words[4 + 130] = {nanoseconds(), b, c, d};
    unsigned n;

    switch (what) {
    case ORRERY_HELLO:
        event(RING_HELLO, vcpu, 0, NULL, 0);
        break;
    case ORRERY_MALLOC:
        event(RING_MALLOC, vcpu, a, words, 3 + walk(vcpu, words + 3));
        break;
    case ORRERY_FREE:
        event(RING_FREE, vcpu, a, words, 1 + walk(vcpu, words + 1));
        break;
    case ORRERY_REALLOC_BEGIN:
        event(RING_REALLOC_BEGIN, vcpu, a, words, 1);
        break;
    case ORRERY_REALLOC_END:
        event(RING_REALLOC_END, vcpu, a, words, 4 + walk(vcpu, words + 4));
        break;
    case ORRERY_MARK:
        n = text(a, b, false, words + 1);
        event(RING_MARK, vcpu, n, words, 1 + (n + 7) / 8);
        break;
    }
}

/* The arguments of mmap and prctl, until the result is known. */
static struct {
    uint64_t length;
    bool code;
} mapping[MAX_VCPU];
static bool filters[MAX_VCPU];

/* Calls that the emulator does not have and without which the C library goes another way, so that the program does
 * the same. */
static bool replaced_by_libc(int64_t num)
{
    switch (num) {
    case SYS_rseq:
    case SYS_clone3:
    case SYS_set_robust_list:
    case SYS_get_robust_list:
    case SYS_faccessat2:
    case SYS_close_range:
    case SYS_membarrier:
    case 452: /* fchmodat2 */
        return true;
    }
    return false;
}

/* Records, once each, system calls that the emulator handles otherwise than the system. */
#define CALLS 1024
static uint8_t differs[CALLS];

static void compare_answer(unsigned vcpu, int64_t num, int64_t ret)
{
    if (num == SYS_prctl && filters[vcpu] && ret == -EINVAL)
        num = SYS_seccomp;
    else if (ret != -ENOSYS || num < 0 || num >= CALLS || replaced_by_libc(num))
        return;
    if (!__atomic_exchange_n(&differs[num], 1, __ATOMIC_RELAXED))
        event(RING_DIFFERS, vcpu, (uint64_t)num, NULL, 0);
}

static void on_syscall(plugin_id id, unsigned vcpu, int64_t num, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                       uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)a6, (void)a7, (void)a8;
    if (off && num != SYS_execve) /* a recording may be full, and the next program's not */
        return;
    switch (num) {
    case ORRERY_DOORBELL:
        ring_bell(vcpu, a1, a2, a3, a4, a5);
        break;
    case SYS_rt_sigaction: {
        uint64_t handler;

        if (a1 == SIGINT && a2 != 0 && peek(&handler, a2, 8))
            event(RING_INTERRUPT, vcpu, handler != 0, NULL, 0);
        break;
    }
    case SYS_prctl:
        filters[vcpu] = a1 == PR_SET_SECCOMP && a2 != 0;
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
        if (num == SYS_execve && !control->alone && reader_lives())
            follow_exec(a1, a2, a3);
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
    else
        compare_answer(vcpu, num, ret);
}

/* Called in the thread that creates the new one, before that runs. */
static void on_thread(plugin_id id, unsigned vcpu)
{
    uint64_t ticks = nanoseconds();
    static unsigned made;

    (void)id;
    if (off || vcpu >= MAX_VCPU)
        return;
    made = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    thread_of[vcpu] = (uint16_t)made;
    calls_of[vcpu] = calloc(1, sizeof *calls_of[vcpu]);
    if (made > 0 && !many)
        share_ring();
    event(RING_THREAD, vcpu, ticks, NULL, 0);
}

static void on_thread_end(plugin_id id, unsigned vcpu)
{
    struct calls *c = calls_of[vcpu];

    (void)id;
    calls_of[vcpu] = NULL;
    free(c);
    if (!off)
        event(RING_THREAD_END, vcpu, nanoseconds(), NULL, 0);
}

/* The child of a fork has one thread and makes its own recording, in which that is the first. Its parent's ring is
 * never touched again. */
static void in_child(void)
{
    uint64_t parent = image + 1;
    unsigned i, last = threads;

    leave_ring();
    if (control->alone || !reader_lives() || !make_ring(parent))
        return;
    for (i = 0; i < last || i < 64; i++)
        thread_of[i] = 0;
    threads = 1;
    memset(differs, 0, sizeof differs);
    event(RING_THREAD, 0, 0, NULL, 0);
    if (started)
        question(RING_START, 0, guest_base, 0);
}

PLUGIN_API int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv)
{
    _Static_assert(sizeof(struct ring_header) <= RING_HEADER, "the header has outgrown its place");
    int i;

    (void)info;
    for (i = 0; i < argc; i++)
        if (strncmp(argv[i], "dir=", 4) == 0 && !map_control(argv[i] + 4))
            qemu_plugin_outs("orrery: the recorder cannot be reached\n");
    if (control == NULL)
        return -1;
    if (!known_layout()) {
        qemu_plugin_outs("orrery: this emulator describes references in a way the recorder does not know\n");
        return -1;
    }
    if (!make_ring(0)) {
        /* a program must not fail because it cannot be recorded; the first one has nothing else to do */
        if (control->made <= 1)
            qemu_plugin_outs("orrery: the recorder's ring cannot be made\n");
        return control->made <= 1 ? -1 : 0;
    }
    gate = control->gated ? BEFORE : ALWAYS;
    pthread_atfork(NULL, NULL, in_child);
    qemu_plugin_register_vcpu_init_cb(id, on_thread);
    qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_done);
    return 0;
}
