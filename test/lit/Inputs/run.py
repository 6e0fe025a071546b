#!/usr/bin/env python3
"""Runs a test program under PredRace and checks how it ended.

    run.py --exit CODE [--reports | --silent] [--no-trace] PROGRAM [ARGUMENT...]

CODE is an exit code or a signal's name. --reports demands at least one report, --silent that PredRace
says nothing. The program's output is passed on, its stdout first. The caller's PREDRACE_OPTIONS are kept;
added are check_online (the engine process compares its live verdicts with an offline analysis of the
same events) and, unless the caller records himself, record; the recorded trace then goes through
`predrace analyze` with the same engine and, when it is short enough for brute force and the engine is one of the
oracle's relations, through oracle.py: all must name the same racy events. A predicted race must be one of the
trace's, found by an exhaustive search where the trace is short enough for that, else by the offline pipeline. The
program is also run with filter=0: what the fast path drops must not change the reports. With --reports or --silent there must be a recording: a run that was not analysed
has no verdict. (--no-trace is for programs without threads, and for an engine that must forget history.) With PREDRACE_LIT_TOOL=tsan the program is a TSan one and only its end and
whether it reports are checked; TSan's name in the output is replaced by ours.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

TIMEOUT = 120           # seconds; programs of the suite take well below one
ORACLE_EVENTS = 250     # brute force is cubic
SEARCHED_EVENTS = 25    # an exhaustive search is exponential
RELATIONS = ("hb", "shb", "wcp", "cp")  # engines that the oracle knows event by event


def fail(text, code=1):
    sys.stdout.flush()
    print(f"run.py: {text}", file=sys.stderr)
    sys.exit(code)


def run(command, options):
    env = dict(os.environ)
    if options:
        env["PREDRACE_OPTIONS"] = options
    # The engine holds our pipe too, so that communicate() also waits for reports after the program's death.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    try:
        out, err = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        fail(f"still running after {TIMEOUT} s: {' '.join(command)}")
    return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


def ended(code):
    return signal.Signals(-code).name if code < 0 else str(code)


def check_trace(path, engine):
    """The offline engine and the oracle name the same racy events of the recorded trace."""
    if not os.path.exists(path):
        fail("no trace was recorded: the run was not analysed")
    events = sum(1 for line in open(path) if line.strip() and not line.startswith("#"))
    predrace = os.path.join(os.environ["PREDRACE_LIT_BIN"], "predrace")
    if not os.path.exists(predrace):
        fail(f"{predrace} is not built, so the recorded trace cannot be checked")
    offline = subprocess.run([predrace, "analyze", f"--engine={engine}", "--format=json", path], capture_output=True, text=True)
    if offline.returncode not in (0, 66):
        fail(f"predrace analyze refuses the recorded trace: {offline.stderr.strip()}")
    result = json.loads(offline.stdout)
    result = result[0] if isinstance(result, list) else result
    if events > ORACLE_EVENTS or engine not in RELATIONS:
        return
    oracle = subprocess.run([sys.executable, os.environ["PREDRACE_LIT_ORACLE"], engine, path], capture_output=True, text=True)
    if oracle.returncode != 0:
        fail(f"oracle.py refuses the recorded trace: {oracle.stderr.strip()}")
    expected = sorted({int(line.split()[1]) for line in oracle.stdout.splitlines() if line[:1].isdigit()})
    if sorted(set(result["racy_events"])) != expected:
        fail(f"the offline engine and the oracle disagree: {result['racy_events']} and {expected}\n" + open(path).read())


def check_predictions(path):
    """Some schedule of the recorded trace shows a race that happens-before does not."""
    events = sum(1 for line in open(path) if line.strip() and not line.startswith("#"))
    if events <= SEARCHED_EVENTS:
        pairs = {}
        for relation in "hb", "predictable":
            done = subprocess.run([sys.executable, os.environ["PREDRACE_LIT_ORACLE"], relation, path], capture_output=True, text=True)
            pairs[relation] = set(done.stdout.splitlines())
        possible = pairs["predictable"] - pairs["hb"]
    else:
        predrace = os.path.join(os.environ["PREDRACE_LIT_BIN"], "predrace")
        done = subprocess.run([predrace, "analyze", "--engine=online", "--format=json", path], capture_output=True, text=True)
        possible = [r for r in json.loads(done.stdout)["races"] if r["kind"] == "predicted data race"]
    if not possible:
        fail("a race is predicted that no schedule of the recorded trace shows\n" + open(path).read())


def kinds(text):
    """What is reported. Not where: of accesses that nothing orders, which one is told first is chance."""
    return set(re.findall(r"WARNING: PredRace: (.*) \(pid", text))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exit", required=True)
    parser.add_argument("--reports", action="store_true")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--no-trace", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    tsan = os.environ.get("PREDRACE_LIT_TOOL") == "tsan"
    given = os.environ.get("PREDRACE_OPTIONS", "")
    trace = not tsan and not args.no_trace and os.environ.get("PREDRACE_LIT_TRACE") == "1" and "record=" not in given

    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "trace.std")
        added = ["check_online=1", f"record={path}"] if trace else []
        code, out, err = run(args.command, ":".join([given] * bool(given) + added))
        name = "ThreadSanitizer" if tsan else "PredRace"
        sys.stdout.write(out)
        sys.stdout.flush()
        sys.stderr.write(err.replace(name, "PredRace"))
        sys.stderr.flush()
        if ended(code) != args.exit:
            fail(f"ended with {ended(code)}, expected {args.exit}")
        if args.reports and f"WARNING: {name}:" not in err:
            fail("no report")
        said = err.replace("PredRace: finishing the analysis...\n", "") + out  # a progress line is no verdict
        if args.silent and name in said:
            fail(f"{name} said something")
        if "online and offline differ" in err:
            fail("the live verdicts and the offline analysis disagree")
        if trace and (args.reports or args.silent):
            chosen = re.search(r"\bengine=(\w+)", given)
            check_trace(path, chosen[1] if chosen else "cp")
            if "predicted data race (pid=" in err:
                check_predictions(path)
            if "filter=" not in given and "engine=eraser" not in given:  # eraser sees chance where no lock is
                _, _, all_told = run(args.command, ":".join([given] * bool(given) + ["filter=0"]))
                if kinds(err) != kinds(all_told):
                    fail(f"with filter=0 the reports are others: {kinds(all_told)}, not {kinds(err)}")


if __name__ == "__main__":
    main()
