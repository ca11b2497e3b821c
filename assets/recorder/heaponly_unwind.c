/* Call stacks by the unwind tables (.eh_frame) that every x86-64 program carries. What a table says for one return
 * address is boiled down to a rule of one word and kept, so that a frame costs a look into a hash table and two
 * loads: code compiled without frame pointers is as fast as any. Nothing here allocates or waits for a lock. */
#define _GNU_SOURCE
#include "heaponly.h"

#include <link.h>
#include <string.h>

#define RBP 6
#define RSP 7
#define RA 16

/* A rule, packed: bit 0 is set, CFA kind 2 bits, BP kind 2 bits, BP offset 24 bits, CFA offset 32 bits. The CFA is the
 * stack pointer after the return; the return address lies 8 below it. */
enum { CFA_NONE, CFA_SP, CFA_BP, CFA_AT_BP };  /* the stack ends; SP + n; BP + n; the word at BP + n */
enum { BP_SAME, BP_AT_CFA, BP_LOST, BP_AT_BP }; /* not touched; at CFA + n; unknown; at BP + n */

static uint64_t pack(int cfa, int64_t cfa_off, int bp, int64_t bp_off)
{
    if (cfa_off != (int32_t)cfa_off)
        cfa = CFA_NONE;
    if (bp_off < -(1 << 23) || bp_off >= 1 << 23)
        bp = BP_LOST, bp_off = 0;
    return 1 | (uint64_t)cfa << 1 | (uint64_t)bp << 3 | ((uint64_t)bp_off & 0xffffff) << 8 |
           (uint64_t)(uint32_t)cfa_off << 32;
}

/* Rules by return address: a slot is claimed by its key and valid once its rule is there. */
#define RULES (1u << 16)
static struct { uintptr_t key; uint64_t rule; } rules[RULES];
static unsigned rules_used;

/* Objects that are loaded. Whoever cannot have the lock does without: the stack ends where it is. */
#define OBJECTS 1024
static struct object { uintptr_t low, high, bias; const uint8_t *table; } objects[OBJECTS];
static unsigned object_count;
static char objects_lock;

struct reader { const uint8_t *p, *end; int bad; };

static uint64_t take(struct reader *r, unsigned n)
{
    uint64_t x = 0;

    if ((size_t)(r->end - r->p) < n) {
        r->bad = 1;
        r->p = r->end;
        return 0;
    }
    memcpy(&x, r->p, n);
    r->p += n;
    return x;
}

static uint64_t uleb(struct reader *r)
{
    uint64_t x = 0;
    unsigned shift = 0;

    while (r->p < r->end) {
        uint8_t c = *r->p++;
        if (shift < 64)
            x |= (uint64_t)(c & 0x7f) << shift;
        shift += 7;
        if (!(c & 0x80))
            return x;
    }
    r->bad = 1;
    return 0;
}

static int64_t sleb(struct reader *r)
{
    int64_t x = 0;
    unsigned shift = 0;

    while (r->p < r->end) {
        uint8_t c = *r->p++;
        if (shift < 64)
            x |= (int64_t)((uint64_t)(c & 0x7f) << shift);
        shift += 7;
        if (!(c & 0x80)) {
            if (c & 0x40 && shift < 64)
                x |= -((int64_t)1 << shift);
            return x;
        }
    }
    r->bad = 1;
    return 0;
}

/* A pointer in one of DWARF's encodings; BASE is what data-relative ones count from. */
static uintptr_t encoded(struct reader *r, uint8_t how, uintptr_t base)
{
    uintptr_t here = (uintptr_t)r->p, x;

    switch (how & 0x0f) {
    case 0x00: case 0x04: case 0x0c: x = take(r, 8); break;
    case 0x01: x = uleb(r); break;
    case 0x02: x = take(r, 2); break;
    case 0x03: x = take(r, 4); break;
    case 0x09: x = sleb(r); break;
    case 0x0a: x = (int16_t)take(r, 2); break;
    case 0x0b: x = (int32_t)take(r, 4); break;
    default: r->bad = 1; return 0;
    }
    switch (how & 0x70) {
    case 0x00: return x;
    case 0x10: return here + x;
    case 0x30: return base + x;
    }
    r->bad = 1;
    return 0;
}

/* What the table has said so far of the code that is walked. */
struct row {
    int cfa, bp, ra_gone;
    uint64_t reg;
    int64_t cfa_off, bp_off;
};

struct walk {
    uintptr_t at, pc; /* the row is for AT; rows are wanted up to PC */
    uint64_t code_align;
    int64_t data_align;
    uint8_t how; /* encoding of addresses */
    struct row row, first, kept[8];
    unsigned depth;
};

