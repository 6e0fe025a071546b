#!/bin/sh
# link-archive.sh LD LLVM_BIN ARCHIVE OBJECT...: makes the runtime's archive from its
# objects, and ARCHIVE.syms, the list of symbols that programs export to their
# shared libraries.
set -eu
ld=$1 llvm=$2 archive=$3
shift 3
work=$(mktemp -d "$archive.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Without --force-group-allocation, COMDAT groups would keep their local twins apart.
"$ld" -r --force-group-allocation -o "$work/predrace_rt.o" "$@"
"$llvm/llvm-readelf" -sW "$work/predrace_rt.o" |
  awk '$5 != "LOCAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' |
  grep -vE '^(__sanitizer_|__sancov|_ZN11__sanitizer|_ZN14__interception|_ZN10__predrace)' |
  sort -u >"$work/public"
"$llvm/llvm-objcopy" --keep-global-symbols="$work/public" "$work/predrace_rt.o"
"$llvm/llvm-ar" rcs "$work/archive" "$work/predrace_rt.o"
{ echo '{'; sed 's/.*/  &;/' "$work/public"; echo '};'; } >"$work/syms"
mv "$work/syms" "$archive.syms"
mv "$work/archive" "$archive"
