#!/usr/bin/env python3
"""
compare.py - the engines against the definitions in oracle.py, on random traces.

    python3 compare.py --verdicts BIN [--engines A,B] [--traces N] [--seed S] [--batch B]
                       [--jobs J] [--sound] [--long] [--small] [--live] [-- OPTIONS OF BIN]

For each trace and each engine of the program:
  hb shb cp wcp syncp osr m2   the racy events are the oracle's, the pairs are among the oracle's, and a
                     pair is marked unordered exactly if it is an HB race
  shb syncp osr m2   on small traces the pairs are also `predictable`: an exhaustive search finds them;
                     those that give witnesses give one for each pair, and the checker accepts it
  fasttrack goldilocks raptor   the racy variables, and the first racy event of each, are those of
                     hb or cp
  eraser             the variables are the oracle's
  cp                 also: HB's racy events are found through its marks, first races are marked
With --sound only that no reported pair is not a race (what is left when a limit among the options
makes the engine add order). With --long traces have some hundred events, only cp (with hb) and wcp are
compared, and cp's reference is cp_online.py, the plain form of the algorithm. With --small they have
at most 25 events, so that every one is searched. With --live they are changed as a live run may: an
access that the thread repeats without synchronisation is dropped, plain accesses are told at any moment
between their thread's neighbours; what `online` then reports must be true of the trace itself. Prints progress and `N traces, M mismatches`; exit code 1 if M > 0.
"""
import argparse, multiprocessing, os, random, subprocess, sys, time
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cp_online, gen, oracle

BIN, SOUND, LONG, SMALL, LIVE = [], False, False, False, False
SEARCHED = 25                                      # events up to which `predictable` is asked
PAIRS = {'shb': oracle.shb_races, 'wcp': oracle.wcp_races, 'syncp': oracle.syncp_races,
         'osr': oracle.osr_races, 'm2': oracle.m2_races}
SCHEDULABLE = {'shb', 'syncp', 'osr', 'm2', 'online'}
WITNESSED = {'syncp', 'osr', 'm2'}
SAME_AS = {'fasttrack': oracle.hb_races, 'goldilocks': oracle.hb_races, 'raptor': oracle.cp_races}


def parse(line):
    """one line of `verdicts` -> {engine: [(i, j, flags)]}"""
    if line.startswith('error'):
        raise ValueError(line)
    out = {}
    for part in line.split('|'):
        words = part.split()
        out[words[0]] = [(int(i), int(j), f) for i, j, f in (w.split(':') for w in words[2:])]
    return out


def at_file(tr, pairs):
    return {(tr.orig[i], tr.orig[j]) for i, j in pairs}


def judge_hb(tr, got, hb):
    plain = {(i, j) for i, j, _ in got}
    if not plain <= hb or not SOUND and {j for _, j in plain} != {j for _, j in hb}:
        return ['hb: %s' % sorted(plain ^ hb)]
    return []


def judge_pairs(name, tr, got, hb, predictable):
    """an engine that is exact about racy events"""
    want, pairs, wrong = at_file(tr, PAIRS[name](tr)), {(i, j) for i, j, _ in got}, []
    if len(pairs) != len(got):
        wrong.append('%s: a pair twice' % name)
    if not pairs <= want:
        wrong.append('%s: no race: %s' % (name, sorted(pairs - want)))
    if not SOUND and {j for _, j in pairs} != {j for _, j in want}:
        wrong.append('%s: racy events differ: %s' % (name, sorted({j for _, j in pairs} ^ {j for _, j in want})))
    for i, j, f in got:
        if ('u' in f) != ((i, j) in hb):
            wrong.append('%s: (%d, %d) is marked %r' % (name, i, j, f))
        if name in WITNESSED and 'w' not in f:
            wrong.append('%s: (%d, %d) has no good witness: %r' % (name, i, j, f))
    if name in SCHEDULABLE and predictable is not None and not pairs <= predictable:
        wrong.append('%s: no schedule shows %s' % (name, sorted(pairs - predictable)))
    return wrong


def judge_first(name, tr, got, place):
    """an engine that is exact about racy variables and their first racy events"""
    want, first, seen = at_file(tr, SAME_AS[name](tr)), {}, {}
    for i, j in sorted(want, key=lambda p: p[1]):
        first.setdefault(tr.tgt[place[j]], j)
    for i, j, _ in sorted(got, key=lambda p: p[1]):
        x = tr.tgt[place[j]]
        if seen.setdefault(x, j) == j and j == first.get(x) and (i, j) not in want:
            return ['%s: (%d, %d) is no race' % (name, i, j)]
    if SOUND:
        return ['%s: %s is not racy' % (name, x) for x in seen if x not in first]
    return ['%s: first races are %s, not %s' % (name, seen, first)] if seen != first else []


