#!/bin/sh
# Measures how far the analysis of cycles reaches, in CPU time on one processor: streams of 2000 and 5000 references of a matrix
# multiply, whole (barcode and coordinates), the first look while a window of 1000 references is dragged (95 of 100 take at most p95-ms), and
# the overview of more than a million references, and one class at another scale.
# Needs Go.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
go build -o "$work/orrery" ./app/orrery
export GOMAXPROCS=1
for count in 2000 5000; do
	echo "$count references of a matrix multiply:"
	( ulimit -v 4000000; time -p "$work/orrery" cycles testdata/recordings/matmul-standard.orr --count "$count" | head -1 )
done
go test ./analysis/topology -run '^$' -bench Drag -benchtime 300x
go test ./analysis/topology -run '^$' -bench 'Overview|Slider' -benchtime 10x
