/* memcpy and its kin, as the program's own objects call them: each does its work through the C library and tells its
 * references under the address of the call, in pieces of 8 bytes. Included by hooks.c alone. */

#define DECLARE(type, name, ...) extern type REAL(name)(__VA_ARGS__)

DECLARE(void *, memcpy, void *, const void *, size_t);
DECLARE(void *, mempcpy, void *, const void *, size_t);
DECLARE(void *, memmove, void *, const void *, size_t);
DECLARE(void *, memset, void *, int, size_t);
DECLARE(int, memcmp, const void *, const void *, size_t);
DECLARE(int, bcmp, const void *, const void *, size_t);
DECLARE(void *, memchr, const void *, int, size_t);
DECLARE(void, bzero, void *, size_t);
DECLARE(void, bcopy, const void *, void *, size_t);
DECLARE(size_t, strlen, const char *);
DECLARE(size_t, strnlen, const char *, size_t);
DECLARE(char *, strcpy, char *, const char *);
DECLARE(char *, stpcpy, char *, const char *);
DECLARE(char *, strncpy, char *, const char *, size_t);
DECLARE(char *, strcat, char *, const char *);
DECLARE(char *, strncat, char *, const char *, size_t);
DECLARE(int, strcmp, const char *, const char *);
DECLARE(int, strncmp, const char *, const char *, size_t);
DECLARE(char *, strchr, const char *, int);
DECLARE(char *, strrchr, const char *, int);

/* A copy loads a piece and stores it. */
SLOW void copied(const void *target, const void *source, uint64_t n, void *ret)
{
    uint64_t at = 0, step;

    if (quiet() || already_told(target, n, ret))
        return;
    for (; at < n; at += step) {
        piece(WORD(source) + at, n - at, ret, LOAD, &step);
        piece(WORD(target) + at, n - at, ret, STORE, &step);
    }
}

SLOW void compared(const void *a, const void *b, uint64_t n, void *ret)
{
    uint64_t at = 0, step;

    if (quiet())
        return;
    for (; at < n; at += step) {
        piece(WORD(a) + at, n - at, ret, LOAD, &step);
        piece(WORD(b) + at, n - at, ret, LOAD, &step);
    }
}

SLOW void filled(const void *target, uint64_t n, void *ret)
{
    if (quiet() || already_told(target, n, ret))
        return;
    stretch(target, n, ret, STORE);
}

/* How many bytes a comparison looks at: up to the first difference, or the end of a text. */
SLOW uint64_t alike(const void *a, const void *b, uint64_t n, bool text)
{
    const unsigned char *p = a, *q = b;
    uint64_t i;

    if (quiet())
        return 0;
    for (i = 0; i < n; i++)
        if (p[i] != q[i] || (text && p[i] == 0))
            return i + 1;
    return n;
}

HOOK void *WRAP(memcpy)(void *to, const void *from, size_t n)
{
    copied(to, from, n, CALLER);
    return REAL(memcpy)(to, from, n);
}

HOOK void *WRAP(mempcpy)(void *to, const void *from, size_t n)
{
    copied(to, from, n, CALLER);
    return REAL(mempcpy)(to, from, n);
}

HOOK void *WRAP(memmove)(void *to, const void *from, size_t n)
{
    copied(to, from, n, CALLER);
    return REAL(memmove)(to, from, n);
}

HOOK void *WRAP(memset)(void *to, int c, size_t n)
{
    filled(to, n, CALLER);
    return REAL(memset)(to, c, n);
}

HOOK void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    copied(to, from, n, CALLER);
    return REAL(memcpy)(to, from, n);
}

HOOK void *__tsan_memmove(void *to, const void *from, size_t n)
{
    copied(to, from, n, CALLER);
    return REAL(memmove)(to, from, n);
}

HOOK void *__tsan_memset(void *to, int c, size_t n)
{
    filled(to, n, CALLER);
    return REAL(memset)(to, c, n);
}

