#!/bin/sh
# Records the log that assets/pictures/heap/README.md speaks of: what Debian's Perl asks its allocator for while it runs
# testdata/programs/lists.pl, some two hundred thousand events with call stacks, usable sizes and response times. Addresses are
# not randomised and Perl's hashes are in one order, so that two runs differ in times only.
#
#     testdata/heap.sh OUT.orr [ORRERY]       from the root of the repository
set -eu
out=$1
orrery=${2:-}
"${0%/*}/need.sh" "perl gcc" perl gcc libc6-dev
if [ -z "$orrery" ]; then
    orrery=$(mktemp -d)/orrery
    trap 'rm -rf "$(dirname "$orrery")"' EXIT
    go build -o "$orrery" ./app/orrery
fi
PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 setarch -R "$orrery" record --heap-only -o "$out" -- perl testdata/programs/lists.pl
