#!/bin/sh
# Compares the cycles of orrery with ripser, the fastest known program for barcodes of Rips complexes: first the bars, which must
# be the same, then CPU seconds and memory. Both work in degree 1 over Z/47. Ripser gets the distances of the distinct windows
# ready made; orrery starts from the recording. Memory is the largest resident set, with orrery read from its file as an installed
# program is: of one that was linked a moment ago the kernel maps far more than is used. The last columns are the memory of the same
# command built without the window, and how many times less than ripser's that is.
# Needs Go and ripser (installed when it is missing).
set -eu

"${0%/*}/../need.sh" ripser-coeff ripser
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
go build -o "$work/orrery" ./app/orrery
go build -o "$work/barcodes" ./testdata/peers/barcodes
sync "$work/orrery" "$work/barcodes"
for file in "$work/orrery" "$work/barcodes"; do
	dd if="$file" iflag=nocache count=0 status=none # out of the kernel's cache
done
gunzip -c testdata/oracles/quicksort.lk.gz >"$work/quicksort.lk"
export GOMAXPROCS=1
recordings=testdata/recordings
"$work/barcodes" -runs "${RUNS:-3}" -orrery "$work/orrery" -work "$work" \
	"$work/quicksort.lk" 39000 800 \
	$recordings/bubble-vector-reversed.orr 0 642 \
	$recordings/list.orr 2000 2000 \
	$recordings/matmul-blocked.orr 0 1000 \
	$recordings/matmul-standard.orr 0 1000 \
	$recordings/matmul-transposed.orr 0 1000 \
	points:sphere 0 500 \
	points:rotations 0 1024
