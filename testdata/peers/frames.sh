#!/bin/sh
# Measures what the interface's thread has to do for a frame while the pointer goes through everything in the real window (median, 99th
# percentile and longest, milliseconds of processor time), on a shipped recording at both sizes, and on the recording named, if any.
# Frames are drawn by the software's OpenGL here; where there is a graphics card the same thread has less to do.
# usage: testdata/peers/frames.sh [a long recording]
# Needs Go, xvfb, xauth, xdotool, imagemagick and libgl1-mesa-dri.
set -eu

cd "$(dirname "$0")/../.."
for screen in 1280 1920; do
	echo "list.orr, $screen pixels wide:"
	ORRERY_SCREEN=$screen go test ./app/e2e -run '^$' -bench Frames -benchtime 2x
done
if [ $# -gt 0 ]; then
	echo "$1:"
	ORRERY_RECORDING=$(realpath "$1") go test ./app/e2e -run '^$' -bench Frames -benchtime 2x
fi
