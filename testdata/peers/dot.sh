#!/bin/sh
# Draws the same graphs with orrery's layered layout and with Graphviz's dot, in one run and in turns, and prints processor time,
# the least of nine rounds (one where dot takes more than two seconds) and the median: of dot's whole process, and of the layout
# for orrery, on one processor, the mean of a tenth of a second; then once more with the starts of both processes taken out, and
# with both left in. Beside it stands how often the lines of either drawing cross, counted from the lines alone. First small
# graphs and shipped ones of compilers, as dot draws them by default; then those with edges upwards by orrery's rule, which lets
# every edge leave the bottom of a node and enter the top of one; then 200 to 300 nodes: sparse ones, with which dot is done in a
# fraction of a second, then a sea of nodes that node's own compiler makes here; then functions of Go's library of that size, as
# its compiler has them after some phase; then large ones, where dot has to be told to stop early (-Gnslimit=1) and to leave
# curves out (-Gsplines=line); last ten thousand nodes with edges cut that run over more than ten layers, without dot, which does
# not end. Takes some four minutes. With the word sweep behind its name it draws 48 made graphs of 200 to 300 nodes instead, eight
# of each of six kinds, which takes a minute. Needs Go, Graphviz and nodejs
# (installed when they are missing).
set -eu

"${0%/*}/../need.sh" "dot node" graphviz nodejs
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
export GOMAXPROCS=1
go build -o "$work/layered" ./testdata/peers/layered
case "${1-}" in
'') ;;
sweep)
	for kind in layered:_:220:8:260 layered:_:250:20:375 layered:_:300:12:450 compiled:_:200 compiled:_:250 compiled:_:300; do
		echo "$kind:"
		"$work/layered" -limit 100 $(for seed in 1 2 3 4 5 6 7 8; do echo $kind | sed s/_/$seed/; done)
	done
	exit
	;;
*)
	echo "usage: $0 [sweep]" >&2
	exit 2
	;;
esac
cat >"$work/multiply.js" <<'END'
function multiply(a, b, c, n) {
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) {
			let s = 0;
			for (let k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
			c[i * n + j] = s;
		}
}
const n = 40, a = new Float64Array(n * n), b = new Float64Array(n * n), c = new Float64Array(n * n);
for (let i = 0; i < 300; i++) multiply(a, b, c, n);
END
(cd "$work" && node --trace-turbo --trace-turbo-filter=multiply multiply.js >/dev/null)
turbo=$(ls "$work"/turbo-multiply-*.json | tail -1)
graphs=testdata/graphs

echo "below 100 nodes, and what is shipped:"
"$work/layered" layered:1:60:8:93 layered:2:50:7:75 layered:3:90:9:130 compiled:1:58 compiled:2:80 compiled:3:99 \
	$graphs/golist.ssa.gz $graphs/gomatmul.ssa.gz $graphs/list.turbo.json.gz $graphs/hotspot.xml
echo "by orrery's rule for the ends of edges:"
"$work/layered" -ports $graphs/hotspot.xml $graphs/gomatmul.ssa.gz $graphs/list.turbo.json.gz
echo "200 to 300 nodes, dot's defaults:"
"$work/layered" -limit 100 compiled:1:250 compiled:2:300 compiled:3:250 layered:3:250:20:375 layered:5:300:12:450 "$turbo##V8.TFStoreStoreElimination" "$turbo##V8.TFLateOptimization"
echo "functions of Go's library, 200 to 300 nodes, dot's defaults:"
"$work/layered" -limit 100 'go:sort:pdqsort:start' 'go:hash/adler32:update:start' 'go:strings:Map:generic deadcode' \
	'go:compress/flate:(*huffmanDecoder).init:lower' 'go:compress/flate:(*huffmanEncoder).bitCounts:regalloc' \
	'go:encoding/base64:(*Encoding).Decode:addressing modes' 'go:encoding/base64:(*Encoding).Encode:late opt'
echo "1000 to 2000 nodes, dot with nslimit=1 and straight lines:"
"$work/layered" -limit 200 -straight compiled:1:1000 compiled:1:1278 compiled:2:2000
echo "10000 nodes, edges over more than ten layers cut:"
"$work/layered" -alone -long 10 compiled:1:10000
