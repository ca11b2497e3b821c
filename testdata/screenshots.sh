#!/bin/bash
# Draws the README's picture and those of the tour anew, from the running application in a real window on a display of its own: each stop
# of the tour (app/session/tour.go), with what its text asks for done by the keyboard and the pointer. The page of the tour is written by
# hand. Nothing waits for a length of time but for the application's event log.
# usage: testdata/screenshots.sh [NAME...]
# Needs Go, xvfb, xdotool, imagemagick and libgl1-mesa-dri.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/assets/pictures/tour
work=$(mktemp -d)
app= server=
finish() {
	[ -z "$app" ] || kill "$app" 2>/dev/null || true
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT
(cd "$root" && go build -o "$work/orrery" ./app/orrery)
mkdir -p "$out"
wanted=" $* "

# quiet: until no job runs and nothing has been written into the event log for a second and a half
quiet() {
	local n=-1 now running still=0
	for _ in $(seq 1200); do
		sleep 0.5
		now=$(wc -l <"$work/log")
		running=$(grep -o '"event":"jobs","running":[0-9]*' "$work/log" | tail -1 | grep -o '[0-9]*$' || true)
		if [ "$now" = "$n" ] && [ "${running:-0}" = 0 ]; then
			still=$((still + 1))
			[ $still -lt 3 ] || return 0
		else
			still=0
		fi
		n=$now
	done
	echo "the application does not come to rest" >&2
	exit 1
}

# pane SLOT X Y: the point of a pane at shares of its width and height
pane() {
	grep '"event":"arranged"' "$work/log" | tail -1 | grep -o "\"slot\":\"$1\",\"x\":[0-9.]*,\"y\":[0-9.]*,\"w\":[0-9.]*,\"h\":[0-9.]*" |
		sed 's/[^0-9.,]//g' | awk -F, -v fx="$2" -v fy="$3" '{printf "%d %d\n", $2 + $4 * fx, $3 + $5 * fy}'
}

key() { xdotool key --delay 60 "$@" && quiet; }
press() { xdotool mousemove $(pane "$1" "$2" "$3") sleep 0.1 click 1 && quiet; }
say() { xdotool key ctrl+p && xdotool type --delay 30 "$1" && quiet && key Return; }

# picture NAME THEME SIZE FILES -- COMMANDS: opens files, does what is to be done, one command a word, and takes the picture
picture() {
	local name=$1 theme=$2 size=$3 files=()
	shift 3
	while [ $# -gt 0 ] && [ "$1" != -- ]; do files+=("$1") && shift; done
	shift
	[ "$wanted" = "  " ] || [[ $wanted == *" $(basename "$name" .png) "* ]] || return 0
	rm -f "$work/display" && : >"$work/log"
	Xvfb -displayfd 1 -screen 0 "${size}x24" -nolisten tcp >"$work/display" 2>/dev/null &
	server=$!
	until [ -s "$work/display" ]; do sleep 0.1; done
	export DISPLAY=:$(cat "$work/display") LIBGL_ALWAYS_SOFTWARE=1 FYNE_SCALE=1 WAYLAND_DISPLAY=
	(cd "$root/testdata/recordings" && HOME=$work XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache exec "$work/orrery" --event-log "$work/log" --theme "$theme" "${files[@]}") 2>/dev/null &
	app=$!
	until grep -q '"event":"window-shown"' "$work/log"; do sleep 0.1; done
	local id
	id=$(xdotool search --sync --onlyvisible --limit 1 --name Orrery)
	xdotool windowmove "$id" 0 0 windowsize --sync "$id" "${size%x*}" "${size#*x}" windowfocus --sync "$id"
	until [ "$(grep -c '"event":"document-opened"' "$work/log" || true)" = ${#files[@]} ]; do sleep 0.1; done
	[ ${#files[@]} = 0 ] || until grep -q '"event":"document-drawn"' "$work/log"; do sleep 0.1; done
	quiet
	for c; do eval "$c"; done
	quiet
	import -window root png:- | convert - -dither None -colors 255 "PNG8:$name"
	xdotool key ctrl+q
	wait "$app" || true
	kill "$server" && wait "$server" 2>/dev/null || true
	app= server= && rm -rf "$work/config"
	echo "$(basename "$name")"
}

picture "$root/assets/pictures/window.png" dark 1600x1000 list.orr -- "press timeline 0.5 0.5" "key F8"
picture "$out/welcome.png" light 1280x800 --
picture "$out/cycles.png" dark 1280x800 bubble-vector-shuffled.orr -- "key n" "key n" "key n" "press timeline 0.7 0.5"
picture "$out/loops.png" light 1280x800 mpm-5.orr -- "press timeline 0.8 0.5" "key n"
picture "$out/caches.png" dark 1280x800 matmul-standard.orr -- "press timeline 0.4 0.5" "key 6"
picture "$out/change.png" light 1280x800 matmul-standard.orr matmul-transposed.orr -- "key ctrl+shift+d" "xdotool mousemove 359 725 sleep 0.1 click 1 && quiet" "press timeline 0.5 0.5" "press source 0.4 0.79"
picture "$out/heap.png" dark 1280x800 list.orr -- "press timeline 0.8 0.5" "press heap 0.6 0.5"
picture "$out/findings.png" light 1280x800 habits-structs.orr -- "key F8"
picture "$out/designs.png" dark 1280x800 motion-jpeg -- "quiet"
picture "$out/code.png" light 1280x800 gomatmul.orr -- "key F8" "key g"
