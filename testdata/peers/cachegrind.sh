#!/bin/sh
# Compares `orrery cache` with valgrind's cachegrind on one run of a program: lackey traces it, orrery simulates the trace, and
# cachegrind simulates the program itself, with the same first level. Then CPU seconds of both simulators; cachegrind's
# have the emulation in them, ours the reading of the text.
# Cachegrind writes nothing back, so only the first level is compared here. The C library's start takes a few hundred
# references more or less, since the tools preload different libraries of their own; TestCachegrind runs a program without
# one, compares the last level, too, and finds them equal.
# Needs Go, gcc and valgrind (installed when they are missing).
set -eu

"${0%/*}/../need.sh" "gcc valgrind" gcc libc6-dev valgrind
root=$(cd "$(dirname "$0")/../.." && pwd)
count=${COUNT:-2048}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
go build -o "$work/orrery" ./app/orrery
cp testdata/programs/sort.c "$work"
cd "$work"
gcc -O1 -static -o sort sort.c
cat > cache.toml <<'TOML'
[[level]]
name = "I1"
kind = "instruction"
size = "8KiB"
ways = 2
block = "64B"

[[level]]
name = "D1"
kind = "data"
size = "8KiB"
ways = 2
block = "64B"
TOML

# cpu COMMAND...: CPU seconds of a command and its children, user and system, as one number; its output goes to the file out
cpu() {
	bash -c 'TIMEFORMAT="%U %S"; time "$@" >out 2>log' cpu "$@" 2>&1 | awk '{ print $1 + $2 }'
}

env -i PATH="$PATH" valgrind --tool=lackey --trace-mem=yes --log-file=trace.txt ./sort bubble "$count" >/dev/null
theirs=$(cpu env -i PATH="$PATH" valgrind --tool=cachegrind --cache-sim=yes --I1=8192,2,64 --D1=8192,2,64 --cachegrind-out-file=counts ./sort bubble "$count")
sed -n 's/^events: /cachegrind  /p; s/^summary: /            /p' counts
ours=$(cpu ./orrery cache trace.txt --config cache.toml)
cat out
echo "CPU: orrery $ours s, cachegrind $theirs s"
