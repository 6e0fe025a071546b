#!/usr/bin/env python3
"""Runs a program and checks that its engine process is gone afterwards.

    life.py --exit CODE [--kill program|engine|group] PROGRAM [ARGUMENT...]

CODE is an exit code or a signal's name. We are the reaper of every orphan below us, so the engine, once
nobody's child, becomes ours: there must have been one, and after the program's end all of them must end within
a few seconds, by themselves. Nothing named after us may be left in /dev/shm.
--kill: the program prints "ready" and reads its stdin; then the victim gets SIGKILL (group: the program's
group gets SIGINT), and stdin is closed. The program's stderr is passed on.
"""
import argparse
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 20  # seconds
PR_SET_CHILD_SUBREAPER = 36


def fail(text):
    print(f"life.py: {text}", file=sys.stderr)
    sys.exit(1)


def processes_below(ancestor):
    """{pid: (name, state)} of all processes whose chain of parents leads to us."""
    parents, about = {}, {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            text = open(f"/proc/{name}/stat").read()
        except OSError:
            continue
        head, _, tail = text.rpartition(")")
        state, parent = tail.split()[:2]
        parents[int(name)], about[int(name)] = int(parent), (head.partition("(")[2], state)
    below = {}
    for pid in parents:
        at = pid
        while at in parents and at != ancestor:
            at = parents[at]
        if at == ancestor and pid != ancestor:
            below[pid] = about[pid]
    return below


def engines():
    return [pid for pid, (name, _) in processes_below(os.getpid()).items() if name.startswith("predrace-engine")]


def wait_for_engine():
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = engines()
        if found:
            return found[0]
        os.sched_yield()
    fail("the program has no engine")


def reap(pid):
    """How the program ended, and how many orphans ended meanwhile."""
    orphans = 0
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        done, status = os.waitpid(-1, os.WNOHANG)
        if done == pid:
            return os.waitstatus_to_exitcode(status), orphans
        orphans += done != 0
        if done == 0:
            os.sched_yield()
    os.kill(pid, signal.SIGKILL)
    fail(f"the program still runs after {PATIENCE} s")


def reap_the_rest():
    """How many orphans there were; fails if one stays."""
    orphans = 0
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            done, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return orphans
        orphans += done != 0
        if done == 0:
            os.sched_yield()
    left = processes_below(os.getpid())
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    fail(f"still there {PATIENCE} s after the program's end: {left}")


def shared_memory():
    return {name for name in os.listdir("/dev/shm") if "predrace" in name.lower()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exit", required=True)
    parser.add_argument("--kill", choices=["program", "engine", "group"])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        fail("prctl(PR_SET_CHILD_SUBREAPER) failed")
    # lit runs its tests with SIGINT ignored, which a child would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    before = shared_memory()
    with tempfile.TemporaryFile() as err:
        process = subprocess.Popen(args.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, start_new_session=True)
        if args.kill:
            if process.stdout.readline().strip() != b"ready":
                fail("the program did not say that it is ready")
            engine = wait_for_engine()
            if args.kill == "group":
                os.killpg(process.pid, signal.SIGINT)
            else:
                os.kill(process.pid if args.kill == "program" else engine, signal.SIGKILL)
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        code, orphans = reap(process.pid)
        process.returncode = code
        orphans += reap_the_rest()
        err.seek(0)
        sys.stderr.write(err.read().decode(errors="replace"))
    ended = signal.Signals(-code).name if code < 0 else str(code)
    if ended != args.exit:
        fail(f"ended with {ended}, expected {args.exit}")
    if orphans == 0:
        fail("there was no engine process")
    left = shared_memory() - before
    if left:
        fail(f"left in /dev/shm: {sorted(left)}")


if __name__ == "__main__":
    main()
