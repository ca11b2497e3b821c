/* Runs a trace through Dinero IV's core, by its subroutine interface, and tells its counts and its CPU time. It is compiled by
 * dinero.sh together with Dinero's own ref.c and misc.c.
 *
 * driver TRACE PASSES LEVEL...   LEVEL: NAME KIND NEXT LOG2SIZE WAYS LOG2BLOCK as one word, separated by commas
 *
 * KIND is instruction, data or unified; NEXT the index of the level below, or their number for memory. The trace is in
 * memory before the clock starts: records of 16 bytes in this machine's order, address (8), size (2), kind (1). It is run so
 * many times over. Out come one line a level: fetches, reads, writes, their misses and the blocks written back, one for
 * memory: reads and writes, and the CPU seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "d4.h"

struct record { unsigned long address; unsigned short size; char kind; char rest[5]; };

static void die(const char *what) { fprintf(stderr, "dinero: %s\n", what); exit(1); }

static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static struct record *load(const char *path, long *count)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END))
		die("the trace cannot be opened");
	long bytes = ftell(f);
	struct record *all = malloc(bytes);
	rewind(f);
	if (!all || fread(all, 1, bytes, f) != (size_t)bytes)
		die("the trace cannot be read");
	fclose(f);
	*count = bytes / sizeof *all;
	return all;
}

int main(int argc, char **argv)
{
	enum { most = 64 };
	d4cache *levels[most + 1] = {0}, *enter[3] = {0};
	int next[most], n = argc - 3, passes = argc > 2 ? atoi(argv[2]) : 0;
	char below[most + 1] = {0};
	if (n < 1 || n > most || passes < 1)
		die("usage: driver TRACE PASSES LEVEL...");
	levels[n] = d4new(NULL);
	for (int i = n - 1; i >= 0; i--) {
		char name[32], kind[16];
		int size, ways, block;
		if (sscanf(argv[3 + i], "%31[^,],%15[^,],%d,%d,%d,%d", name, kind, &next[i], &size, &ways, &block) != 6 || next[i] <= i || next[i] > n)
			die("a level is NAME,KIND,NEXT,LOG2SIZE,WAYS,LOG2BLOCK");
		d4cache *c = levels[i] = d4new(levels[next[i]]);
		c->name = strdup(name);
		c->lg2size = size;
		c->assoc = ways;
		c->lg2blocksize = c->lg2subblocksize = block;
		d4init_rep_lru(c);
		d4init_prefetch_none(c);
		d4init_walloc_always(c);
		d4init_wback_always(c);
		below[next[i]] = 1;
	}
	for (int i = 0; i < n; i++) {
		char *kind = strchr(argv[3 + i], ',') + 1;
		if (below[i])
			continue;
		if (*kind != 'i')
			enter[D4XREAD] = enter[D4XWRITE] = levels[i];
		if (*kind != 'd')
			enter[D4XINSTRN] = levels[i];
	}
	if (d4setup())
		die("d4setup refuses the hierarchy");

	long count;
	struct record *trace = load(argv[1], &count);
	double start = cpu();
	for (int p = 0; p < passes; p++)
		for (long i = 0; i < count; i++) {
			d4memref m = {0};
			m.address = trace[i].address;
			m.accesstype = trace[i].kind;
			m.size = trace[i].size;
			d4cache *c = enter[(int)m.accesstype];
			if (c)
				d4ref(c, m);
		}
	double seconds = cpu() - start;

	for (int i = 0; i < n; i++) {
		d4cache *c = levels[i];
		printf("%.0f %.0f %.0f %.0f %.0f %.0f %.0f\n", c->fetch[D4XINSTRN], c->fetch[D4XREAD], c->fetch[D4XWRITE],
		       c->miss[D4XINSTRN], c->miss[D4XREAD], c->miss[D4XWRITE], c->bytes_written / (1 << c->lg2blocksize));
	}
	printf("%.0f %.0f\n", levels[n]->fetch[D4XREAD] + levels[n]->fetch[D4XINSTRN], levels[n]->fetch[D4XWRITE]);
	printf("%.9f\n", seconds);
	return 0;
}