def judge_online(got, hb, predictable, osr):
    """data races are HB's, whatever else is reported has a schedule; with a window for the whole trace (not
    --sound) OSR's races are among them, and all of HB's racy events"""
    pairs, wrong = {(i, j) for i, j, _ in got}, []
    if len(pairs) != len(got):
        wrong.append('online: a pair twice')
    for i, j, f in got:
        if ('u' in f) != ((i, j) in hb):
            wrong.append('online: (%d, %d) is marked %r' % (i, j, f))
        if 'u' not in f and 'w' not in f:
            wrong.append('online: (%d, %d) has no good witness: %r' % (i, j, f))
        if 'u' not in f and predictable is not None and (i, j) not in predictable:
            wrong.append('online: no schedule shows (%d, %d)' % (i, j))
    if not SOUND and {j for _, j in hb} != {j for i, j, f in got if 'u' in f}:
        wrong.append('online: data races differ')
    if osr is not None and not SOUND and not {(i, j) for i, j, _ in osr} <= pairs:
        wrong.append('online: osr also has %s' % sorted({(i, j) for i, j, _ in osr} - pairs))
    return wrong


def judge_eraser(tr, got, place):
    want, seen = set(oracle.eraser_vars(tr)), {tr.tgt[place[j]] for _, j, _ in got}
    right = seen <= want if SOUND else seen == want
    return [] if right else ['eraser: %s, not %s' % (sorted(seen), sorted(want))]


def judge(lines, verdict):
    """list of what is wrong with the engines' verdict on this trace"""
    tr = oracle.Trace(lines)
    orders = oracle.Orders(tr)
    hb = at_file(tr, ((i, j) for i, j in tr.conflicting_pairs() if not orders.hb_pred[j] >> i & 1))
    place = {}                                     # file index -> an event of it
    for i in range(tr.n):
        place[tr.orig[i]] = i
    try:
        got = parse(verdict)
    except ValueError as e:
        return [str(e)]
    predictable = None
    if tr.n <= SEARCHED and SCHEDULABLE & got.keys():
        predictable = at_file(tr, oracle.predictable_races(tr))
    wrong = []
    for name, races in got.items():
        if name == 'hb':
            wrong += judge_hb(tr, races, hb)
        elif name == 'cp':
            wrong += judge_cp(tr, orders, races, hb, place)
        elif name == 'eraser':
            wrong += judge_eraser(tr, races, place)
        elif name in PAIRS:
            wrong += judge_pairs(name, tr, races, hb, predictable)
        elif name in SAME_AS:
            wrong += judge_first(name, tr, races, place)
        elif name == 'online':
            wrong += judge_online(races, hb, predictable, got.get('osr'))
        else:
            wrong.append('no oracle for %s' % name)
    return wrong


def judge_cp(tr, orders, got, hb, place):
    succ = orders.cp()
    cp = at_file(tr, ((i, j) for i, j in tr.conflicting_pairs() if not succ[i] >> j & 1))
    wrong = []
    got_pairs = {(i, j) for i, j, _ in got}
    if len(got_pairs) != len(got):
        wrong.append('cp: a pair twice')
    if not got_pairs <= cp:
        wrong.append('cp: no race: %s' % sorted(got_pairs - cp))
    marked = {(i, j) for i, j, f in got if 'u' in f}
    if not marked <= hb:
        wrong.append('cp: ordered: %s' % sorted(marked - hb))
    if SOUND:
        return wrong
    if {j for _, j in got_pairs} != {j for _, j in cp}:
        wrong.append('cp: racy events differ: %s' % sorted({j for _, j in got_pairs} ^ {j for _, j in cp}))
    if marked != got_pairs & hb:
        wrong.append('cp: unordered differs: %s' % sorted(marked ^ (got_pairs & hb)))
    racy = {j for _, j in hb}
    if {j for _, j in marked} != racy:
        wrong.append('cp: hb racy events differ: %s' % sorted({j for _, j in marked} ^ racy))
    first = {}                                     # per variable: its first racy event, latest partner
    for i, j in sorted(cp, key=lambda p: (p[1], -p[0])):
        first.setdefault(tr.tgt[place[j]], j)
    for i, j, f in got:
        if 'f' in f and first[tr.tgt[place[j]]] != j:
            wrong.append('first: (%d, %d) is not' % (i, j))
    for x, j in first.items():
        flags = ''.join(f for _, second, f in got if second == j)
        if 'f' not in flags and 'u' not in flags:
            wrong.append('first: %d is, on %s' % (j, x))
    return wrong


