#!/usr/bin/env python3
"""startup.py NATIVE CHECKED --limit-ms N: runs both programs in turn; the fastest run of CHECKED may take at
most N ms longer than the fastest of NATIVE. (The fastest, because a busy machine only ever adds.)"""
import argparse
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("native")
parser.add_argument("checked")
parser.add_argument("--limit-ms", type=float, required=True)
parser.add_argument("--runs", type=int, default=30)
args = parser.parse_args()


def seconds(program):
    start = time.perf_counter()
    subprocess.run([program], check=True)
    return time.perf_counter() - start


times = [(seconds(args.native), seconds(args.checked)) for _ in range(args.runs)]
native, checked = (1000 * min(t[i] for t in times) for i in range(2))
print(f"native {native:.2f} ms, checked {checked:.2f} ms, limit {args.limit_ms} ms more")
sys.exit(0 if checked - native <= args.limit_ms else 1)
