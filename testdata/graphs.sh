#!/bin/sh
# Draws the pictures of assets/pictures/graphs, whose page walks through figure 2 of the dependence graphs' paper (Würthinger,
# Wimmer, Mössenböck, CC 2008) on a function that V8 compiled, and through the join with the shipped recordings of two Go
# programs. Needs Go alone. The page itself is written by hand.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
out=$root/assets/pictures/graphs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$root" && go build -o "$work/orrery" ./app/orrery)
mkdir -p "$out"

# draw NAME FILE OPTIONS...
draw() {
	name=$1 file=$2
	shift 2
	"$work/orrery" render graph "$here/graphs/$file" "$@" -o "$out/$name.png" 2>/dev/null
}

v8=list.turbo.json.gz phase=V8.TFTypedLowering
draw whole $v8 --phase $phase --size 800x900
draw extract $v8 --phase $phase --nodes 18,72,74,73,22 --size 900x480
draw colorize $v8 --phase $phase --nodes 18,72,74,73,22,37 --script 'colorize("name", "S.*", red)' --size 900x480
draw difference $v8 --diff V8.TFInlining,$phase --size 1200x1350
draw list golist.ssa.gz --over "$here/recordings/golist.orr" --color misses --blocks --size 900x1250
draw multiply gomatmul.ssa.gz --over "$here/recordings/gomatmul.orr" --color misses --blocks --size 1300x1900
