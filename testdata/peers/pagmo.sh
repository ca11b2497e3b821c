#!/bin/sh
# Compares hypervolumes and first fronts with those of pagmo: first the values, which must be the same, then CPU seconds of one
# computation in one run. The sets are those of the benchmarks in analysis/dse: points on a sphere, none of which dominates
# another, and random points. pagmo has no function for the first front alone: its sort into all fronts is timed.
# Needs Go, g++ and pagmo (installed when they are missing).
set -eu

"${0%/*}/../need.sh" "g++ /usr/include/pagmo/utils/hypervolume.hpp" g++ libpagmo-dev
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
g++ -O2 -o "$work/pagmo" testdata/peers/pagmo.cpp -lboost_serialization -ltbb -lpagmo
export GOMAXPROCS=1
go test ./analysis/dse -run XXX -bench 'Hypervolume|Front' -benchtime "${TIME:-0.5s}" -points "$work" >"$work/ours"
"$work/pagmo" "$work"/*.points >"$work/theirs"
awk 'NR == FNR { theirs[$1] = $2; next }
	/cpu-ns\/op/ {
		name = $1; sub(/^Benchmark/, "", name); sub(/-[0-9]+$/, "", name)
		sub(/^Hypervolume/, "volume", name); sub(/^Front/, "front", name)
		for (i = 2; i <= NF; i++) if ($i == "cpu-ns/op") ours = $(i - 1) / 1e9
		if (name in theirs) printf "%-24s orrery %.6f s   pagmo %.6f s   ratio %.3f\n", name, ours, theirs[name], ours / theirs[name]
	}' "$work/theirs" "$work/ours"
