#!/bin/sh
# Records the programs in testdata/programs again, into testdata/recordings. Needs Go and: sudo apt install qemu-user gcc g++
#
# The programs are compiled with
#   -g      lines, variables and types, so that the pictures have names;
#   -O0     every variable lives in memory and every line keeps its own instructions: the code runs as it is written, which
#           is what the pictures of an algorithm are to show (optimised code is recorded just as well);
#   -no-pie addresses of variables are the ones in the file, the same on every machine;
#   -ffile-prefix-map   source files are known by their names alone and the recordings tell nothing of this machine.
# The environment is emptied, because its length decides where the stack begins: addresses come out the same everywhere.
# Only the algorithm is recorded: from the call of the function that does the work until it returns, and of that only the
# program's own code, not the C library's. The list is recorded from main on, for its heap.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$here"/programs/*.c "$here"/programs/*.cpp "$work"
(cd "$root" && go build -o "$work/orrery" ./app/orrery)
cd "$work"
flags="-g -O0 -no-pie -fcf-protection=none -ffile-prefix-map=$work=."
for program in bubble matmul list; do
	gcc $flags -o $program $program.c
done
g++ $flags -o bubble_vector bubble_vector.cpp

# record NAME FUNCTION PROGRAM ARGUMENTS
record() {
	name=$1 from=$2
	shift 2
	env -i PATH=/usr/bin:/bin HOME="$work" ./orrery record --only program --from "$from" --output "$name.orr" -- "$@" >/dev/null 2>messages || { cat messages >&2; exit 1; }
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
