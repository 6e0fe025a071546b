#!/usr/bin/env python3
"""repeat.py N PREDICTED SILENT: runs two programs N times each. The first must report exactly one
predicted race every time, the second, with predict=cp, must never say a word."""
import os
import subprocess
import sys

count, predicted, silent = int(sys.argv[1]), sys.argv[2], sys.argv[3]
bad = []
CP = dict(os.environ, PREDRACE_OPTIONS="predict=cp")
for i in range(count):
    a = subprocess.run([predicted], capture_output=True, text=True, timeout=60)
    if a.returncode != 66 or a.stderr.count("WARNING: PredRace: predicted data race") != 1:
        bad.append(f"run {i} of {predicted}: exit code {a.returncode}\n{a.stderr}")
    b = subprocess.run([silent], capture_output=True, text=True, timeout=60, env=CP)
    if b.returncode != 0 or "PredRace" in b.stderr:
        bad.append(f"run {i} of {silent}: exit code {b.returncode}\n{b.stderr}")
for text in bad[:3]:
    print(text)
print(f"{2 * count} runs, {len(bad)} wrong")
sys.exit(1 if bad else 0)