def judge_long(lines, verdict):
    """the same with longer traces: cp against cp_online.py, which hb is to agree with; wcp"""
    tr, got, wrong = oracle.Trace(lines), parse(verdict), []
    if 'cp' in got:
        wrong += judge_long_cp(tr, got['cp'], got['hb'])
    if 'wcp' in got:
        wrong += judge_pairs('wcp', tr, got['wcp'], at_file(tr, oracle.hb_races(tr)), None)
    return wrong


def judge_long_cp(tr, cp, hb):
    want = at_file(tr, cp_online.run(tr).races)
    got = {(i, j) for i, j, _ in cp}
    wrong = []
    if not got <= want:
        wrong.append('cp: no race: %s' % sorted(got - want))
    if {j for _, j in got} != {j for _, j in want}:
        wrong.append('cp: racy events differ: %s' % sorted({j for _, j in got} ^ {j for _, j in want}))
    marked, plain = {j for _, j, f in cp if 'u' in f}, {j for _, j, _ in hb}
    if marked != plain:
        wrong.append('hb: racy events differ: %s' % sorted(marked ^ plain))
    return wrong


def churn(R):
    """many short threads, several at a time, forked and joined by one another: lanes are reused"""
    alive, held, holder, out, made = ['T0'], {'T0': []}, {}, [], 1
    locks, variables = R.randint(1, 3), R.randint(1, 3)
    pjoin, size = R.choice([0.05, 0.3]), R.randint(30, 90)
    while len(out) < size:
        t, z = R.choice(alive), R.random()
        if z < 0.08 and len(alive) < 5:
            u, made = 'T%d' % made, made + 1
            out.append((t, 'fork', u)); alive.append(u); held[u] = []
        elif z < 0.08 + pjoin:
            done = [u for u in alive if u not in (t, 'T0') and not held[u]]
            if done:
                u = R.choice(done)
                if R.random() < 0.5:
                    out.append((u, 'end', ''))
                if any(e[0] == u for e in out):
                    out.append((t, 'join', u)); alive.remove(u)
                elif out[-1][1] == 'end':
                    out.pop()
        elif z < 0.6:
            free = [l for l in range(locks) if l not in holder]
            if held[t] and R.random() < 0.6:
                l = held[t].pop(); del holder[l]
                out.append((t, 'rel', 'l%d' % l))
            elif free:
                l = R.choice(free); holder[l] = t; held[t].append(l)
                out.append((t, 'acq', 'l%d' % l))
        elif z < 0.66:
            out.append((t, R.choice(['snd', 'rcv', 'at', 'au']), R.choice('ab')))
        else:
            out.append((t, R.choice('rww'), 'x%d' % R.randrange(variables)))
    return ['%s|%s(%s)|%d' % (t, o, x, i + 1) if x else '%s|%s|%d' % (t, o, i + 1) for i, (t, o, x) in enumerate(out)]


def traces(seed, count):
    R = random.Random(seed)
    for _ in range(count):
        if LONG:
            yield gen.gen(**gen.random_params(R, emin=200, emax=1200, tmax=8, lmax=8, dmax=4, chain=0, fork=0.4,
                                              ext=R.choice([0, 0.2, 0.5])))
        elif SMALL:
            yield gen.gen(**gen.random_params(R, emin=8, emax=SEARCHED - 5, ext=R.choice([0, 0.5])))
        elif R.random() < 0.15:
            yield churn(R)
        else:
            yield gen.gen(**gen.random_params(R, ext=R.choice([0, 0, 0.2, 0.5])))


def verdicts(texts):
    feed = ''.join('\n'.join(t) + '\n===\n' for t in texts)
    out = subprocess.run(BIN, input=feed, capture_output=True, text=True)
    lines = out.stdout.splitlines()
    if out.returncode or len(lines) != len(texts):
        raise RuntimeError('%s: exit %d after %d of %d traces: %s' % (BIN[0], out.returncode, len(lines), len(texts), out.stderr))
    return lines


