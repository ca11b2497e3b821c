#!/bin/sh
# Installs Debian packages where one of some programs, or files by their whole path, is missing, for the scripts beside it.
#
#     need.sh "PROGRAM..." PACKAGE...
set -eu
for program in $1; do
	case $program in
	/*) [ -e "$program" ] || missing=$program ;;
	*) command -v "$program" >/dev/null || missing=$program ;;
	esac
done
[ "${missing:-}" ] || exit 0
shift
echo "$missing is missing: installing $*" >&2
root=$(command -v sudo || true) # root in a container has none
$root apt-get update >&2
$root apt-get install -y "$@" >&2
