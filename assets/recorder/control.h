/* What all process images of one recording share: a small file named "control" in the recording's own directory,
 * mapped by the recorder and by every image. Beside it each image makes its ring, "ring.N". The recorder's twin of
 * these declarations is traceio/record/control.go. */
#ifndef ORRERY_CONTROL_H
#define ORRERY_CONTROL_H

#include <stdint.h>

#define CONTROL_MAGIC 0x4c54434f52525221ULL
#define CONTROL_PATH 1024

struct control {
    uint64_t magic;
    uint64_t recorder; /* its process id */
    uint64_t slots;    /* of a ring: RING_SLOTS */
    uint64_t gated;    /* record only from an entry to its return */
    uint64_t partial;  /* parts of the program are left out */
    uint64_t alone;    /* children are not recorded */
    uint64_t over;     /* nothing more is wanted of anybody */
    /* written by the images */
    uint64_t made;   /* rings begun so far, and the number of the next */
    uint64_t failed; /* images that could not make theirs, and run on without being recorded */
    uint64_t why;    /* errno of the last of them */
    char emulator[CONTROL_PATH];
    char plugin[CONTROL_PATH]; /* as it stands in the emulator's option: with doubled commas */
    char preload[CONTROL_PATH];
    char directory[CONTROL_PATH];
    uint64_t beats;    /* counts on as long as the recorder runs */
    uint64_t patience; /* in how many looks a writer sees that before it goes on without the recorder */
};

#endif
