#!/bin/sh
# Compares orrery's recorder with valgrind's lackey, which traces the same references as text: first the counts of every
# source line, which must agree, then CPU seconds (of the program, the emulator and the recorder together). Both sides take
# turns in one run; neither counts afterwards what it has recorded. ROUNDS is the length of the work, TURNS how often each side runs.
# Needs Go and: sudo apt install qemu-user gcc valgrind (valgrind is installed when it is missing)
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
rounds=${ROUNDS:-12}
turns=${TURNS:-2}
command -v valgrind >/dev/null || {
	echo "installing valgrind" >&2
	$(command -v sudo || true) apt-get install -y valgrind >/dev/null
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
go build -o "$work/orrery" ./app/orrery
go build -o "$work/compare" ./testdata/peers/lackey
cp testdata/peers/lackey.c "$work/work.c"
cd "$work"
gcc -g -O2 -static -no-pie -fcf-protection=none -o work work.c

# cpu COMMAND...: CPU seconds of a command and its children, user and system, as one number
cpu() {
	bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>log' cpu "$@" 2>&1 | awk '{ print $1 + $2 }'
}

echo "== counts of each line"
./orrery record -o one.orr -- ./work 1 >/dev/null 2>&1
valgrind --tool=lackey --trace-mem=yes --log-file=one.txt ./work 1 >/dev/null
./compare one.orr one.txt work work.c

echo "== CPU, $rounds rounds, $turns turns"
./orrery record -o warm.orr -- ./work 1 >/dev/null 2>&1
ours=0 theirs=0
for turn in $(seq "$turns"); do
	o=$(cpu ./orrery record -o work.orr -- ./work "$rounds")
	t=$(cpu valgrind --tool=lackey --trace-mem=yes --log-file=work.txt ./work "$rounds")
	echo "turn $turn: orrery $o s, lackey $t s"
	ours=$(echo "$ours $o" | awk '{ print $1 + $2 }')
	theirs=$(echo "$theirs $t" | awk '{ print $1 + $2 }')
done
refs=$(./orrery info work.orr | sed -n 's/.*orr, \([0-9]*\) references.*/\1/p' | head -1)
size=$(wc -c <work.orr)
text=$(wc -c <work.txt)
echo "$refs $turns $ours $theirs $size $text" | awk '{
	printf "%d references: orrery %.1f ns and %.2f bytes each, lackey %.0f ns and %.1f bytes; orrery takes 1/%.0f of the CPU\n",
		$1, $3 / $2 / $1 * 1e9, $5 / $1, $4 / $2 / $1 * 1e9, $6 / $1, $4 / $3 }'
