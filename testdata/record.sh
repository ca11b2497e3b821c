#!/bin/sh
# Records the programs in testdata/programs again, into testdata/recordings. Needs Go and: sudo apt install qemu-user gcc g++
# With names, only those: record.sh fill mpm-5
#
# The programs are compiled with
#   -g      lines, variables and types, so that the pictures have names;
#   -O0     every variable lives in memory and every line keeps its own instructions: the code runs as it is written, which
#           is what the pictures of an algorithm are to show (optimised code is recorded just as well);
#   -no-pie addresses of variables are the ones in the file, the same on every machine;
#   -ffile-prefix-map   source files are known by their names alone and the recordings tell nothing of this machine.
# The environment is emptied, because its length decides where the stack begins: addresses come out the same everywhere.
# Only the algorithm is recorded: from the call of the function that does the work until it returns, and of that only the
# program's own code, not the C library's. Programs with a heap or with threads are recorded from main on.
#
# gomatmul and golist are in Go, compiled as `go build` does it, for the graphs of Go's compiler behind their hot lines.
#
# lua is a real program: the interpreter of Debian's source package lua5.4 (needs deb-src lines in apt's sources), compiled
# with -O2 as it is used, on queens.lua.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r "$here"/programs/* "$work"
(cd "$root" && go build -o "$work/orrery" ./app/orrery)
cd "$work"
flags="-g -O0 -no-pie -fcf-protection=none -ffile-prefix-map=$work=."
for program in bubble matmul list sort fill habits; do
	gcc $flags -o $program $program.c
done
gcc $flags -pthread -o sharing sharing.c
for program in bubble_vector containers mpm; do
	g++ $flags -o $program $program.cpp
done
for program in gomatmul golist; do
	(cd $program && CGO_ENABLED=0 GOFLAGS= go build -trimpath -o ../$program.bin $program.go)
	mv $program.bin $program/$program
done
if [ $# = 0 ] || [ "$*" != "${*#*lua}" ]; then
	apt-get source --download-only lua5.4 >/dev/null 2>&1 || { echo "apt-get source lua5.4 failed: add deb-src lines to /etc/apt/sources.list and run apt-get update" >&2; exit 1; }
	mkdir lua5.4
	tar -xzf lua5.4_*.orig.tar.gz -C lua5.4 --strip-components=2 --wildcards '*/src'
	rm lua5.4/luac.c
	gcc -g -O2 -no-pie -fcf-protection=none "-ffile-prefix-map=$work=." -DLUA_COMPAT_5_3 -o lua lua5.4/*.c -lm 2>/dev/null
fi
wanted=" $* "

# record NAME FUNCTION PROGRAM ARGUMENTS; with code empty the references of libraries too
record() {
	name=$1 from=$2
	shift 2
	case $wanted in "  " | *" $name "*) ;; *) return 0 ;; esac
	env -i PATH=/usr/bin:/bin HOME="$work" ./orrery record ${code---only program} --from "$from" --output "$name.orr" -- "$@" >/dev/null 2>messages || { cat messages >&2; exit 1; }
	mv "$name.orr" "$here/recordings/"
	echo "recorded $name"
}

for order in sorted reversed shuffled; do
	record bubble-array-$order bubble_sort ./bubble $order
	record bubble-vector-$order bubble_sort ./bubble_vector $order
done
record matmul-standard multiply ./matmul standard
record matmul-transposed multiply_transposed ./matmul transposed
record matmul-blocked multiply_blocked ./matmul blocked
record list main ./list
record sort-bubble bubble_sort ./sort bubble 256
record sort-merge merge_sort ./sort merge 1024
record fill fill ./fill
record mpm-5 interpolate ./mpm 5 1
record mpm-60 simulate ./mpm 60 6
record habits-loops two_loops ./habits loops
record habits-fused one_loop ./habits fused
record habits-stream look_up ./habits stream
record habits-structs field_of_structs ./habits structs
record habits-arrays array_of_fields ./habits arrays
(code=; record habits-hoard hoard ./habits hoard)
record containers main ./containers
record lua-queens main ./lua queens.lua
record sharing-packed main ./sharing packed
record sharing-padded main ./sharing padded
record gomatmul main.multiply ./gomatmul/gomatmul
record golist main.work ./golist/golist
