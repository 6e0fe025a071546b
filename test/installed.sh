#!/bin/sh
# installed.sh BUILD-DIR: an installed tree works after it was moved, also to a path with a space.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/prefix" "$work/another place"
"$(dirname "$0")/../tools/demo" --no-build --build-dir "$work/another place"