static void saved(struct walk *w, uint64_t reg, int64_t at)
{
    if (reg == RBP)
        w->row.bp = BP_AT_CFA, w->row.bp_off = at;
    else if (reg == RA)
        w->row.ra_gone = at != -8;
}

static void restored(struct walk *w, uint64_t reg)
{
    if (reg == RBP)
        w->row.bp = w->first.bp, w->row.bp_off = w->first.bp_off;
    else if (reg == RA)
        w->row.ra_gone = w->first.ra_gone;
}

static void unknown(struct walk *w, uint64_t reg)
{
    if (reg == RBP)
        w->row.bp = BP_LOST;
    else if (reg == RA)
        w->row.ra_gone = 1;
}

static void define(struct walk *w, uint64_t reg, int64_t off)
{
    w->row.reg = reg;
    w->row.cfa_off = off;
    w->row.cfa = reg == RSP ? CFA_SP : reg == RBP ? CFA_BP : CFA_NONE;
}

/* Of expressions those are known that compilers write for functions that align their stack: BP + n, and the word
 * there. */
static void expression(struct walk *w, struct reader *r, int cfa, uint64_t reg)
{
    uint64_t n = uleb(r);
    struct reader e = { r->p, r->p + n, 0 };

    if (n > (uint64_t)(r->end - r->p)) {
        r->bad = 1;
        return;
    }
    r->p += n;
    if (n < 2 || *e.p++ != 0x70 + RBP) { /* DW_OP_breg6 */
        cfa ? define(w, ~(uint64_t)0, 0) : unknown(w, reg);
        return;
    }
    int64_t off = sleb(&e);
    if (cfa) {
        define(w, RBP, off);
        w->row.cfa = e.bad || e.end - e.p != 1 || *e.p != 0x06 ? CFA_NONE : CFA_AT_BP; /* DW_OP_deref */
    } else if (reg == RBP && !e.bad && e.p == e.end) {
        w->row.bp = BP_AT_BP;
        w->row.bp_off = off;
    } else {
        unknown(w, reg);
    }
}

/* Runs call frame instructions until they speak of code behind the walk's PC. */
static void run(struct walk *w, struct reader *r)
{
    while (r->p < r->end && !r->bad && w->at <= w->pc) {
        uint8_t op = *r->p++, low = op & 0x3f;
        uint64_t reg;

        switch (op >> 6) {
        case 1: w->at += low * w->code_align; continue;
        case 2: saved(w, low, (int64_t)uleb(r) * w->data_align); continue;
        case 3: restored(w, low); continue;
        }
        switch (op) {
        case 0x00: break;
        case 0x01: w->at = encoded(r, w->how, 0); break;
        case 0x02: w->at += take(r, 1) * w->code_align; break;
        case 0x03: w->at += take(r, 2) * w->code_align; break;
        case 0x04: w->at += take(r, 4) * w->code_align; break;
        case 0x05: reg = uleb(r); saved(w, reg, (int64_t)uleb(r) * w->data_align); break;
        case 0x06: restored(w, uleb(r)); break;
        case 0x07: unknown(w, uleb(r)); break;
        case 0x08: reg = uleb(r); if (reg == RBP) w->row.bp = BP_SAME; break;
        case 0x09: reg = uleb(r); uleb(r); unknown(w, reg); break;
        case 0x0a:
            if (w->depth == sizeof w->kept / sizeof *w->kept) {
                r->bad = 1;
                break;
            }
            w->kept[w->depth++] = w->row;
            break;
        case 0x0b:
            if (w->depth == 0)
                r->bad = 1;
            else
                w->row = w->kept[--w->depth];
            break;
        case 0x0c: reg = uleb(r); define(w, reg, (int64_t)uleb(r)); break;
        case 0x0d: define(w, uleb(r), w->row.cfa_off); break;
        case 0x0e: define(w, w->row.reg, (int64_t)uleb(r)); break;
        case 0x0f: expression(w, r, 1, 0); break;
        case 0x10: reg = uleb(r); expression(w, r, 0, reg); break;
        case 0x11: reg = uleb(r); saved(w, reg, sleb(r) * w->data_align); break;
        case 0x12: reg = uleb(r); define(w, reg, sleb(r) * w->data_align); break;
        case 0x13: define(w, w->row.reg, sleb(r) * w->data_align); break;
        case 0x14: case 0x15: reg = uleb(r); uleb(r); unknown(w, reg); break;
        case 0x16: {
            uint64_t n;

            reg = uleb(r);
            n = uleb(r);
            if (n > (uint64_t)(r->end - r->p))
                r->bad = 1;
            else
                r->p += n;
            unknown(w, reg);
            break;
        }
        case 0x2e: uleb(r); break;
        case 0x2f: reg = uleb(r); saved(w, reg, -(int64_t)uleb(r) * w->data_align); break;
        default: r->bad = 1;
        }
    }
}

