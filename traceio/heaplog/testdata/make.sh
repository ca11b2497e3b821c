#!/bin/sh
# Makes the samples again: the same program logged by glibc's mtrace, valgrind, heaptrack and ltrace, with what
# heaptrack_print says of it. Needs: sudo apt install gcc libc6-dev valgrind heaptrack ltrace zstd
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/sample.c" "$work"
cd "$work"
gcc -g -O0 -fno-builtin -o sample sample.c
MALLOC_TRACE=sample.mtrace LD_PRELOAD=/lib/x86_64-linux-gnu/libc_malloc_debug.so.0 ./sample
valgrind --trace-malloc=yes ./sample 2>sample.valgrind
ltrace -tt -f -i -o sample.ltrace ./sample
heaptrack --raw -o sample ./sample >/dev/null
zstd -dcq sample.raw.zst | sed 's|^x [0-9a-f]* .*/sample$|x 8 ./sample|' >sample.heaptrack # it need not tell where it was made
heaptrack -o whole ./sample >/dev/null
heaptrack_print -f whole.zst | sed -n '/^calls to allocation/p;/^temporary memory/p;/^peak heap/p;/^total memory leaked/p' >sample.totals
cp sample.mtrace sample.valgrind sample.ltrace sample.heaptrack sample.totals "$here"
