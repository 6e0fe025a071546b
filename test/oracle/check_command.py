#!/usr/bin/env python3
"""
check_command.py PREDRACE - the `predrace analyze` command: its JSON against the oracle on every
figure, its exit codes, and its one line for whatever is wrong.
"""
import json, os, subprocess, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle

PREDRACE = sys.argv[1]
FIGURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'figures')
WITNESSED = {'syncp', 'm2', 'osr'}
failures = 0


def run(*arguments, stdin=''):
    r = subprocess.run([PREDRACE, *arguments], input=stdin, capture_output=True, text=True)
    return r.returncode, r.stdout, r.stderr


def expect(what, good):
    global failures
    if not good:
        failures += 1
        print('FAILED: ' + what)


def leads_to(schedule, race, tr):
    """each thread runs from its first event on, and the two accesses are next in theirs; that the schedule can
    be run is for the checker that it went through, and for compare.py"""
    left = {t: [] for t in tr.threads}
    for i in sorted(set(tr.orig)):
        left[tr.thr[tr.orig.index(i)]].append(i)
    for i in schedule or []:
        t = tr.thr[tr.orig.index(i)]
        if left[t].pop(0) != i:
            return False
    return schedule is not None and all(any(events[:1] == [race[k]] for events in left.values()) for k in ('first', 'second'))


names = sorted(n for n in os.listdir(FIGURES) if n.endswith('.std'))
for name in names:
    path = os.path.join(FIGURES, name)
    code, out, err = run('analyze', '--engine=all', '--format=json', '--witnesses=all', path)
    tr = oracle.load(path)
    results = [json.loads(line) for line in out.splitlines()]
    ran = [r['engine'] for r in results]
    expect(name + ': engines', {'hb', 'wcp', 'cp'} | WITNESSED <= set(ran) and len(set(ran)) == len(ran) and not err)
    for r in results:
        if r['engine'] not in oracle.RELATIONS:    # compare.py knows what those are to agree with
            continue
        want = {(tr.orig[i], tr.orig[j]) for i, j in oracle.RELATIONS[r['engine']](tr)}
        got = {(x['first'], x['second']) for x in r['races']}
        expect('%s: %s races' % (name, r['engine']), got <= want)
        expect('%s: %s racy events' % (name, r['engine']),
               r['racy_events'] == sorted({j for _, j in want}) == sorted({j for _, j in got}))
        expect(name + ': counts', r['trace'] == path and r['events'] == max(tr.orig) + 1
               and r['threads'] == len(tr.threads) and r['seconds'] >= 0 and r['peak_rss_kb'] > 0)
        hb = {(tr.orig[i], tr.orig[j]) for i, j in oracle.hb_races(tr)}
        for x in r['races']:
            kind = 'data race' if (x['first'], x['second']) in hb else 'predicted data race'
            expect(name + ': schedule', leads_to(x['witness'], x, tr) if r['engine'] in WITNESSED else x['witness'] is None)
            expect(name + ': race', x['kind'] == kind
                   and x['loc'] == [tr.loc[tr.orig.index(x[k])] for k in ('first', 'second')])
    expect(name + ': exit code', code == (66 if any(r['races'] for r in results) else 0))

code, out, err = run('analyze', '-', stdin='T1|w(x)|1\nT2|w(x)|2\n')
expect('stdin, text', code == 66 and 'data race on x' in out and not err)
code, out, err = run('analyze', '-', stdin='')
expect('empty trace', code == 0 and '0 racing pairs in 0 events' in out)
code, out, err = run('analyze', os.path.join(FIGURES, 'raptor_1b.std'), os.path.join(FIGURES, 'raptor_1a.std'))
expect('several traces', code == 66 and out.count('racing pairs in') == 2)
for arguments, stdin, message in (
        ([], '', 'expected a command'),
        (['frobnicate'], '', "unknown command 'frobnicate'"),
        (['analyze'], '', 'expected a trace'),
        (['analyze', '--engine=foo', 'x'], '', "unknown engine 'foo'"),
        (['analyze', '--format=xml', 'x'], '', "unknown format 'xml'"),
        (['analyze', '--frob', 'x'], '', "unknown option '--frob'"),
        (['analyze', 'no/such/file'], '', 'cannot read no/such/file: No such file'),
        (['analyze', FIGURES], '', 'it is a directory'),
        (['analyze', '-'], 'T1|w(x)|1\nT1|hop(x)|2\n', "<stdin>:2: unknown operation 'hop'")):
    code, out, err = run(*arguments, stdin=stdin)
    expect('predrace %s: %d %r' % (' '.join(arguments), code, err),
           code == 1 and not out and message in err and err.count('\n') == 1)
for arguments in (['--help'], ['--version'], ['analyze', '--help']):
    code, out, err = run(*arguments)
    expect(' '.join(arguments), code == 0 and 'predrace' in out and not err)

print('%d figures, %d failures' % (len(names), failures))
sys.exit(1 if failures else 0)