/* An entry of .eh_frame: its length, then what it belongs to, then its body. */
static struct reader entry(const uint8_t *p)
{
    struct reader r = { p, p + 4, 0 };
    uint32_t n = (uint32_t)take(&r, 4);

    r.end = r.p + n;
    if (n < 8 || n >= 0xfffffff0)
        r.bad = 1;
    return r;
}

/* The rule from the table entry (FDE) at P for PC, which is a byte of the call. */
static uint64_t rule_of(const uint8_t *p, uintptr_t pc)
{
    struct walk w = { .pc = pc };
    struct reader fde = entry(p), cie;
    const uint8_t *cie_at = fde.p;
    uint32_t back = (uint32_t)take(&fde, 4);
    uint8_t how = 0;
    int has_length = 0, signal_frame = 0;

    if (fde.bad)
        return pack(CFA_NONE, 0, 0, 0);
    cie = entry(cie_at - back);
    take(&cie, 4);
    unsigned version = (unsigned)take(&cie, 1);
    const char *aug = (const char *)cie.p;
    while (cie.p < cie.end && *cie.p)
        cie.p++;
    take(&cie, 1);
    w.code_align = uleb(&cie);
    w.data_align = sleb(&cie);
    version == 1 ? take(&cie, 1) : uleb(&cie);
    if (*aug == 'z') {
        has_length = 1;
        uleb(&cie);
        for (aug++; *aug; aug++)
            switch (*aug) {
            case 'R': how = (uint8_t)take(&cie, 1); break;
            case 'P': { uint8_t e = (uint8_t)take(&cie, 1); encoded(&cie, e, 0); break; }
            case 'L': take(&cie, 1); break;
            case 'S': signal_frame = 1; break;
            }
    }
    w.how = how;
    uintptr_t begin = encoded(&fde, how, 0), size = encoded(&fde, how & 0x0f, 0);
    if (has_length)
        fde.p += uleb(&fde);
    if (cie.bad || fde.bad || fde.p > fde.end || signal_frame || pc < begin || pc - begin >= size)
        return pack(CFA_NONE, 0, 0, 0);
    w.at = begin;
    w.row.cfa = CFA_NONE;
    run(&w, &cie);
    w.first = w.row;
    run(&w, &fde);
    if (cie.bad || fde.bad || w.row.ra_gone)
        return pack(CFA_NONE, 0, 0, 0);
    return pack(w.row.cfa, w.row.cfa_off, w.row.bp, w.row.bp == BP_SAME || w.row.bp == BP_LOST ? 0 : w.row.bp_off);
}

/* Finds PC's entry in an object's sorted table (.eh_frame_hdr) and makes its rule. */
static uint64_t make_rule(const struct object *o, uintptr_t pc)
{
    const uint8_t *t = o->table;
    uint32_t n, low = 0, high;
    struct { int32_t code, entry; } row;

    if (t == NULL || t[0] != 1 || t[1] != 0x1b || t[2] != 0x03 || t[3] != 0x3b)
        return pack(CFA_NONE, 0, 0, 0);
    memcpy(&n, t + 8, 4);
    for (high = n; low < high;) {
        uint32_t mid = low + (high - low) / 2;
        memcpy(&row, t + 12 + 8 * (size_t)mid, 8);
        if ((uintptr_t)t + (intptr_t)row.code <= pc)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0)
        return pack(CFA_NONE, 0, 0, 0);
    memcpy(&row, t + 12 + 8 * (size_t)(low - 1), 8);
    return rule_of(t + row.entry, pc);
}

static int add_object(struct dl_phdr_info *info, size_t size, void *first)
{
    struct object o = { ~(uintptr_t)0, 0, info->dlpi_addr, NULL };
    unsigned i;

    (void)size;
    for (i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD) {
            o.low = at < o.low ? at : o.low;
            o.high = at + p->p_memsz > o.high ? at + p->p_memsz : o.high;
        } else if (p->p_type == PT_GNU_EH_FRAME) {
            o.table = (const uint8_t *)at;
        }
    }
    for (i = 0; i < object_count; i++)
        if (objects[i].low == o.low && objects[i].high == o.high)
            goto known;
    if (o.low < o.high && object_count < OBJECTS) {
        objects[object_count] = o;
        __atomic_store_n(&object_count, object_count + 1, __ATOMIC_RELEASE);
        orrery_module(o.bias, o.low, o.high, info->dlpi_name, *(int *)first);
    }
