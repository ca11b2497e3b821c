#!/bin/sh
# Makes the files of this directory: two programs whose common debug information dwz moves into common.debug. Needs g++ and
# dwz (Debian: apt-get install g++ dwz).
set -e
cd "$(dirname "$0")"
for x in a b; do
    g++ -g -gdwarf-4 -O0 -fno-asynchronous-unwind-tables -nostdlib -static -fcf-protection=none -fdebug-prefix-map="$PWD"=/src/dwz \
        -Wl,--build-id -Wl,-e,work -Wl,-z,noseparate-code -o $x $x.cpp
done
cp a a.whole
dwz -m common.debug -M common.debug a b
rm b
