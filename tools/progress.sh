# Sourced by the scripts of this project: how they say what they are doing.
#
#   step LABEL LOG COMMAND...   runs COMMAND, its output in LOG; shows LABEL with the elapsed time,
#                               and the log only if the command fails.
#
# Everything is written to stderr, so that a script's stdout stays free for its result. On a terminal one line
# is rewritten each second; elsewhere (CI logs) a line appears every ten seconds, the first after two.
# The command runs in the foreground, so that Ctrl-C reaches it; only the clock is in the background.

say() { printf '%s\n' "$*" >&2; }

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# How far the command has come, where its log from byte $2 on tells: ninja's [n/m], or a line "progress: ...".
progress_of() {
  tail -c +"$2" "$1" 2>/dev/null | tail -c 2000 | tr '\r' '\n' | grep -aoE '^\[[0-9]+/[0-9]+\]|^progress: .*' | tail -n 1 | sed 's/^progress: //'
}

clock() {
  local label=$1 log=$2 started=$SECONDS elapsed begin
  begin=$(($(stat -c %s "$log") + 1))
  while sleep 1 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    elapsed=$((SECONDS - started))
    if [ -t 2 ]; then
      printf '\r\033[K%s  %d s %s' "$label" "$elapsed" "$(progress_of "$log" "$begin")" >&2
    elif [ "$elapsed" -eq 2 ] || [ $((elapsed % 10)) -eq 0 ]; then
      say "$label  $elapsed s $(progress_of "$log" "$begin")"
    fi
  done
}

step() {
  local label=$1 log=$2 started=$SECONDS clock_pid status=0
  shift 2
  : >>"$log"
  [ -t 2 ] && printf '%s' "$label" >&2 || say "$label"
  clock "$label" "$log" &
  clock_pid=$!
  "$@" >>"$log" 2>&1 </dev/null || status=$?
  kill "$clock_pid" 2>/dev/null
  wait "$clock_pid" 2>/dev/null
  [ -t 2 ] && printf '\r\033[K' >&2
  if [ "$status" -eq 0 ]; then
    say "$label  done in $((SECONDS - started)) s"
  else
    say "$label  FAILED after $((SECONDS - started)) s (exit code $status); the end of its log:"
    grep -vaE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating)|^progress: ' "$log" | tail -n 60 >&2
    say "(all of it: $log)"
  fi
  return "$status"
}