known:
    *(int *)first = 0;
    return 0;
}

void orrery_look_around(void)
{
    int first = 1;

    if (__atomic_test_and_set(&objects_lock, __ATOMIC_ACQUIRE))
        return;
    dl_iterate_phdr(add_object, &first);
    __atomic_clear(&objects_lock, __ATOMIC_RELEASE);
}

static const struct object *object_at(uintptr_t pc)
{
    unsigned i, n = __atomic_load_n(&object_count, __ATOMIC_ACQUIRE);

    for (i = 0; i < n; i++)
        if (pc >= objects[i].low && pc < objects[i].high)
            return &objects[i];
    return NULL;
}

static uint64_t slow_rule(uintptr_t pc, unsigned slot)
{
    const struct object *o = object_at(pc - 1);
    uintptr_t none = 0;
    uint64_t rule;

    if (o == NULL) {
        orrery_look_around();
        o = object_at(pc - 1);
    }
    rule = o == NULL ? pack(CFA_NONE, 0, 0, 0) : make_rule(o, pc - 1);
    if (__atomic_load_n(&rules_used, __ATOMIC_RELAXED) < RULES / 4 * 3 &&
        __atomic_compare_exchange_n(&rules[slot].key, &none, pc, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        __atomic_fetch_add(&rules_used, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&rules[slot].rule, rule, __ATOMIC_RELEASE);
    }
    return rule;
}

static inline uint64_t find_rule(uintptr_t pc)
{
    unsigned slot = (unsigned)((pc * 0x9e3779b97f4a7c15u) >> 48);

    for (;;) {
        uintptr_t key = __atomic_load_n(&rules[slot].key, __ATOMIC_RELAXED);
        uint64_t rule;
        if (key == pc && (rule = __atomic_load_n(&rules[slot].rule, __ATOMIC_ACQUIRE)) != 0)
            return rule;
        if (key == 0 || key == pc)
            return slow_rule(pc, slot);
        slot = (slot + 1) % RULES;
    }
}

void orrery_forget(void)
{
    unsigned i;

    while (__atomic_test_and_set(&objects_lock, __ATOMIC_ACQUIRE))
        return; /* somebody is looking at what is loaded now */
    __atomic_store_n(&object_count, 0, __ATOMIC_RELEASE);
    for (i = 0; i < RULES; i++)
        if (rules[i].key != 0)
            __atomic_store_n(&rules[i].rule, 0, __ATOMIC_RELAXED);
    for (i = 0; i < RULES; i++)
        if (rules[i].key != 0)
            __atomic_store_n(&rules[i].key, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&rules_used, 0, __ATOMIC_RELAXED);
    __atomic_clear(&objects_lock, __ATOMIC_RELEASE);
}

unsigned orrery_unwind(uintptr_t pc, uintptr_t sp, uintptr_t bp, uintptr_t top, uintptr_t *out, unsigned max)
{
    unsigned n = 0;
    int has_bp = 1;

    while (n < max && pc > 4096) {
        uint64_t rule;
        int64_t cfa_off, bp_off;
        uintptr_t cfa, at;

        out[n++] = pc;
        rule = find_rule(pc);
        cfa_off = (int32_t)(rule >> 32);
        bp_off = (int64_t)(rule << 32) >> 40;
        switch (rule >> 1 & 3) {
        case CFA_SP:
            cfa = sp + (uintptr_t)cfa_off;
            break;
        case CFA_BP:
            if (!has_bp)
                return n;
            cfa = bp + (uintptr_t)cfa_off;
            break;
        case CFA_AT_BP:
            at = bp + (uintptr_t)cfa_off;
            if (!has_bp || at < sp || at >= top || at % 8)
                return n;
            cfa = *(uintptr_t *)at;
            break;
        default:
            return n;
        }
        if (cfa <= sp || cfa > top || cfa % 8)
            return n;
        switch (rule >> 3 & 3) {
        case BP_AT_CFA:
        case BP_AT_BP:
            at = ((rule >> 3 & 3) == BP_AT_CFA ? cfa : bp) + (uintptr_t)bp_off;
            if (at < sp || at >= top || at % 8 || (!has_bp && (rule >> 3 & 3) == BP_AT_BP))
                has_bp = 0;
            else
                bp = *(uintptr_t *)at, has_bp = 1;
            break;
        case BP_LOST:
            has_bp = 0;
        }
        pc = ((uintptr_t *)cfa)[-1];
        sp = cfa;
    }
    return n;
}
