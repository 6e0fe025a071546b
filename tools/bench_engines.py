"""`tools/bench engines`: what every engine costs. See tools/bench for its use.

build/bench/engine_bench measures engines on traces in memory, one process per run; here are the
targets, the runs of the `predrace` command, and the tables. A target that is missed is marked with
`!` and listed at the end.
"""
import json
import os
import statistics
import subprocess
import sys
import time

ORDINARY = ["ordinary_64", "ordinary_100k"]
REFERENCE = "fasttrack"
# CPU time per event on the ordinary workloads, at most: the reference to `null`, the others to the reference.
REFERENCE_TO_NULL = 4
TO_REFERENCE = {"hb": 2, "shb": 2, "goldilocks": 10, "eraser": 1, "wcp": 3, "cp": 2.5, "syncp": 15, "m2": 300, "osr": 300}
# Events per second that the Java implementations of these engines are published with, and how many times
# faster `predrace analyze` has to be.
PEERS = {"hb": 0.25e6, "fasttrack": 0.25e6, "wcp": 0.07e6}
TO_PEERS = 10
# CPU time of the .std reader to that of `wc -l`, at most.
READER_TO_WC = 4
# Engines that serve as references and may be slow: measured on so many events only.
SHORT = {"raptor": 20000}
GROWTH = [10_000, 100_000, 1_000_000, 10_000_000]
WHOLE_TRACE_GROWTH = 1_000_000
RACES_FOUND = 66  # exit code of `predrace analyze`

MB = 1e6


