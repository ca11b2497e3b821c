#!/bin/sh
# Draws the pictures of assets/pictures/designs, whose page redraws figures 3, 14 to 22, 24 and 25 of the VMODEX paper (Taghavi,
# Pimentel, Sabeghi) from the built-in Motion-JPEG example. Needs Go alone. The page itself is written by hand; designs have
# numbers by which they are found again, since the search of the example has a fixed seed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
out=$root/assets/pictures/designs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$root" && go build -o "$work/orrery" ./app/orrery)
mkdir -p "$out"
rm -f "$out"/*.png

# draw NAME SIZE OPTIONS...
draw() {
	name=$1 size=$2
	shift 2
	(cd "$work" && ./orrery render designs motion-jpeg "$@" --theme light --size "$size" -o "$out/$name.png" 2>/dev/null)
}

# The five subspaces of section 7.
s1='2/mC + ASIP/2/SRAM + DRAM'
s2='2/mP + ASIP/2/SRAM + DFIFO-2'
s3='2/mP + mC/2/SRAM + DRAM'
s4='3/mP + mC + ASIP/2/SRAM + DFIFO-2'
s5='5/mP + mC + ASIP + ASIC-DCT + ASIC-VLE/2/SRAM + DRAM'

draw 3 1240x720 --filter 'processor types = mP + ASIC-DCT, mC + ASIC-DCT, mC + ASIC-VLE, mP + ASIP + ASIC-DCT + ASIC-VLE'
draw 14 1600x560 --collapse --filter 'processors >= 4'
draw 15 1600x560 --collapse --filter 'processors = 4' --tone first-generation --hexagons
draw 16 1240x600 --show global --hide-empty
draw 17a 1500x440 --levels 2
draw 17b 1500x440 --levels 2 --channels 'colour=energy' --channels 'depth=processing time'
draw 18a 640x440 --picture design:mapping --design 1315
draw 18b 640x440 --picture design:mapping --design 24
draw 19a 640x440 --picture design:mapping --design 1192
draw 19b 640x440 --picture design:mapping --design 1613
draw 19c 640x440 --picture design:mapping --design 2761
draw 19d 640x440 --picture design:mapping --design 3256
draw 20 1240x700 --show local --compare "$s1" --compare "$s2" --compare "$s3" --compare "$s4" --compare "$s5"
draw 21 900x560 --picture subspaces:total-coverage-tc --compare "$s1" --compare "$s2" --compare "$s3" --compare "$s4" --compare "$s5"
draw 22 900x320 --picture subspaces:dominance --compare "$s1" --compare "$s3"
draw 24 900x460 --picture subspaces:hypervolume --normalised --compare "$s1" --compare "$s5"
draw 25 900x480 --picture subspaces:frequencies --compare "$s2" --compare "$s4" --compare "$s5"
draw search 900x320 --picture spread:hypervolume
