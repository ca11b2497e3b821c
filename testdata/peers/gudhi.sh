#!/bin/sh
# Compares the cycles of orrery with GUDHI: first the bars, which must be the same, then CPU seconds and memory. Of GUDHI's two ways the
# plain one builds the whole Rips complex and so gets the smaller inputs, the one that collapses edges gets the larger ones.
# Both get the distances of the distinct windows ready made; orrery starts from the recording.
# Needs Go and GUDHI (installed when it is missing).
set -eu

"${0%/*}/../need.sh" gudhi-rips-distance-matrix-persistence gudhi-utils
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
go build -o "$work/orrery" ./app/orrery
go build -o "$work/barcodes" ./testdata/peers/barcodes
export GOMAXPROCS=1
recordings=testdata/recordings
"$work/barcodes" -peer gudhi -runs 1 -orrery "$work/orrery" -work "$work" \
	$recordings/bubble-vector-reversed.orr 0 642 \
	$recordings/matmul-standard.orr 0 250
"$work/barcodes" -peer gudhi-collapse -runs 1 -orrery "$work/orrery" -work "$work" \
	$recordings/bubble-vector-reversed.orr 0 642 \
	$recordings/matmul-blocked.orr 0 1000 \
	$recordings/matmul-standard.orr 0 1000
