#!/bin/sh
# Compares orrery's recorders with valgrind's lackey, which traces the same references as text: first the counts of every
# source line, which must agree, then CPU seconds (of the program, the emulator and the recorder together). The sides take
# turns in one run: orrery under the emulator, orrery with the compiler's hooks, lackey; what the program prints must be the
# same on every side and without any. None counts afterwards what it has recorded. ROUNDS is the length of the work, TURNS how
# often each side runs. A side's figure is of what it takes for many rounds more than for one: starting up does not count.
# Needs Go, qemu-user, gcc and valgrind (installed when they are missing).
set -eu

"${0%/*}/../need.sh" "qemu-x86_64 gcc valgrind" qemu-user gcc libc6-dev valgrind
root=$(cd "$(dirname "$0")/../.." && pwd)
rounds=${ROUNDS:-12}
turns=${TURNS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
go build -o "$work/orrery" ./app/orrery
go build -o "$work/compare" ./testdata/peers/lackey
cp testdata/peers/lackey.c "$work/work.c"
cd "$work"
gcc -g -O2 -static -no-pie -fcf-protection=none -o work work.c
./orrery cc -- gcc -g -O2 -o hooked work.c
longer=$((rounds * 10)) # what takes nanoseconds must run for longer than what takes microseconds
for n in 1 "$rounds" "$longer"; do
	./work "$n" >"printed.$n"
done

# side NAME ROUNDS FILE: runs one side, its recording in FILE, and tells the CPU time that it took
side() {
	case $1 in
	emulator) set -- ./orrery record -o "$3" -- ./work "$2" ;;
	hooks) set -- ./orrery record -o "$3" -- ./hooked "$2" ;;
	lackey) set -- valgrind --tool=lackey --trace-mem=yes --log-file="$3" ./work "$2" ;;
	esac
	bash -c 'TIMEFORMAT="cpu %U %S"; time "$@"' side "$@"
}

# cpu NAME ROUNDS FILE: CPU seconds of a side and its children, user and system, as one number
cpu() {
	side "$@" >printed 2>log || { cat log >&2; exit 1; }
	cmp printed "printed.$2" >&2
	awk '/^cpu / { print $2 + $3 }' log
}

# references FILE: how many data references a recording has
references() { ./orrery info "$1" | sed -n 's/^[^:]*: [a-z]*, \([0-9]*\) references.*/\1/p' | head -1; }

echo "== counts of each line"
side emulator 1 one.orr >/dev/null 2>&1
side lackey 1 one.txt >/dev/null 2>&1
./compare one.orr one.txt work work.c

echo "== CPU, $rounds rounds, $turns turns"
side hooks 1 warm.orr >/dev/null 2>&1
: >costs
for turn in $(seq "$turns"); do
	for name in emulator hooks lackey; do
		case $name in lackey) n=$rounds ;; *) n=$longer ;; esac
		one=$(cpu $name 1 $name.one)
		many=$(cpu $name "$n" $name.many)
		echo "turn $turn: $name $many s for $n rounds, $one s for one"
		echo "$name $one $many" >>costs
	done
done
side emulator "$rounds" same.orr >/dev/null 2>&1 # as many rounds as lackey's, whose text would only be counted again
for name in emulator hooks lackey; do
	case $name in lackey) many=same.orr one=emulator.one ;; *) many=$name.many one=$name.one ;; esac
	more=$(($(references $many) - $(references $one)))
	grep "^$name " costs | awk -v refs="$more" '{ printf "%.2f\n", ($3 - $2) / refs * 1e9 }' | sort -n |
		awk -v name=$name -v refs="$more" -v size="$(($(wc -c <$name.many) - $(wc -c <$name.one)))" '{ ns[NR] = $1 } END {
			printf "%-8s %9d references, each %.3f bytes and %.1f ns of CPU at the least, %.1f in the median\n", name, refs, size / refs, ns[1], ns[int((NR + 1) / 2)] }' | tee -a figures
done
awk '{ least[$1] = $8 } END { printf "lackey takes %.0f times the CPU of the emulator with its recorder\n", least["lackey"] / least["emulator"] }' figures
