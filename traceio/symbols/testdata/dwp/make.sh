#!/bin/sh
# Makes what is tested here, with clang 14 and llvm-dwp of Debian 12 (apt-get install clang llvm): a program of two files, its debug
# information inside (whole), and the same one with it in a package (prog, prog.dwp).
set -e
cd "$(dirname "$0")"
flags="-g -gdwarf-5 -O1 -no-pie -nostartfiles -Wl,-e,main -fdebug-compilation-dir=. -fuse-ld=bfd -Wl,-z,noseparate-code"
cp ../list.c .
clang $flags -o whole list.c other.c
clang $flags -gsplit-dwarf -o prog list.c other.c
llvm-dwp -e prog -o prog.dwp
rm list.c .list.dwo .other.dwo
