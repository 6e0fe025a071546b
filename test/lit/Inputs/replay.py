#!/usr/bin/env python3
"""Replays random traces under PredRace and compares with the oracle.

    replay.py REPLAY [--traces N] [--seed S]

For each trace of test/oracle/gen.py that Inputs/replay.cpp can perform:
  (1) the run ends with 66 if it reported, else with 0, and never hangs;
  (2) the recorded trace has as many racy variables as the trace itself, for hb and for cp
      (the filter may drop events, never a racy variable);
  (3) something is reported if hb has a race in the recorded trace, and nothing if neither hb has one nor
      any schedule shows one (osr, syncp or m2, where there are too many events for an exhaustive search);
  (4) with predict=0, `data race` is reported if and only if hb has a race. (With prediction, a report on the
      same two code locations may have come first, and there is one report for a pair of locations.)
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ORACLE = pathlib.Path(__file__).resolve().parents[2] / "oracle"
sys.path.insert(0, str(ORACLE))
import gen  # noqa: E402

PLAIN = {"r", "w", "ar", "aw", "au", "acq", "rel", "racq", "rrel", "fork", "join"}


def events(lines):
    out = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            thread, rest = line.strip().split("|")[:2]
            op, _, target = rest.partition("(")
            out.append((thread, op, target.rstrip(")")))
    return out


def performable(lines):
    """No hard or kept order, no lock that the performing thread could be stuck on, everything released."""
    held = 0
    for _, op, _ in events(lines):
        if op not in PLAIN:
            return False
        held += {"acq": 1, "racq": 1, "rel": -1, "rrel": -1}.get(op, 0)
    return held == 0


def racy_variables(relation, path):
    pairs = subprocess.run([sys.executable, ORACLE / "oracle.py", relation, path], capture_output=True, text=True)
    if pairs.returncode != 0:
        raise SystemExit(f"oracle.py {relation} refuses {path}: {pairs.stderr}")
    all_events = events(open(path))
    return {all_events[int(line.split()[1])][2] for line in pairs.stdout.splitlines() if line[:1].isdigit()}


def schedulable(path):
    relations = ["predictable"] if len(events(open(path))) <= 25 else ["osr", "syncp", "m2"]
    return any(racy_variables(relation, path) for relation in relations)


def run(program, path, record, predict):
    pathlib.Path(record).unlink(missing_ok=True)
    env = dict(os.environ, PREDRACE_OPTIONS=f"record={record}:check_online=1:predict={predict}")
    return subprocess.run([program, path], capture_output=True, text=True, timeout=60, env=env)


def check(program, path, record):
    """What is wrong with this trace, or None."""
    for predict in 1, 0:
        done = run(program, path, record, predict)
        reported = "WARNING: PredRace: " in done.stderr
        if done.returncode != (66 if reported else 0):
            return f"exit code {done.returncode}\n{done.stderr}"
        if "online and offline differ" in done.stderr:
            return done.stderr
        hb, cp = racy_variables("hb", record), racy_variables("cp", record)
        for relation, seen in ("hb", hb), ("cp", cp):
            expected = racy_variables(relation, path)
            if len(seen) != len(expected):
                return f"{relation}: {len(expected)} racy variables in the trace, {len(seen)} in its recording {sorted(seen)}"
        if hb and not reported:
            return f"hb has races on {sorted(hb)}, but PredRace said:\n{done.stderr}"
        if reported and not hb and not (predict and schedulable(record)):
            return f"a report without a race:\n{done.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--traces", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    seed, done, bad = args.seed, 0, 0
    with tempfile.TemporaryDirectory() as directory:
        path, record = os.path.join(directory, "trace.std"), os.path.join(directory, "record.std")
        while done < args.traces:
            seed += 1
            shape = {"mode": "chain"} if seed % 2 else {"threads": 3, "locks": 3, "vars": 3, "events": 30, "depth": 2}
            lines = list(gen.gen(seed=seed, **shape))
            if not performable(lines):
                continue
            pathlib.Path(path).write_text("\n".join(lines) + "\n")
            done += 1
            wrong = check(args.program, path, record)
            if wrong:
                bad += 1
                print(f"seed {seed}: {wrong}\nthe trace:\n" + "\n".join(lines))
                if os.path.exists(record):
                    print("its recording:\n" + open(record).read())
    print(f"{done} traces, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
