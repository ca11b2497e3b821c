#!/bin/sh
# Records two programs of Debian with heaptrack --raw, a Perl program and jq on a large document, six to seven million allocator
# events each, and loads the raw logs with orrery heap and with heaptrack_interpret and heaptrack_print, in turns in one run. Calls,
# temporary blocks, leaks and peak must be equal to the last digit that heaptrack_print shows, and the table of sites, which is
# made without keeping the log, to that of the whole report, which keeps it. Prints seconds of processor time (user and system,
# the median and the least of the rounds) and the bytes of memory that orrery takes for each event, for the sites alone and for the whole log.
#
#     testdata/peers/heaptrackload.sh [ROUNDS]        from the root of the repository; default 3
set -eu
rounds=${1:-3}
"${0%/*}/../need.sh" "heaptrack perl jq zstd /usr/bin/time" heaptrack perl jq zstd time
interpret=$(dpkg -L heaptrack libheaptrack 2>/dev/null | grep 'heaptrack_interpret$' | head -1)
[ "$interpret" ] || interpret=$(dirname "$(command -v heaptrack)")/../lib/heaptrack/libexec/heaptrack_interpret
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/orrery" ./app/orrery
cp testdata/peers/lists.pl "$work"
cd "$work"
perl -e 'print "["; print $_ ? "," : "", qq({"id":$_,"name":"n$_","tags":[), join(",", map { qq("t$_") } 0 .. $_ % 7), qq(],"v":), $_ / 7, "}" for 0 .. 270000; print "]\n"' >list.json

# cpu NAME COMMAND...: appends seconds of processor time to NAME, and kilobytes to NAME.memory
cpu() {
    to=$1
    shift
    /usr/bin/time -f '%U %S %M' -o cost "$@" >"$to.out" 2>/dev/null
    tail -1 cost | awk '{ print $1 + $2 }' >>"$to"
    tail -1 cost | awk '{ print $3 }' >>"$to.memory"
}
least() { sort -n "$1" | head -1; }
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# told WHAT OURS: the costs of one way to load, of medians and of the least of the rounds.
told() {
    for of in median least; do
        echo "$($of "$2") $($of $name.interpret) $($of $name.print)"
    done | awk -v what="$1" -v events="$events" -v memory="$(median "$2.memory")" -v base="$(median base.memory)" '
        { o[NR] = $1; i[NR] = $2; p[NR] = $3 }
        END { printf "%s: orrery %.2f s, heaptrack %.2f + %.2f s, ratio %.2f (least of the rounds: %.2f, %.2f + %.2f, ratio %.2f); ", what, o[1], i[1], p[1], o[1] / (i[1] + p[1]), o[2], i[2], p[2], o[2] / (i[2] + p[2])
            printf "%.1f bytes of memory an event, %.1f over the bare program\n", memory * 1024 / events, (memory - base) * 1024 / events }'
}
number() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" "$2" | head -1; }

for name in perl jq; do
    case $name in
    perl) set -- perl lists.pl 950000 ;;
    jq) set -- jq '[.[] | {a: .name, b: (.tags | length), c: (.v * 2)}] | length' list.json ;;
    esac
    heaptrack --raw -o $name "$@" >/dev/null 2>&1
    zstd -dqf $name.raw.zst -o $name.raw
    events=$(grep -c '^[+-]' $name.raw)
    for round in $(seq "$rounds"); do
        cpu $name.interpret sh -c "$interpret <$name.raw >$name.interpreted"
        cpu $name.print heaptrack_print -f $name.interpreted
        cpu $name.orrery ./orrery heap --sites $name.raw
        cpu $name.whole ./orrery heap --json --sites $name.raw
    done
    ./orrery heap $name.raw | sed -n '/^ *allocated at /,/^$/p' | sed '/^$/d' >sites.whole
    sed '/^$/d' $name.orrery.out | cmp - sites.whole
    cp $name.whole.out ours.json
    theirs=$name.print.out
    {
        echo "calls $(number allocations ours.json) $(sed -n 's/^calls to allocation functions: \([0-9]*\).*/\1/p' $theirs)"
        echo "temporary $(number temporary ours.json) $(sed -n 's/^temporary memory allocations: \([0-9]*\).*/\1/p' $theirs)"
        echo "peak $(number peak_bytes ours.json) $(sed -n 's/^peak heap memory consumption: //p' $theirs)"
        echo "leaked $(number live_bytes ours.json) $(sed -n 's/^total memory leaked: //p' $theirs)"
    } | awk '{ n = $3 + 0; u = substr($3, length($3)); s = u == "G" ? 1e9 : u == "M" ? 1e6 : u == "K" ? 1e3 : 1; d = $2 - n * s; if (d < 0) d = -d
        printf "%s %s / %s%s", $1, $2, $3, NR < 4 ? ", " : " (orrery / heaptrack)\n"
        if (d > (s == 1 ? 1 : 0.0051 * s)) { printf "\nthe two disagree on %s\n", $1; bad = 1 } } END { exit bad }'
    cpu base ./orrery --help
    told "$name, $events events kept" $name.whole
    told "$name, $events events" $name.orrery
done
