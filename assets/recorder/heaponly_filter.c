/* A program that asks for a seccomp filter is about to be killed for system calls that it does not make
 * itself: the log is told in time. Filters are asked for by the C library's prctl and syscall; whoever asks in
 * another way is not noticed. */
#define _GNU_SOURCE
#include "heaponly.h"

#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>

#define EXPORT __attribute__((visibility("default")))

uint64_t orrery_no_clock;

/* seccomp and prctl: a filter, the strict mode, which takes the clock away too, and the loss of the clock alone. */
static long ask(long number, long a, long b, long c, long d, long e, long f)
{
    int strict = number == SYS_seccomp ? a == SECCOMP_SET_MODE_STRICT : a == PR_SET_SECCOMP && b == SECCOMP_MODE_STRICT;
    int filter = number == SYS_seccomp ? a == SECCOMP_SET_MODE_FILTER : a == PR_SET_SECCOMP && !strict;
    int clock = number == SYS_prctl && a == PR_SET_TSC;
    long answer;

    if (strict || filter)
        orrery_begin_filter();
    if ((strict || (clock && b == PR_TSC_SIGSEGV)) && orrery_no_clock == 0)
        orrery_no_clock = ticks();
    answer = raw_call(number, a, b, c, d, e, f);
    if (strict || filter)
        orrery_end_filter(answer != 0);
    if ((strict && answer != 0) || (clock && (b == PR_TSC_ENABLE) == (answer == 0)))
        orrery_no_clock = 0;
    return answer;
}

EXPORT int prctl(int option, ...)
{
    unsigned long b, c, d, e;
    va_list more;

    va_start(more, option);
    b = va_arg(more, unsigned long);
    c = va_arg(more, unsigned long);
    d = va_arg(more, unsigned long);
    e = va_arg(more, unsigned long);
    va_end(more);
    return (int)ask(SYS_prctl, option, (long)b, (long)c, (long)d, (long)e, 0);
}

__attribute__((used)) long orrery_filtering_call(long number, long a, long b, long c, long d, long e, long f)
{
    return ask(number, a, b, c, d, e, f);
}

/* What the C library's function of this name does, with no more on the stack: what is called here may begin threads
 * and processes. */
__asm__(".text\n"
        ".globl syscall\n"
        ".type syscall, @function\n"
        "syscall:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    cmp $317, %rdi\n" /* seccomp */
        "    je 2f\n"
        "    cmp $157, %rdi\n" /* prctl */
        "    je 2f\n"
        "1:  mov %rdi, %rax\n"
        "    mov %rsi, %rdi\n"
        "    mov %rdx, %rsi\n"
        "    mov %rcx, %rdx\n"
        "    mov %r8, %r10\n"
        "    mov %r9, %r8\n"
        "    mov 8(%rsp), %r9\n"
        "    syscall\n"
        "    cmp $-4095, %rax\n"
        "    jae 3f\n"
        "    ret\n"
        "2:  jmp orrery_filtering_call\n"
        "3:  mov %rax, %rdi\n"
        "    jmp orrery_refused\n"
        "    .cfi_endproc\n"
        ".size syscall, . - syscall\n");

__attribute__((used)) long orrery_refused(long result)
{
    errno = (int)-result;
    return -1;
}
