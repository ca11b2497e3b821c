#!/bin/sh
# Compares the simulator with Dinero IV's core on the same references and LRU hierarchies: first every count of every level, then the
# CPU time of both cores, decoding and parsing left out (benchmark BenchmarkDinero of cachesim/simulator).
# Usage: testdata/peers/dinero.sh FOLDER [HIERARCHY], a folder with Dinero IV's sources (ref.c, misc.c, d4.h), release 7, and a shipped
# hierarchy (all that Dinero knows). The sources may be had from Mark D. Hill's pages for non-commercial use; nothing of them is
# part of this program.
# CFLAGS are for Dinero (-O2), ROUNDS (5) how often both run each recording, in turns. "ratio" is Dinero's least CPU time of all rounds
# over ours, so that neither is judged by a round in which the machine was busy, and "median-ratio" the median of the rounds' ratios.
# Needs Go and: sudo apt install gcc
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 1 ] && [ -f "$1/ref.c" ] || { sed -n '2,10s/^# //p' "$0" >&2; exit 2; }
theirs=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -f "$theirs/config.h" ] || printf '#define SIZEOF_INT %s\n#define SIZEOF_VOIDP %s\n' 4 8 > "$work/config.h"
gcc ${CFLAGS:--O2} -w -I"$work" -I"$theirs" -o "$work/dinero" "$root/testdata/peers/dinero.c" "$theirs/ref.c" "$theirs/misc.c"
cd "$root"
go test ./cachesim/simulator -run '^$' -bench "Dinero/.*/${2:-}" -benchtime "${ROUNDS:-5}x" -args -dinero "$work/dinero"
