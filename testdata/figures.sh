#!/bin/sh
# Draws figures 1, 6, 7, 9, 10 and 11 of the cycles paper (Choudhury, Wang, Rosen, Pascucci, PacificVis 2012) from the shipped
# recordings, into assets/pictures/figures, with the page that shows them. Needs Go alone.
#
# A figure whose recording is not there is left out of the page, and named at the end.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
out=$root/assets/pictures/figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$root" && go build -o "$work/orrery" ./app/orrery)
mkdir -p "$out"
rm -f "$out"/*.png
page=$out/README.md
missing=

# row LINE: a line of text on the page
row() { printf '%s\n' "$1" >>"$page"; }

# words RECORDING RANK OPTIONS...: what the analysis says of the class that the figure shows
words() {
	from=$here/recordings/$1.orr rank=$2
	shift 2
	"$work/orrery" cycles "$from" "$@" 2>/dev/null | sed -n "s/^rank $rank  *\(\[[^)]*)\)  \([0-9.]* turns\)\(, [0-9]* references a turn\|, to and fro\)*.*/\2\3, class \1/p"
}

# figure NAME TITLE RECORDING RANK THEME ANALYSIS [-- PICTURE]: draws one figure and adds it to the page; ANALYSIS and PICTURE are options
figure() {
	name=$1 title=$2 recording=$3 rank=$4 theme=$5
	shift 5
	analysis= picture= part=analysis
	for option; do
		if [ "$option" = -- ]; then part=picture; elif [ $part = analysis ]; then analysis="$analysis $option"; else picture="$picture $option"; fi
	done
	if [ ! -e "$here/recordings/$recording.orr" ]; then
		missing="$missing $name"
		return
	fi
	"$work/orrery" render cycles "$here/recordings/$recording.orr" -o "$out/$name.png" --size 560x460 --theme "$theme" --rank "$rank" $analysis $picture 2>/dev/null
	row ""
	row "### $title"
	row ""
	row "![$title]($name.png)"
	row ""
	options=${analysis:+" \`${analysis# }\`"}
	row "\`$recording.orr\`$options, rank $rank: $(words "$recording" "$rank" $analysis)."
	echo "drew $name"
}

cat >"$page" <<'TEXT'
# The cycles paper's figures, redrawn

Choudhury, Wang, Rosen and Pascucci, *Topological analysis and visualization of cyclical behavior in memory reference traces* (PacificVis
2012), drew memory references of bubble sort, matrix multiplication and a material point code as spirals. These are the same pictures from the
recordings that Orrery ships; `testdata/figures.sh` draws them and writes this page. Distance from the centre is time, a turn is one recurrence, colours are
source lines. Below each picture stand the recording, the options of `orrery cycles` and what the analysis says of the class.

The programs are written anew and compiled by another compiler, so numbers of references differ from the paper's; what recurs, and how often, is the
same. A cycle of *n* rounds is followed for a little less than *n* turns, because the last round has no successor to return to.
TEXT

row ""
row "## Figure 1: one parameterization morphs into another"
row ""
row "Bubble sort of a sorted vector: from the four comparisons to the eight look-ups, two in each."
for step in 0 0.33 0.67 1; do
	figure "1-$step" "Morph $step" bubble-vector-sorted 2 dark -- --morph-to 1 --morph $step --bare
done

row ""
row "## Figures 5 and 6: ways to draw a class"
figure 5-isomap "5: ISOMAP, coloured by the angle" matmul-standard 2 dark --count 1000 -- --picture isomap --color theta
figure 6a "6 (a): on a circle" bubble-vector-reversed 2 light -- --picture circle --color single
figure 6b "6 (b): time as radius" bubble-vector-reversed 2 light -- --color single
figure 6c "6 (c): colours of source lines" bubble-vector-reversed 2 light
figure 6d "6 (d): lines collapsed into functions" bubble-vector-reversed 2 light -- --color function

row ""
row "## Figure 7: bubble sort of five numbers"
figure 7a "7 (a): sorted vector, four comparisons" bubble-vector-sorted 2 dark
figure 7b "7 (b): sorted vector, eight look-ups" bubble-vector-sorted 1 dark
figure 7c "7 (c): reversed vector, four sweeps with comparisons as teeth" bubble-vector-reversed 2 dark
figure 7d "7 (d): reversed vector, ten bundles of four circles: two look-ups of the comparison, two of the swap" bubble-vector-reversed 1 dark
figure 7e "7 (e): shuffled vector, six comparisons that swap" bubble-vector-shuffled 3 dark
figure 7f "7 (f): shuffled vector, the dual: four that do not" bubble-vector-shuffled 5 dark
figure 7g "7 (g): sorted array, four comparisons" bubble-array-sorted 1 dark
figure 7h "7 (h): reversed array, four sweeps" bubble-array-reversed 1 dark

row ""
row "## Figure 9: matrix multiplication"
figure 9a "9 (a): standard, the i loop, by one of ten references" matmul-standard 2 dark --count 10000 --every 10
figure 9b "9 (b): standard, the j loop" matmul-standard 1 dark --count 1000
figure 9c "9 (c): standard, the k loop" matmul-standard 2 dark --count 1000
figure 9d "9 (d): blocked, the i loop" matmul-blocked 3 dark --count 1000
figure 9e "9 (e): blocked, the j loop" matmul-blocked 1 dark --count 1000
figure 9f "9 (f): blocked, the k loop" matmul-blocked 2 dark --count 1000

row ""
row "## Figures 10 and 11: the material point method"
row ""
row "Interpolation from 5 particles to the grid, then a stretch of a run with 60, whole and sampled. Each node bundle calls the shape function twice."
figure 10a "10 (a): calls of the shape function, two for each node" mpm-5 3 dark --count 2000
figure 10b "10 (b): the dual, once for each node" mpm-5 5 dark --count 2000
row ""
row "Figure 11 is compared by instruction. In the paper's program clearing a node of the grid takes about 100 references (1000 of them hold ten nodes), in ours, which"
row "is compiled with less around every assignment, 13. One of ten references then leaves the paper ten of each node and us one or two: a window of ten references spans"
row "seven nodes, whose addresses are all new, so that by address only the loop's counter recurs and the clearing is no class that lasts (the first one, rank 88, lives from 3 to 5)."
row "By instruction it is rank 1, from 2 to the largest scale. 13 and 10 have no common factor, so that a turn takes ten nodes: 11.9 turns, the last one not followed to its end, are the grid's 121."
figure 11a "11 (a): 1000 consecutive references: the grid is cleared, a turn a node" mpm-60 1 dark --count 1000 --alphabet pc
figure 11b "11 (b): one of ten of 10 000 references: all of the clearing, then a line through the rest" mpm-60 1 dark --count 10000 --every 10 --alphabet pc
figure 11c "11 (c): the dual: the clearing is a line, the interpolation turns" mpm-60 2 dark --count 10000 --every 10 --alphabet pc

row ""
row "## Beyond the paper"
figure splice "The six swaps of figure 7 (e) hung on the sweeps: arcs of two parameterizations in one picture" bubble-vector-shuffled 2 dark -- --splice 3
figure persistence "Persistence diagram and barcode" bubble-vector-shuffled 3 light -- --picture persistence

if [ -n "$missing" ]; then
	echo "no recording for:$missing" >&2
fi
