/* A library that counts for each thread; see counted.c. */
static __thread char first[24] = "not the first variable";
static __thread volatile long total;
__thread volatile struct { int id; short part[3]; } latest = {1, {2, 3, 4}};

long count_to(long to)
{
    for (long i = 0; i < to; i++)
        total = total + 1; /* to loads and stores */
    latest.part[2] = first[to % 3];
    return total; /* one more load */
}