def as_told(text, R):
    """what a live run tells of a trace: (lines, the place in the trace of each)"""
    kept, covered = [], {}                         # covered: thread -> {variable: has written}
    events = [l.split('|')[:2] for l in text]
    for i, (t, action) in enumerate(events):
        op, _, x = action.rstrip(')').partition('(')
        if op in ('r', 'w'):
            mine = covered.setdefault(t, {})
            if mine.get(x) or (op == 'r' and x in mine):
                continue
            mine[x] = op == 'w'
        else:
            covered[t] = {}
        kept.append((i, t, op in ('r', 'w')))
    nexts, later = {}, {}                          # the thread's next event that is not plain
    for i, t, plain in reversed(kept):
        later[i] = nexts.get(t, min((k for k, (_, a) in enumerate(events) if a == 'join(%s)' % t), default=len(text)))
        if not plain:
            nexts[t] = i
    last, keys = {}, []
    for i, t, plain in kept:
        last[t] = R.uniform(last.get(t, first_of(events, t)), later[i]) if plain else i
        keys.append((last[t], i))
    order = [i for _, i in sorted(keys)]
    return [text[i] for i in order], order


def first_of(events, thread):
    """when the thread can begin"""
    return max((i for i, (_, action) in enumerate(events) if action == 'fork(%s)' % thread), default=-1)


def judge_live(lines, verdict, places):
    """what is reported of the events as told holds of the trace"""
    tr, got, wrong = oracle.Trace(lines), parse(verdict)['online'], []
    hb = at_file(tr, oracle.hb_races(tr))
    real = at_file(tr, oracle.predictable_races(tr)) if any('u' not in f for _, _, f in got) else set()
    for i, j, f in got:
        pair = tuple(sorted((places[i], places[j])))
        if pair not in (hb if 'u' in f else real):
            wrong.append('online: (%d, %d) is no race: %r' % (*pair, f))
    return wrong


def batch(job):
    seed, count = job
    texts = [t for t in traces(seed, count) if not LIVE or len(t) <= SEARCHED - 5]
    if LIVE:
        R = random.Random(seed)
        told = [as_told(t, R) for t in texts]
        said = verdicts([t for t, _ in told])
        bad = [(text, wrong) for text, (_, places), v in zip(texts, told, said) if (wrong := judge_live(text, v, places))]
        return len(texts), sum('u' not in f for v in said for _, _, f in parse(v)['online']), bad
    bad = []
    races = 0
    for text, verdict in zip(texts, verdicts(texts)):
        wrong = (judge_long if LONG else judge)(text, verdict)
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


def start(command, sound, long, small, live):
    global BIN, SOUND, LONG, SMALL, LIVE
    BIN, SOUND, LONG, SMALL, LIVE = command, sound, long, small, live


def main():
    ap = argparse.ArgumentParser(description='engines against the oracle')
    ap.add_argument('--verdicts', required=True, help='the test program `verdicts` of the build')
    ap.add_argument('--engines', help='only these, separated by commas')
    ap.add_argument('--traces', type=int, default=5000)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--batch', type=int, default=250, help='traces per run of the program')
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--sound', action='store_true', help='only that what is reported is a race')
    ap.add_argument('--long', action='store_true', help='longer traces, for hb,cp and wcp')
    ap.add_argument('--small', action='store_true', help='short traces, so that each is searched exhaustively')
    ap.add_argument('--live', action='store_true', help='short traces, told as a live run tells them')
    ap.add_argument('options', nargs='*', help='of the program, after --')
    args = ap.parse_args()
    chosen = 'online' if args.live else args.engines or ('hb,cp,wcp' if args.long else '')
    engines = ['--engines', chosen] if chosen else []
    command = [args.verdicts] + engines + (['--inexact', '1'] if args.live else []) + args.options
    setup = (command, args.sound, args.long, args.small or args.live, args.live)
    start(*setup)
    done, bad = (0, []) if args.live else figures()
    jobs = [(args.seed * 1000003 + k, min(args.batch, args.traces - k)) for k in range(0, args.traces, args.batch)]
    races, last = 0, time.time()
    with multiprocessing.Pool(args.jobs, start, setup) as pool:
        for count, found, wrong in pool.imap_unordered(batch, jobs):
            done, races, bad = done + count, races + found, bad + wrong
            if time.time() - last > 5:
                last = time.time()
                print('%d traces, %d mismatches so far' % (done, len(bad)), flush=True)
    for text, wrong in bad[:5]:
        print('MISMATCH ' + '; '.join(wrong))
        print('\n'.join(text))
    print('%d traces, %d mismatches (%d %s pairs reported)' % (done, len(bad), races, 'predicted' if args.live else 'racing'))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
