/* Maps memory and gives it back, in every way. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *get(size_t n) { return mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

int main(int argc, char **argv)
{
    char *a = get(40000), *b = get(10 * 4096), *c, *d;
    int self = open(argv[0], O_RDONLY);

    memset(a, 1, 40000);
    munmap(a, 40000);
    munmap(b + 4 * 4096, 2 * 4096); /* a hole: two mappings are left */
    memset(b, 1, 4 * 4096);
    memset(b + 6 * 4096, 1, 4 * 4096);
    munmap(b, 10 * 4096);
    c = mremap(get(3 * 4096), 3 * 4096, 300 * 4096, MREMAP_MAYMOVE);
    c[299 * 4096] = 1;
    d = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, self, 0); /* a file is no allocation */
    mmap(c, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, self, 0);
    munmap(d, 4096);
    munmap(c, 300 * 4096);
    if (munmap(c + 1, 4096) == 0 || mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        return 1;
    free(malloc(argc > 1 ? 77 : 78));
    return 0;
}
