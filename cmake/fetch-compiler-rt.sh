#!/usr/bin/env bash
# Prints the directory of LLVM 19's compiler-rt sources (sanitizer_common, interception, include) that PredRace
# builds its runtime from; the first time it takes them from Debian's source package `llvm-toolchain-19`.
#
# Invariants:
# (1) The user's apt set-up is neither changed nor relied on beyond its list of mirrors: apt works on a private
#     copy with `deb-src` entries (stock systems have none), and needs no root for it.
# (2) What is unpacked has the checksum below. Upstream's 19 series is closed, so the tarball does not change
#     with Debian's own revisions of the package.
# (3) The cache is outside of the tree, named by the checksum, and complete when it exists (it appears by one
#     rename); several builds may ask at once. Once it is there no network is needed.
set -u
. "$(dirname "$0")/../tools/progress.sh"

VERSION=19.1.7
SHA256=ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce
TARBALL=llvm-toolchain-19_$VERSION.orig.tar.xz

: "${HOME:=$(getent passwd "$(id -u)" | cut -d: -f6)}"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/predrace
sources=$cache/compiler-rt-$VERSION-${SHA256%"${SHA256#????????????}"}

if [ -d "$sources" ]; then
  printf '%s\n' "$sources"
  exit 0
fi

command -v apt-get >/dev/null || die "no apt-get here to fetch compiler-rt with: give -DPREDRACE_COMPILER_RT_DIR=<compiler-rt directory of LLVM $VERSION's sources>"
command -v xz >/dev/null || die "xz is missing (Debian package xz-utils)"
mkdir -p "$cache" || die "cannot write the cache $cache"
exec 9>"$cache/lock"
flock -n 9 || { say "waiting for another build that fetches compiler-rt"; flock 9; }
if [ -d "$sources" ]; then
  printf '%s\n' "$sources"
  exit 0
fi

work=$(mktemp -d "$cache/fetch.XXXXXX") || die "cannot write the cache $cache"
log=$cache/fetch.log
: >"$log"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# The system's mirrors, as sources of source packages: both of apt's formats.
mkdir -p "$work/apt/parts" "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
copied=0
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -r "$list" ] || continue
  sed -nE 's/^[[:space:]]*deb[[:space:]]+/deb-src /p' "$list" >"$work/apt/parts/$copied.list"
  copied=$((copied + 1))
done
for list in /etc/apt/sources.list.d/*.sources; do
  [ -r "$list" ] || continue
  sed -E 's/^Types:.*/Types: deb-src/I' "$list" >"$work/apt/parts/$copied.sources"
  copied=$((copied + 1))
done
find "$work/apt/parts" -size 0 -delete

private_apt() {
  apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/apt/parts" \
    -o Dir::State::Lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o Acquire::Retries=3 "$@"
}

# A broken third-party mirror fails the update as a whole and does not concern us: what counts is whether the
# package is found afterwards.
update_lists() {
  private_apt update
  private_apt source --only-source --print-uris llvm-toolchain-19 >"$work/uris" && grep -F "$TARBALL" "$work/uris"
}
step "Reading Debian's list of source packages" "$log" update_lists ||
  die "Debian's source package of $TARBALL is not on this system's mirrors (no network?); or give -DPREDRACE_COMPILER_RT_DIR=<compiler-rt directory of LLVM $VERSION's sources>"

download() {
  (
    while sleep 2 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
      echo "progress: $(du -sm "$work" 2>/dev/null | cut -f1) of 157 MB"
    done
  ) &
  local watcher=$! status=0
  (cd "$work" && private_apt source --only-source --download-only --tar-only llvm-toolchain-19) || status=$?
  kill "$watcher"
  return "$status"
}
step "Downloading $TARBALL (157 MB, once)" "$log" download || die "the download failed"

verify_and_unpack() {
  echo "$SHA256  $work/$TARBALL" | sha256sum --check - || return 1
  mkdir "$work/tree"
  tar -xJf "$work/$TARBALL" -C "$work/tree" --strip-components=2 --wildcards --no-same-owner \
    --exclude='*/tests' \
    '*/compiler-rt/LICENSE.TXT' '*/compiler-rt/include/*' \
    '*/compiler-rt/lib/sanitizer_common/*' '*/compiler-rt/lib/interception/*' || return 1
  [ -f "$work/tree/lib/sanitizer_common/sanitizer_common.h" ] || return 1
  printf '%s  %s\n' "$SHA256" "$TARBALL" >"$work/tree/SHA256SUM"
}
step "Unpacking sanitizer_common from it" "$log" verify_and_unpack ||
  die "$TARBALL is not what was expected (sha256 $SHA256)"

chmod 755 "$work/tree"
mv -T "$work/tree" "$sources" || die "cannot write $sources"
printf '%s\n' "$sources"
