/* The hooks of plain references. Included by hooks.c alone. */

#define ACCESS(bytes, log2)                                                                                            \
    HOOK void __tsan_read##bytes(void *p) { reference(WORD(p), CALLER, LOAD | BYTES(log2)); }                          \
    HOOK void __tsan_write##bytes(void *p) { reference(WORD(p), CALLER, STORE | BYTES(log2)); }                        \
    HOOK void __tsan_read_write##bytes(void *p) { reference(WORD(p), CALLER, BOTH | BYTES(log2)); }                    \
    HOOK void __tsan_volatile_read##bytes(void *p) { reference(WORD(p), CALLER, LOAD | BYTES(log2)); }                 \
    HOOK void __tsan_volatile_write##bytes(void *p) { reference(WORD(p), CALLER, STORE | BYTES(log2)); }               \
    HOOK void __tsan_unaligned_read##bytes(void *p) { reference(WORD(p), CALLER, LOAD | BYTES(log2)); }                \
    HOOK void __tsan_unaligned_write##bytes(void *p) { reference(WORD(p), CALLER, STORE | BYTES(log2)); }              \
    HOOK void __tsan_unaligned_read_write##bytes(void *p) { reference(WORD(p), CALLER, BOTH | BYTES(log2)); }          \
    HOOK void __tsan_unaligned_volatile_read##bytes(void *p) { reference(WORD(p), CALLER, LOAD | BYTES(log2)); }       \
    HOOK void __tsan_unaligned_volatile_write##bytes(void *p) { reference(WORD(p), CALLER, STORE | BYTES(log2)); }     \
    HOOK void __sanitizer_cov_load##bytes(void *p) { reference(WORD(p), CALLER, LOAD | BYTES(log2)); }                 \
    HOOK void __sanitizer_cov_store##bytes(void *p) { reference(WORD(p), CALLER, STORE | BYTES(log2)); }

ACCESS(1, 0)
ACCESS(2, 1)
ACCESS(4, 2)
ACCESS(8, 3)
ACCESS(16, 4)

/* A function built with --locals begins by pushing its caller's frame pointer, right below the return address, and
 * keeps its own: that push tells where the variables of its frame are. */
INLINE void pushed(void *ret)
{
    uint64_t *own = __builtin_frame_address(0), frame = own[0];

    if (frame > WORD(own) && frame - WORD(own) < 1 << 24 && frame % 8 == 0)
        reference(frame, ret, STORE | BYTES(3));
}

/* clang's coverage of loads and stores comes with a call at every function's entry, which the linker turns into one
 * of the second. */
HOOK void __sanitizer_cov_trace_pc(void) {}
HOOK void __wrap___sanitizer_cov_trace_pc(void) { pushed(CALLER); }

HOOK void __tsan_vptr_read(void **p) { reference(WORD(p), CALLER, LOAD | BYTES(3)); }

HOOK void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    reference(WORD(p), CALLER, STORE | BYTES(3));
}

/* A copy of a whole structure: the compiler tells of it, and then may call memcpy or memset to do it. That tells
 * nothing new when it follows at once, a few instructions on. */
struct whole {
    uint64_t target, size, back;
    uint64_t after;
};
static __thread struct whole whole __attribute__((tls_model("initial-exec")));

HOOK void __tsan_read_range(void *p, unsigned long n) { stretch(p, n, CALLER, LOAD); }

HOOK void __tsan_write_range(void *p, unsigned long n)
{
    if (quiet())
        return;
    stretch(p, n, CALLER, STORE);
    whole = (struct whole){WORD(p), n, WORD(CALLER), many ? 0 : head};
}

INLINE bool already_told(const void *target, uint64_t n, void *ret)
{
    bool told = n > 0 && whole.size == n && whole.target == WORD(target) && whole.after == (many ? 0 : head) &&
                WORD(ret) - whole.back < 96;

    whole.size = 0;
    return told;
}

/* Functions tell when they are entered, with the address that they will return to, and when they are left. Where the
 * caller's stack was tells entries apart that an exception or a longjmp has left behind. */
INLINE uint64_t stack_here(void) { return WORD(__builtin_frame_address(0)); }

SLOW void gate_entry(struct calls *c, uint64_t pc)
{
    uint64_t i;

    for (i = 0; gate == BEFORE && i + 1 < __atomic_load_n(&shared->entries, __ATOMIC_ACQUIRE); i += 2)
        if (pc >= shared->entry[i] && pc < shared->entry[i + 1]) {
            gate_depth = c->top;
            gate_thread = self.number;
            event(RING_FROM, self.number, 1, NULL, 0);
            gate = INSIDE;
        }
}

SLOW void gate_exit(struct calls *c)
{
    if (gate != INSIDE || gate_thread != self.number || c->top >= gate_depth)
        return;
    gate = AFTER;
    event(RING_UNTIL, self.number, 0, NULL, 0);
}

INLINE void entered(void *back, void *ret)
{
    struct calls *c;

    if (quiet() || (c = self.calls) == NULL)
        return;
    push_call(c, stack_here(), WORD(back));
    if (unlikely(gate == BEFORE))
        gate_entry(c, WORD(ret));
}

HOOK void __tsan_func_entry(void *back) { entered(back, CALLER); }

/* What the linker makes of that in a program built with gcc and --locals. */
HOOK void __wrap___tsan_func_entry(void *back)
{
    entered(back, CALLER);
    pushed(CALLER);
}

HOOK void __tsan_func_exit(void)
{
    struct calls *c;

    if (quiet() || (c = self.calls) == NULL)
        return;
    drop_returned(c, stack_here());
    if (unlikely(gate == INSIDE))
        gate_exit(c);
}
