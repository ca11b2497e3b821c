/* Accesses to volatile variables happen exactly as written, at every level of optimisation: what the test counts is known
 * from the text. N is given on the command line of the compiler. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct point { volatile int x, y; };
struct big { volatile long part[9]; };

/* s: 1 + n stores, n + 1 loads; i: 1 + n stores, 3 n + 1 loads */
__attribute__((noinline)) static int sum(int n)
{
    volatile int s = 0;
    for (volatile int i = 0; i < n; i = i + 1)
        s = s + i;
    return s;
}

/* a[i]: 10 stores and 10 loads; p.x 1 store, p.y 2 stores, p.y 1 load */
__attribute__((noinline)) static int fill(void)
{
    volatile int a[10];
    struct point p;
    int t = 0;
    for (int i = 0; i < 10; i++)
        a[i] = i;
    for (int i = 0; i < 10; i++)
        t += a[i];
    p.x = t;
    p.y = t;
    p.y = p.y + 1;
    return t;
}

/* calls itself 2 fib(n+1) - 1 times; own: 1 store, 2 loads in each call */
__attribute__((noinline)) static int fib(int n)
{
    volatile int own = n;
    if (own < 2)
        return 1;
    return fib(n - 1) + fib(own - 2);
}

/* writes its caller's variable: 5 stores, 5 loads */
__attribute__((noinline)) static void bump(volatile int *at)
{
    for (int i = 0; i < 5; i++)
        *at = *at + 1;
}

__attribute__((noinline)) static int lend(void)
{
    volatile int lent = 0; /* and 1 store, 1 load of its own */
    bump(&lent);
    return lent;
}

/* parameters on the stack: all.part[1] is loaded twice */
__attribute__((noinline)) static long take(struct big all)
{
    return all.part[1] + all.part[1];
}

__attribute__((noinline)) static long give(void)
{
    struct big mine;
    for (int i = 0; i < 9; i++)
        mine.part[i] = i;
    return take(mine);
}

/* called from the C library; left and right: 1 store, 1 load in each call */
static int compares;
static int compare(const void *a, const void *b)
{
    volatile int left = *(const int *)a, right = *(const int *)b;
    compares++;
    return left - right;
}

__attribute__((noinline)) static int sorted(void)
{
    volatile int before = 3; /* 1 store, 2 loads */
    int v[8] = {5, 3, 8, 1, 9, 2, before, 4};
    qsort(v, 8, sizeof v[0], compare);
    return v[0] + before;
}

static jmp_buf back;

__attribute__((noinline)) static void leap(int depth)
{
    volatile int deep = depth; /* 1 store, 1 load in each of 6 calls */
    if (deep == 5)
        longjmp(back, 1);
    leap(depth + 1);
    deep = 0;
}

__attribute__((noinline)) static int land(void)
{
    volatile int landed = 0; /* 2 stores, 1 load */
    if (setjmp(back) == 0)
        leap(0);
    else
        landed = 1;
    return landed;
}

/* called by the kernel; noted: 1 store, 1 load; around: 2 stores, 2 loads */
static void handler(int number)
{
    volatile int noted = number;
    compares += noted - SIGUSR1;
}

__attribute__((noinline)) static int signalled(void)
{
    volatile int around = 1;
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    around = around + 1;
    return around;
}

#ifndef FIB
#define FIB 10
#endif

typedef int (*function)(int);

__attribute__((noinline)) static int through(function f, int n)
{
    volatile int kept = n; /* 1 store, 1 load */
    int r = f(n);
    return r + kept;
}

int main(void)
{
    volatile long total = 0; /* 10 stores, 10 loads, the last one for printf */
    total = total + sum(N);
    total = total + fill();
    total = total + fib(FIB);
    total = total + lend();
    total = total + give();
    total = total + sorted();
    total = total + land();
    total = total + through(sum, N);
    total = total + signalled();
    printf("%ld %d\n", total, compares);
    return 0;
}
