/* What the first bytes of an instruction tell of its references. Included by plugin.c alone. */
#ifndef ORRERY_CLASSIFY_H
#define ORRERY_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the translator says of an instruction, in the low bits of the user data: its class, its length in bits 8-11
 * and, of what leaves the straight path, the number of its references in bits 12-13. Its pc is above. */
enum { WANTED = 1, CALL = 2, RET = 4, PIECES = 8, JUMP = 16, ONCE = 1 << 12, TWICE = 2 << 12, CLASS = 0xffff };

/* Whether 0f OP, with the prefix f2 or f3 or none of these, works on one number of 4 or 8 bytes: such references come
 * whole. */
static bool scalar(unsigned char op, bool prefixed)
{
    switch (op) {
    case 0x10: /* moves, */
    case 0x11:
    case 0x2a: /* conversions, */
    case 0x2c:
    case 0x2d:
    case 0x5a:
    case 0x51: /* roots and reciprocals, */
    case 0x52:
    case 0x53:
    case 0x58: /* arithmetic, least and greatest */
    case 0x59:
    case 0x5c:
    case 0x5d:
    case 0x5e:
    case 0x5f:
        return prefixed;
    case 0x2e: /* comparisons */
    case 0x2f:
        return true;
    }
    return false;
}

/* Sorts instructions by their first bytes. PIECES is generous: it costs time, not truth. */
static uint64_t classify(const unsigned char *code, size_t n)
{
    size_t i = 0;
    unsigned char op, modrm;
    bool prefixed = false;

    while (i < n && (code[i] == 0x66 || code[i] == 0xf2 || code[i] == 0xf3 || code[i] == 0x2e || code[i] == 0x36 ||
                     code[i] == 0x3e || code[i] == 0x26 || code[i] == 0x64 || code[i] == 0x65 || code[i] == 0xf0 ||
                     (code[i] & 0xf0) == 0x40)) {
        prefixed = prefixed || (code[i] | 1) == 0xf3;
        i++;
    }
    if (i >= n)
        return 0;
    op = code[i];
    modrm = i + 1 < n ? code[i + 1] : 0;
    switch (op) {
    case 0xe8:
        return CALL | ONCE;
    case 0xc2:
    case 0xc3:
        return RET | ONCE;
    case 0xff:
        if ((modrm >> 3 & 7) == 2)
            return CALL | (modrm < 0xc0 ? TWICE : ONCE);
        return (modrm >> 3 & 7) == 4 ? JUMP | ONCE : 0;
    case 0xa4: /* string instructions jump to themselves when repeated */
    case 0xa5:
    case 0xa6:
    case 0xa7:
        return JUMP | TWICE;
    case 0xaa:
    case 0xab:
    case 0xac:
    case 0xad:
    case 0xae:
    case 0xaf:
        return JUMP | ONCE;
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
    return scalar(op, prefixed) ? 0 : PIECES;
}

/* Behind a call that never returns the next function may begin: with a push or by moving the stack pointer, which code
 * that a call returns to does not. */
static bool begins_function(const unsigned char *code, size_t n)
{
    if (n > 1 && code[0] == 0x41)
        code++;
    return (code[0] & 0xf8) == 0x50 || (n >= 4 && code[0] == 0x48 && (code[1] | 2) == 0x83 && code[2] == 0xec);
}

#endif
