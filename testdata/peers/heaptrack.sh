#!/bin/sh
# Records two malloc-heavy programs of Debian with `orrery record --heap-only` (32 frames) and with heaptrack, in turns in one
# run, checks that both saw the same calls, and prints what each costs: seconds of processor time and of wall time, of the
# program with its recorder and whatever the recorder does behind it (ours writes the .orr with names, heaptrack's
# interpreter names what it reads; --raw leaves that out), and of the program with nothing but the wrapper around its allocator,
# which writes its log to a file. The median of the rounds counts.
#
#     testdata/peers/heaptrack.sh [ROUNDS]        from the root of the repository; default 5
set -eu
rounds=${1:-5}
"${0%/*}/../need.sh" "heaptrack perl jq gcc /usr/bin/time" heaptrack perl jq gcc libc6-dev time
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/orrery" ./app/orrery
cp testdata/peers/lists.pl "$work"
perl -e 'print "["; print $_ ? "," : "", qq({"id":$_,"name":"n$_","tags":[), join(",", map { qq("t$_") } 0 .. $_ % 7), qq(],"v":), $_ / 7, "}" for 0 .. 40000; print "]\n"' >"$work/list.json"
cd "$work"
export XDG_CACHE_HOME="$work/cache" # where our wrapper is put
their_wrapper=$(find /usr/lib* -name libheaptrack_preload.so | head -1)

# once NAME SIDE COMMAND...: appends "user+sys wall" of one run to NAME.SIDE.
once() {
    name=$1 side=$2
    shift 2
    case $side in
    bare) set -- "$@" ;;
    orrery) set -- ./orrery record --heap-only -o "$name.orr" -- "$@" ;;
    heaptrack) set -- heaptrack -o "$name.ht" "$@" ;;
    raw) set -- heaptrack --raw -o "$name.raw" "$@" ;;
    ours) set -- env ORRERY_HEAP_LOG="$work/log" LD_PRELOAD="$wrapper" "$@" ;;
    theirs) set -- env DUMP_HEAPTRACK_OUTPUT="$work/log" LD_PRELOAD="$their_wrapper" "$@" ;;
    esac
    /usr/bin/time -f '%U %S %e' -o cost "$@" >"$name.$side.out" 2>/dev/null
    rm -f "$work"/log*
    tail -1 cost | awk '{ print $1 + $2, $3 }' >>"$name.$side"
}
median() { cut -d' ' -f"$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
number() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" "$2" | head -1; }

for name in perl jq; do
    case $name in
    perl) set -- perl lists.pl ;;
    jq) set -- jq '[.[] | {a: .name, b: (.tags | length), c: (.v * 2)}] | length' list.json ;;
    esac
    ./orrery record --heap-only -o warm.orr -- "$@" >/dev/null 2>&1 # compiles the wrapper
    wrapper=$(find "$work/cache" -name heaponly.so)
    for round in $(seq "$rounds"); do
        for side in bare ours theirs orrery heaptrack raw; do once $name $side "$@"; done
    done
    cmp "$name.bare.out" "$name.orrery.out" # the program was not disturbed
    ./orrery heap --json "$name.orr" >ours.json
    heaptrack_print -f "$name.ht.zst" -p 0 -a 0 -T 0 -l 0 >theirs 2>/dev/null || heaptrack_print -f "$name.ht.zst" >theirs 2>/dev/null
    calls=$(number allocations ours.json) leaked=$(number live_bytes ours.json) temporary=$(number temporary ours.json) peak=$(number peak_bytes ours.json)
    their_calls=$(sed -n 's/^calls to allocation functions: \([0-9]*\).*/\1/p' theirs)
    their_temporary=$(sed -n 's/^temporary memory allocations: \([0-9]*\).*/\1/p' theirs)
    their_peak=$(sed -n 's/^peak heap memory consumption: //p' theirs)
    their_leaked=$(sed -n 's/^total memory leaked: //p' theirs)
    echo "$name: calls $calls / $their_calls, temporary $temporary / $their_temporary, peak $peak / $their_peak, leaked $leaked / $their_leaked (orrery / heaptrack)"
    # What is allocated before heaptrack's first call is not in its log: some dozen blocks.
    awk -v a="$calls" -v b="$their_calls" 'BEGIN { d = a - b; if (d < 0) d = -d; if (d > 100) { print "the two saw different programs"; exit 1 } }'
    awk -v a="$temporary" -v b="$their_temporary" 'BEGIN { d = a - b; if (d < 0) d = -d; if (d > 100) { print "the two disagree on temporary blocks"; exit 1 } }'
    echo "$peak $their_peak peak
$leaked $their_leaked leaked" | awk '{ n = $2 + 0; u = substr($2, length($2)); n *= u == "G" ? 1e9 : u == "M" ? 1e6 : u == "K" ? 1e3 : 1; d = $1 - n; if (d < 0) d = -d
        if (d > 0.01 * n + 150000) { print "the two disagree on bytes " $3 ": " $1, n; exit 1 } }'
    for side in bare ours theirs orrery heaptrack raw; do
        echo "  $side: $(median $name.$side 1) s of processor time, $(median $name.$side 2) s"
    done
    echo "  processor time of the program with our wrapper / with heaptrack's: $(echo "$(median $name.ours 1) $(median $name.theirs 1)" | awk '{ printf "%.2f", $1 / $2 }')"
    echo "  processor time of orrery / heaptrack: $(echo "$(median $name.orrery 1) $(median $name.heaptrack 1)" | awk '{ printf "%.2f", $1 / $2 }')," \
        "/ heaptrack --raw: $(echo "$(median $name.orrery 1) $(median $name.raw 1)" | awk '{ printf "%.2f", $1 / $2 }')"
    echo "  wall time of orrery / heaptrack: $(echo "$(median $name.orrery 2) $(median $name.heaptrack 2)" | awk '{ printf "%.2f", $1 / $2 }')," \
        "/ heaptrack --raw: $(echo "$(median $name.orrery 2) $(median $name.raw 2)" | awk '{ printf "%.2f", $1 / $2 }')"
done
