#!/usr/bin/env python3
"""
compare.py - the engines against the definitions in oracle.py, on random traces.

    python3 compare.py --verdicts BIN [--traces N] [--seed S] [--batch B] [--jobs J] [--figures]

For each trace: CP's racy events are the oracle's, its pairs are among the oracle's, a pair is
marked unordered exactly if it is an HB race, HB's racy events are the oracle's (from CP's
marks and from the HB engine), and a pair is marked must-ordered exactly if the order of
must_order() below holds it. Prints progress and `N traces, M mismatches`; exit code 1 if M > 0.
"""
import argparse, multiprocessing, os, random, subprocess, sys, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gen, oracle

BIN = None


def must_order(tr):
    """per event the set (bits) of events before it in every reordering, its own reads-from not
    counted: thread order, fork/join, snd/rcv, the kept order of at and atomics, reads-from"""
    closed, before = [], []                        # closed: with the event's own reads-from
    for i in range(tr.n):
        p = 0
        for a in tr.to_pred[i]:
            p |= closed[a]
        before.append(p)
        if tr.rf[i] is not None:
            p |= closed[tr.rf[i]]
        closed.append(p | 1 << i)
    return before


def parse(line):
    """one line of `verdicts` -> {engine: [(i, j, flags)]}"""
    if line.startswith('error'):
        raise ValueError(line)
    out = {}
    for part in line.split('|'):
        words = part.split()
        out[words[0]] = [(int(i), int(j), f) for i, j, f in (w.split(':') for w in words[2:])]
    return out


def judge(lines, verdict):
    """list of what is wrong with the engines' verdict on this trace"""
    tr = oracle.Trace(lines)
    orders = oracle.Orders(tr)
    succ = orders.cp()
    pairs = tr.conflicting_pairs()
    at = tr.orig
    cp = {(at[i], at[j]) for i, j in pairs if not succ[i] >> j & 1}
    hb = {(at[i], at[j]) for i, j in pairs if not orders.hb_pred[j] >> i & 1}
    before = must_order(tr)
    place = {}                                     # file index -> an event of it
    for i in range(tr.n):
        place[at[i]] = i
    wrong = []
    try:
        got = parse(verdict)
    except ValueError as e:
        return [str(e)]
    got_pairs = {(i, j) for i, j, _ in got['cp']}
    if len(got_pairs) != len(got['cp']):
        wrong.append('cp: a pair twice')
    if not got_pairs <= cp:
        wrong.append('cp: no race: %s' % sorted(got_pairs - cp))
    if {j for _, j in got_pairs} != {j for _, j in cp}:
        wrong.append('cp: racy events differ: %s' % sorted({j for _, j in got_pairs} ^ {j for _, j in cp}))
    marked = {(i, j) for i, j, f in got['cp'] if 'u' in f}
    if marked != got_pairs & hb:
        wrong.append('cp: unordered differs: %s' % sorted(marked ^ (got_pairs & hb)))
    racy = {j for _, j in hb}
    if {j for _, j in marked} != racy:
        wrong.append('cp: hb racy events differ: %s' % sorted({j for _, j in marked} ^ racy))
    plain = {(i, j) for i, j, _ in got['hb']}
    if not plain <= hb or {j for _, j in plain} != racy:
        wrong.append('hb: %s' % sorted(plain ^ hb))
    for i, j, f in got['cp']:
        if ('m' in f) != bool(before[place[j]] >> place[i] & 1):
            wrong.append('must: (%d, %d) is marked %r' % (i, j, f))
    first = {}                                     # per variable: its first racy event, latest partner
    for i, j in sorted(cp, key=lambda p: (p[1], -p[0])):
        first.setdefault(tr.tgt[place[j]], j)
    for i, j, f in got['cp']:
        if 'f' in f and first[tr.tgt[place[j]]] != j:
            wrong.append('first: (%d, %d) is not' % (i, j))
    return wrong


def traces(seed, count):
    R = random.Random(seed)
    for _ in range(count):
        yield gen.gen(**gen.random_params(R, ext=R.choice([0, 0.2, 0.5])))


def verdicts(texts):
    feed = ''.join('\n'.join(t) + '\n===\n' for t in texts)
    out = subprocess.run([BIN], input=feed, capture_output=True, text=True)
    lines = out.stdout.splitlines()
    if out.returncode or len(lines) != len(texts):
        raise RuntimeError('%s: exit %d after %d of %d traces: %s' % (BIN, out.returncode, len(lines), len(texts), out.stderr))
    return lines


def batch(job):
    seed, count = job
    texts = list(traces(seed, count))
    bad = []
    races = 0
    for text, verdict in zip(texts, verdicts(texts)):
        wrong = judge(text, verdict)
        races += verdict.count(':') // 2
        if wrong:
            bad.append((text, wrong))
    return count, races, bad


def figures():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'figures')
    bad, names = [], sorted(n for n in os.listdir(folder) if n.endswith('.std'))
    texts = [[l for l in open(os.path.join(folder, n)).read().splitlines()] for n in names]
    for name, text, verdict in zip(names, texts, verdicts(texts)):
        wrong = judge(text, verdict)
        if wrong:
            bad.append((['# ' + name] + text, wrong))
    return len(names), bad


def start(binary):
    global BIN
    BIN = binary


def main():
    ap = argparse.ArgumentParser(description='engines against the oracle')
    ap.add_argument('--verdicts', required=True, help='the test program `verdicts` of the build')
    ap.add_argument('--traces', type=int, default=5000)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--batch', type=int, default=250, help='traces per run of the program')
    ap.add_argument('--jobs', type=int, default=2)
    args = ap.parse_args()
    start(args.verdicts)
    done, bad = figures()
    jobs = [(args.seed * 1000003 + k, min(args.batch, args.traces - k)) for k in range(0, args.traces, args.batch)]
    races, last = 0, time.time()
    with multiprocessing.Pool(args.jobs, start, (args.verdicts,)) as pool:
        for count, found, wrong in pool.imap_unordered(batch, jobs):
            done, races, bad = done + count, races + found, bad + wrong
            if time.time() - last > 5:
                last = time.time()
                print('%d traces, %d mismatches so far' % (done, len(bad)), flush=True)
    for text, wrong in bad[:5]:
        print('MISMATCH ' + '; '.join(wrong))
        print('\n'.join(text))
    print('%d traces, %d mismatches (%d racing pairs reported)' % (done, len(bad), races))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
