/* Atomic references. They are done in the strongest order, whatever weaker one the program asks for. Included by
 * hooks.c alone.
 *
 * What may give a lock back is told before it is done, what may take one after: so the recording has the references
 * of one holder before those of the next. */

typedef unsigned __int128 word128;

#define PLAIN(bits, type, log2)                                                                                        \
    HOOK type __tsan_atomic##bits##_load(const volatile type *p, int order)                                            \
    {                                                                                                                  \
        type v = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                 \
        (void)order;                                                                                                   \
        reference(WORD(p), CALLER, LOAD | BYTES(log2));                                                                \
        return v;                                                                                                      \
    }                                                                                                                  \
    HOOK void __tsan_atomic##bits##_store(volatile type *p, type v, int order)                                         \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        reference(WORD(p), CALLER, STORE | BYTES(log2));                                                               \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                      \
    }                                                                                                                  \
    INLINE bool exchanged##bits(volatile type *p, type *was, type v)                                                   \
    {                                                                                                                  \
        return __atomic_compare_exchange_n(p, was, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                          \
    }

/* gcc leaves atomics of 16 bytes to a library: the instruction itself is wanted here. */
INLINE bool exchanged128(volatile word128 *p, word128 *was, word128 v)
{
    bool done;
    uint64_t low = (uint64_t)*was, high = (uint64_t)(*was >> 64);

    __asm__ volatile("lock; cmpxchg16b %1"
                     : "=@ccz"(done), "+m"(*p), "+a"(low), "+d"(high)
                     : "b"((uint64_t)v), "c"((uint64_t)(v >> 64))
                     : "memory");
    *was = (word128)high << 64 | low;
    return done;
}

HOOK word128 __tsan_atomic128_load(const volatile word128 *p, int order)
{
    word128 v = 0;

    (void)order;
    exchanged128((volatile word128 *)p, &v, 0);
    reference(WORD(p), CALLER, LOAD | BYTES(4));
    return v;
}

HOOK void __tsan_atomic128_store(volatile word128 *p, word128 v, int order)
{
    word128 was = *p;

    (void)order;
    reference(WORD(p), CALLER, STORE | BYTES(4));
    while (!exchanged128(p, &was, v))
        ;
}

#define CHANGE(bits, type, log2, name, result)                                                                         \
    HOOK type __tsan_atomic##bits##_##name(volatile type *p, type v, int order)                                        \
    {                                                                                                                  \
        type was = *p;                                                                                                 \
        (void)order;                                                                                                   \
        reference(WORD(p), CALLER, BOTH | BYTES(log2));                                                                \
        while (!exchanged##bits(p, &was, (type)(result)))                                                              \
            ;                                                                                                          \
        return was;                                                                                                    \
    }

#define COMPARE(bits, type, log2, name)                                                                                \
    HOOK int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *was, type v, int order, int failed) \
    {                                                                                                                  \
        bool done = exchanged##bits(p, was, v);                                                                        \
        (void)order, (void)failed;                                                                                     \
        reference(WORD(p), CALLER, (done ? BOTH : LOAD) | BYTES(log2));                                                \
        return done;                                                                                                   \
    }

#define CHANGES(bits, type, log2)                                                                                      \
    CHANGE(bits, type, log2, exchange, v)                                                                              \
    CHANGE(bits, type, log2, fetch_add, was + v)                                                                       \
    CHANGE(bits, type, log2, fetch_sub, was - v)                                                                       \
    CHANGE(bits, type, log2, fetch_and, was &v)                                                                        \
    CHANGE(bits, type, log2, fetch_or, was | v)                                                                        \
    CHANGE(bits, type, log2, fetch_xor, was ^ v)                                                                       \
    CHANGE(bits, type, log2, fetch_nand, ~(was & v))                                                                   \
    COMPARE(bits, type, log2, strong)                                                                                  \
    COMPARE(bits, type, log2, weak)                                                                                    \
    HOOK type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type was, type v, int order, int failed)    \
    {                                                                                                                  \
        bool done = exchanged##bits(p, &was, v);                                                                       \
        (void)order, (void)failed;                                                                                     \
        reference(WORD(p), CALLER, (done ? BOTH : LOAD) | BYTES(log2));                                                \
        return was;                                                                                                    \
    }

PLAIN(8, uint8_t, 0)
PLAIN(16, uint16_t, 1)
PLAIN(32, uint32_t, 2)
PLAIN(64, uint64_t, 3)
CHANGES(8, uint8_t, 0)
CHANGES(16, uint16_t, 1)
CHANGES(32, uint32_t, 2)
CHANGES(64, uint64_t, 3)
CHANGES(128, word128, 4)

HOOK void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

HOOK void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