class Bench:
    def __init__(self, args, progress):
        self.args, self.progress = args, progress
        self.program = args.build / "bench" / "engine_bench"
        self.predrace = args.build / "bin" / "predrace"
        for program in self.program, self.predrace:
            if not program.exists():
                sys.exit(f"bench: {program} does not exist: run tools/build first")
        listed = json.loads(self.call("--list"))
        self.modes = listed["engines"]
        self.engines = args.engine.split(",") if args.engine else list(self.modes)
        for name in self.engines:
            if name not in self.modes and name not in ("null", "cp_hand_over"):
                sys.exit(f"bench: no engine `{name}`; there are {', '.join(self.modes)}")
        self.workloads = args.workload.split(",") if args.workload else [] if args.trace else ORDINARY
        for name in self.workloads:
            if name not in listed["workloads"]:
                sys.exit(f"bench: no workload `{name}`; there are {', '.join(listed['workloads'])}")
        self.files = {}  # (workload, events) -> its .std file, written in this run
        self.missed, self.failed = [], []

    def call(self, *arguments):
        """What engine_bench prints."""
        done = subprocess.run([self.program, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit("bench: engine_bench failed")
        return done.stdout

    def events_for(self, engine, events):
        return min(events, SHORT.get(engine, events))

    def measure(self, source, engines, events, reps):
        """One result per engine, by name. `source`: a workload, or a file, which is taken as a whole."""
        if source not in self.workloads:
            return self.measure_together(["--trace", source], engines, reps)
        results = {}
        for count in sorted({self.events_for(e, events) for e in engines}, reverse=True):
            group = [e for e in engines if self.events_for(e, events) == count]
            results |= self.measure_together(["--workload", source, "--events", count], group, reps)
        return results

    def measure_together(self, trace, engines, reps):
        self.progress(f"{' '.join(map(str, trace[1:]))}: {reps} repetitions of {', '.join(engines)}")
        lines = self.call(*trace, "--engines", ",".join(engines), "--reps", reps, "--limit", self.args.limit)
        results = {r["engine"]: r for r in map(json.loads, lines.splitlines())}
        self.failed += [f"{e} on {trace[1]}: {r['error']}" for e, r in results.items() if "error" in r]
        return results

    def check(self, what, value, limit, at_least=False):
        """Mark for the table: `!` and a line at the end if the target is missed."""
        if limit is None or value is None:
            return " "
        if value >= limit if at_least else value <= limit:
            return " "
        self.missed.append(f"{what}: {value:.2f}, needed {'>=' if at_least else '<='} {limit:g}")
        return "!"

    def engine_tables(self):
        """CPU time and memory on traces in memory, two traces side by side."""
        wanted = ["null", *([REFERENCE] if REFERENCE in self.modes else []), *self.engines]
        engines = list(dict.fromkeys(wanted))
        engines.sort(key=lambda e: list(self.modes).index(e) if e in self.modes else -1)
        sources = self.workloads + self.args.trace
        measured = {s: self.measure(s, engines, self.args.events, self.args.reps) for s in sources}
        self.progress("")
        print(f"CPU time per event, decoding included; peak memory beyond the trace; medians of {self.args.reps}")
        for i in range(0, len(sources), 2):
            self.print_engines(sources[i : i + 2], engines, measured)
        return measured

    def print_engines(self, sources, engines, measured):
        print(f"\n{'':11}" + "".join(f"| {os.path.basename(s) + ', ' + str(measured[s]['null']['events']) + ' events':56}" for s in sources))
        print(f"{'':11}" + "".join(f"| {'ns':>8}{'M/s':>8}{'x null':>8}{'x ' + REFERENCE:>12}{'target':>8}{'MB':>8}    " for _ in sources))
        for engine in engines:
            print(f"{engine:11}" + "".join("| " + self.engine_cells(s, engine, measured[s]) for s in sources).rstrip())

    def engine_cells(self, source, engine, results):
        result = results[engine]
        if "error" in result:
            return f"{result['error']:56}"
        ns, null = result["ns_per_event"], results["null"]["ns_per_event"]
        reference = results.get(REFERENCE, {}).get("ns_per_event")
        to_null, to_reference = ns / null, ns / reference if reference else None
        ordinary = source in ORDINARY
        if engine == REFERENCE:
            limit, unit = REFERENCE_TO_NULL, "xnull"
            mark = self.check(f"{engine} to null on {source}", to_null, limit if ordinary else None)
        else:
            limit, unit = TO_REFERENCE.get(engine), ""
            mark = self.check(f"{engine} to {REFERENCE} on {source}", to_reference, limit if ordinary else None)
        target = f"{limit:g}{unit}" if limit and ordinary else ""
        short = f"{result['events'] // 1000}K" if result["events"] != results["null"]["events"] else ""
        ratio = f"{to_reference:.2f}" if to_reference else "-"
        return f"{ns:8.1f}{1000 / ns:8.2f}{to_null:8.2f}{ratio:>12}{target:>7}{mark}{result['peak_bytes'] / MB:8.2f}{short:>4}"

    def run(self, command):
        """(wall seconds, CPU seconds) of a command."""
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, RACES_FOUND):
            sys.exit(f"bench: `{' '.join(map(str, command))}` ended with {process.returncode}")
        return wall, usage.ru_utime + usage.ru_stime

    def end_to_end(self):
        """`predrace analyze` on a .std file, and the reader alone against `wc -l`."""
        rows = {}
        for source in ORDINARY:
            rows[source] = self.analyze_file(source)
            rows[source]["reader"] = self.reader(source)
        self.progress("")
        print("\nEnd to end: `predrace analyze --engine=E FILE.std`, M events per second of wall time; Java peers as published")
        print(f"{'':11}" + "".join(f"| {s:46}" for s in ORDINARY))
        print(f"{'':11}" + "".join(f"| {'wall s':>9}{'cpu s':>9}{'M/s':>8}{'x peer':>9}{'target':>8}   " for _ in ORDINARY))
        for engine in self.engines:
            if engine in self.modes:
                print(f"{engine:11}" + "".join("| " + self.file_cells(s, engine, rows[s][engine]) for s in ORDINARY).rstrip())
        for source in ORDINARY:
            r = rows[source]["reader"]
            ratio = r["reader_cpu"] / r["wc_cpu"]
            mark = self.check(f"reader to `wc -l` on {source}", ratio, READER_TO_WC)
            print(f"reader alone, {source}: {r['reader_cpu'] * 1000:.1f} ms CPU, {r['events'] / r['reader_cpu'] / 1e6:.1f} M events/s; "
                  f"`wc -l` {r['wc_cpu'] * 1000:.1f} ms; ratio {ratio:.2f} (target {READER_TO_WC}){mark}")
        return rows

    def file_for(self, source, events):
        key = source, events
        if key not in self.files:
            path = self.args.build / "bench" / f"{source}.{events}.std"
            self.progress(f"writing {path.name}")
            self.call("--write", path, "--workload", source, "--events", events)
            self.files[key] = path
        return self.files[key]

    def analyze_file(self, source):
        engines = [e for e in self.engines if e in self.modes]
        samples = {e: [] for e in engines}
        for rep in range(self.args.reps):
            for engine in engines:
                self.progress(f"analyze {source}: repetition {rep + 1} of {self.args.reps} ({engine})")
                path = self.file_for(source, self.events_for(engine, self.args.events))
                samples[engine].append(self.run([self.predrace, "analyze", f"--engine={engine}", path]))
        return {e: {"events": self.events_for(e, self.args.events), "wall": statistics.median(s[0] for s in samples[e]),
                    "cpu": statistics.median(s[1] for s in samples[e])} for e in engines}

    def file_cells(self, source, engine, row):
        speed, peer = row["events"] / row["wall"], PEERS.get(engine)
        ratio = speed / peer if peer else None
        mark = self.check(f"{engine} to its peer on {source}.std", ratio, TO_PEERS, at_least=True)
        return f"{row['wall']:9.3f}{row['cpu']:9.3f}{speed / 1e6:8.2f}" + (f"{ratio:9.1f}{TO_PEERS:>7}{mark}   " if peer else f"{'-':>9}{'':11}")

    def reader(self, source):
        path = self.file_for(source, self.args.events)
        reads, counts = [], []
        for rep in range(self.args.reps):
            self.progress(f"reader {source}: repetition {rep + 1} of {self.args.reps}")
            reads.append(json.loads(self.call("--read", path, "--reps", 1)))
            counts.append(self.run(["wc", "-l", path])[1])
        return {"events": reads[0]["events"], "reader_cpu": statistics.median(r["seconds"] for r in reads), "wc_cpu": statistics.median(counts)}

    def growth(self):
        """Speed and memory as traces get longer."""
        measured = {}
        for source in self.workloads:
            measured[source] = {n: self.measure(source, self.growing(n), n, self.args.reps if n <= 1_000_000 else 1) for n in GROWTH}
        self.progress("")
        for source, by_size in measured.items():
            print(f"\nGrowth on {source}: M events/s, peak MB beyond the trace, MB by the engine's own count")
            print(f"{'':11}" + "".join(f"| {f'{n:,} events':26}" for n in GROWTH))
            for engine in self.engines:
                print(f"{engine:11}" + "".join("| " + self.growth_cells(by_size[n].get(engine)) for n in GROWTH).rstrip())
        return measured

    def growing(self, events):
        return [e for e in self.engines
                if events <= SHORT.get(e, events) and (self.modes.get(e) != "whole trace" or events <= WHOLE_TRACE_GROWTH)]

    def growth_cells(self, result):
        if result is None or "error" in result:
            return f"{'-' if result is None else result['error']:26}"
        return f"{1000 / result['ns_per_event']:8.2f}{result['peak_bytes'] / MB:8.2f}{result['engine_bytes'] / MB:8.2f}  "


def run(args, progress):
    bench = Bench(args, progress)
    everything = {"events": args.events, "reps": args.reps, "engines": bench.engine_tables()}
    if bench.workloads == ORDINARY:
        everything["end_to_end"] = bench.end_to_end()
    if args.growth:
        everything["growth"] = bench.growth()
    for line in bench.missed:
        print(f"! missed: {line}")
    for line in bench.failed:
        print(f"failed: {line}", file=sys.stderr)
    if args.json:
        args.json.write_text(json.dumps({**everything, "missed": bench.missed, "failed": bench.failed}, indent=1) + "\n")
    return 1 if bench.failed else 0