HOOK int WRAP(memcmp)(const void *a, const void *b, size_t n)
{
    compared(a, b, alike(a, b, n, false), CALLER);
    return REAL(memcmp)(a, b, n);
}

HOOK int WRAP(bcmp)(const void *a, const void *b, size_t n)
{
    compared(a, b, alike(a, b, n, false), CALLER);
    return REAL(bcmp)(a, b, n);
}

HOOK void *WRAP(memchr)(const void *p, int c, size_t n)
{
    char *found = REAL(memchr)(p, c, n);

    stretch(p, found ? (uint64_t)(found - (const char *)p) + 1 : n, CALLER, LOAD);
    return found;
}

HOOK void WRAP(bzero)(void *to, size_t n)
{
    filled(to, n, CALLER);
    REAL(bzero)(to, n);
}

HOOK void WRAP(bcopy)(const void *from, void *to, size_t n)
{
    copied(to, from, n, CALLER);
    REAL(bcopy)(from, to, n);
}

HOOK size_t WRAP(strlen)(const char *s)
{
    size_t n = REAL(strlen)(s);

    stretch(s, n + 1, CALLER, LOAD);
    return n;
}

HOOK size_t WRAP(strnlen)(const char *s, size_t most)
{
    size_t n = REAL(strnlen)(s, most);

    stretch(s, n < most ? n + 1 : n, CALLER, LOAD);
    return n;
}

HOOK char *WRAP(strcpy)(char *to, const char *from)
{
    if (!quiet())
        copied(to, from, REAL(strlen)(from) + 1, CALLER);
    return REAL(strcpy)(to, from);
}

HOOK char *WRAP(stpcpy)(char *to, const char *from)
{
    if (!quiet())
        copied(to, from, REAL(strlen)(from) + 1, CALLER);
    return REAL(stpcpy)(to, from);
}

HOOK char *WRAP(strncpy)(char *to, const char *from, size_t most)
{
    size_t n;

    if (!quiet()) {
        n = REAL(strnlen)(from, most);
        n += n < most;
        copied(to, from, n, CALLER);
        stretch(to + n, most - n, CALLER, STORE);
    }
    return REAL(strncpy)(to, from, most);
}

HOOK char *WRAP(strcat)(char *to, const char *from)
{
    size_t n;

    if (!quiet()) {
        n = REAL(strlen)(to);
        stretch(to, n + 1, CALLER, LOAD);
        copied(to + n, from, REAL(strlen)(from) + 1, CALLER);
    }
    return REAL(strcat)(to, from);
}

HOOK char *WRAP(strncat)(char *to, const char *from, size_t most)
{
    size_t n, m;

    if (!quiet()) {
        n = REAL(strlen)(to);
        m = REAL(strnlen)(from, most);
        stretch(to, n + 1, CALLER, LOAD);
        copied(to + n, from, m, CALLER);
        if (m < most)
            stretch(from + m, 1, CALLER, LOAD);
        stretch(to + n + m, 1, CALLER, STORE);
    }
    return REAL(strncat)(to, from, most);
}

HOOK int WRAP(strcmp)(const char *a, const char *b)
{
    compared(a, b, alike(a, b, SIZE_MAX, true), CALLER);
    return REAL(strcmp)(a, b);
}

HOOK int WRAP(strncmp)(const char *a, const char *b, size_t n)
{
    compared(a, b, alike(a, b, n, true), CALLER);
    return REAL(strncmp)(a, b, n);
}

HOOK char *WRAP(strchr)(const char *s, int c)
{
    char *found = REAL(strchr)(s, c);

    if (!quiet())
        stretch(s, (found ? (uint64_t)(found - s) : REAL(strlen)(s)) + 1, CALLER, LOAD);
    return found;
}

HOOK char *WRAP(strrchr)(const char *s, int c)
{
    if (!quiet())
        stretch(s, REAL(strlen)(s) + 1, CALLER, LOAD);
    return REAL(strrchr)(s, c);
}
