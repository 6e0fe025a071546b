#!/usr/bin/env python3
"""
check_bad_input.py PREDRACE - whatever it is given, the `predrace` command does its work or says in
one line what is wrong, and returns the right exit code. Also what `convert` and `info` make of
good input.
"""
import json, os, resource, subprocess, sys, tempfile
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle

PREDRACE = os.path.abspath(sys.argv[1])
FIGURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'figures')
GOOD = b'T1|w(x)|1\nT2|w(x)|2\n'
failures = checks = 0


def run(*arguments, stdin=b'', **more):
    r = subprocess.run([PREDRACE, *arguments], input=stdin, capture_output=True, **more)
    return r.returncode, r.stdout, r.stderr.decode('utf-8', 'replace')


def expect(what, good):
    global failures, checks
    checks += 1
    if not good:
        failures += 1
        print('FAILED: ' + what)


def expect_error(what, result, message):
    code, out, err = result
    expect('%s: exit code %d, %r, %r' % (what, code, out[:200], err[:200]),
           code == 1 and not out and err.startswith('predrace: ') and message in err and err.count('\n') == 1
           and len(err) < 1000 and all(c >= ' ' or c == '\n' for c in err))


# -- traces -----------------------------------------------------------------------------------
for what, text, message in (
        ('truncated in an operation', GOOD + b'T1|w(x', "<stdin>:3: expected ')' after 'w('"),
        ('truncated in a thread', GOOD + b'T1', "<stdin>:3: expected THREAD|OPERATION|LOCATION"),
        ('binary', bytes(range(256)) * 40, '<stdin>:1: '),
        ('a program', open(PREDRACE, 'rb').read(1 << 16), '<stdin>:1: '),
        ('zeros', b'\0' * 1000, '<stdin>:1: expected THREAD'),
        ('UTF-16', GOOD.decode().encode('utf-16'), '<stdin>:1: '),
        ('terminal controls', b'T1|acq(\x1b[2J\r)|1\nT2|acq(\x1b[2J\r)|1\n', '<stdin>:2: lock ?[2J? is held by T1'),
        ('a long name', b'T1|rel(' + b'm' * 60000 + b')|1\n', '<stdin>:1: lock mmm'),
        ('a long line', b'T1|w(' + b'x' * 70000 + b')\n', '<stdin>:1: the line is longer than 64 KiB'),
        ('unbalanced release', b'T1|rel(m)|1\n', '<stdin>:1: lock m is not held by T1'),
        ('unlock by another thread', b'T1|acq(m)|1\nT2|rel(m)|1\n', '<stdin>:2: lock m is not held by T2'),
        ('fork of oneself', b'T1|fork(T1)|1\n', '<stdin>:1: thread T1 was running before its fork')):
    for jobs in '1', '3':
        expect_error(what, run('analyze', '--engine=all', '--jobs=' + jobs, '-', stdin=text), message)
    expect_error(what + ', info', run('info', '-', stdin=text), message)
for what, text in (('CRLF', GOOD.replace(b'\n', b'\r\n')), ('blank lines', b'\n\r\n# a comment\n \t\n' + GOOD),
                   ('byte order mark', b'\xef\xbb\xbf' + GOOD), ('no newline at the end', GOOD[:-1]),
                   ('begin, branch', b'T1|begin|0\nT2|begin|0\nT1|branch|1\n' + GOOD),
                   ('join without fork', GOOD + b'T1|join(T2)|3\nT1|join(T3)|3\n')):
    code, out, err = run('analyze', '-', stdin=text)
    expect('%s: %d %s' % (what, code, err), code == 66 and b'data race on x' in out and not err)
code, out, err = run('analyze', '-', stdin=b'')
expect('empty', code == 0 and b'0 racing pairs in 0 events' in out and not err)

# A line without an end: refused after a bit of it, in little memory.
read, write = os.pipe()
writer = subprocess.Popen(['sh', '-c', 'yes | tr -d "\\n" | head -c 1073741824'], stdout=write, stderr=subprocess.DEVNULL)
os.close(write)
r = subprocess.run([PREDRACE, 'analyze', '-'], stdin=read, capture_output=True,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20)))
os.close(read)
writer.wait()
expect_error('a line of 1 GB', (r.returncode, r.stdout, r.stderr.decode()), '<stdin>:1: the line is longer than 64 KiB')

# -- JSON whatever the names are --------------------------------------------------------------
code, out, err = run('analyze', '--format=json', '-', stdin=b'T1|w(\xff"\\\x01\xc3\xa4)|\xed\xa0\x80\nT2|w(\xff"\\\x01\xc3\xa4)|2\n')
race = json.loads(out.decode('utf-8'))['races'][0]
expect('JSON: %r' % race, race['variable'] == '\ufffd"\\\x01\xe4' and race['loc'] == ['\ufffd' * 3, '2'])

with tempfile.TemporaryDirectory() as scratch:
    def path(name, contents=None):
        p = os.path.join(scratch, name)
        if contents is not None:
            with open(p, 'wb') as f:
                f.write(contents)
        return p

    # -- arguments ----------------------------------------------------------------------------
    good = path('good.std', GOOD)
    for arguments, message in (
            (['analyze', '--engine=', good], "unknown engine ''"),
            (['analyze', '--engine=cp,,hb', good], "unknown engine ''"),
            (['analyze', '--engine'], '--engine needs a value'),
            (['analyze', '--engine=nosuch', good], "unknown engine 'nosuch', expected all or some of: "),
            (['analyze', '--jobs=0', good], '--jobs: expected a number of at least 1'),
            (['analyze', '--jobs=two', good], '--jobs: expected a number'),
            (['analyze', '--window=-1', good], '--window: expected a number'),
            (['analyze', '--witnesses=some', good], "--witnesses: unknown choice 'some'"),
            (['analyze', path('none.std')], 'No such file'),
            (['info'], 'info: expected a trace'),
            (['info', '--format=xml', good], "unknown format 'xml'"),
            (['info', scratch], 'it is a directory'),
            (['convert', good], 'convert: expected two traces'),
            (['convert', '--rapid=1', good, good], '--rapid takes no value'),
            (['convert', good, good], 'are the same file'),
            (['convert', good, path('out.xyz')], 'no format has that ending, expected one of: .std'),
            (['convert', good, path('no/such/directory.std')], 'cannot write'),
            (['convert', path('none.std'), path('out.std')], 'No such file'),
            (['convert', '--rapid', '-', path('out.std')], 'reads the trace twice')):
        expect_error('predrace ' + ' '.join(arguments), run(*arguments), message)
    expect('a failed conversion leaves nothing', not os.path.exists(path('out.std')))
    for arguments in ['analyze', '--help'], ['convert', '--help'], ['info', '-h']:
        code, out, err = run(*arguments)
        expect(' '.join(arguments), code == 0 and out.startswith(b'usage: predrace ') and not err)
    text = run('analyze', '--help')[1]
    expect('the help has engines and dialect', b'causally-precedes' in text and b'event by event' in text
           and b'unlocked by another thread' in text and b'racq(l)' in text)

    # -- a full disk --------------------------------------------------------------------------
    big = path('big.std', b''.join(b'T%d|w(x%d)|%d\n' % (i % 3, i % 50, i) for i in range(20000)))
    for arguments in ['convert', big, '/dev/full'], ['convert', '--rapid', good, '/dev/full'], ['convert', good, '/dev/full']:
        expect_error('full disk: ' + ' '.join(arguments), run(*arguments), 'cannot write /dev/full: No space left')
    for arguments in (['analyze', big], ['analyze', '--format=json', good], ['info', good], ['analyze', '--help'],
                      ['convert', good, '-'], ['--help']):
        with open('/dev/full', 'wb') as full:
            r = subprocess.run([PREDRACE, *arguments], stdout=full, stderr=subprocess.PIPE)
        expect_error('full disk: ' + ' '.join(arguments), (r.returncode, b'', r.stderr.decode()), 'No space left')

    # -- convert and info ---------------------------------------------------------------------
    for name in sorted(n for n in os.listdir(FIGURES) if n.endswith('.std')):
        figure = os.path.join(FIGURES, name)
        code, out, err = run('convert', figure, path(name))
        same = [oracle.load(p) for p in (figure, path(name))]
        expect(name + ': convert', code == 0 and not out + err.encode()
               and all(getattr(same[0], k) == getattr(same[1], k) for k in ('thr', 'op', 'tgt', 'loc', 'atomic', 'rmw')))
        code, out, err = run('convert', '--rapid', figure, path('rapid.std'))
        lines = [l.split('|')[1].split('(')[0] for l in open(path('rapid.std'))]
        expect(name + ': convert --rapid', code == 0 and set(lines) <= {'r', 'w', 'acq', 'rel', 'fork', 'join', 'begin', 'end', 'branch'})
        plain = {(l, m) for l, m in ((s.loc[i], s.loc[j]) for s in [oracle.load(path('rapid.std'))] for i, j in oracle.hb_races(s))}
        full = {(same[0].loc[i], same[0].loc[j]) for i, j in oracle.hb_races(same[0])}
        expect(name + ': convert --rapid adds no race', plain <= full)
    ext = path('ext.std', b'T1|racq(l)|1\nT2|racq(l)|2\nT1|r(x)|3\nT1|rrel(l)|4\nT2|rrel(l)|5\nT3|acq(l)|6\nT3|acq(l)|6\nT3|w(x)|7\n'
                          b'T3|rel(l)|8\nT3|rel(l)|8\nT3|snd(c)|9\nT1|rcv(c)|10\nT1|w(x)|11\nT1|au(y)|12\nT2|ar(y)|13\nT2|at(o)|14\nT2|w(y)|15\n')
    code, out, err = run('convert', '--rapid', ext, '-')
    rapid = oracle.Trace(out.decode().splitlines())
    expect('--rapid: shared sections, hard order, atomics', code == 0
           and {(rapid.loc[i], rapid.loc[j]) for i, j in oracle.hb_races(rapid)} == set())
    code, out, err = run('convert', ext, '-')
    expect('convert to stdout, re-entrant sections as they were', code == 0 and out == open(ext, 'rb').read())
    code, out, err = run('info', '--format=json', ext)
    counts = json.loads(out)
    expect('info: %r' % counts, code == 0 and counts['events'] == 17 and counts['threads'] == 3 and counts['locks'] == 1
           and counts['variables'] == 2 and counts['channels'] == 1 and counts['objects'] == 1 and counts['reentrant'] == 2
           and counts['operations']['acq'] == 2 and counts['operations']['snd'] == 1 and counts['format'] == 'std')
    code, out, err = run('info', good, ext)
    expect('info, text', code == 0 and out.count(b'format std') == 2 and not err)

    # -- jobs and window change nothing else ----------------------------------------------------
    def races(*arguments):
        out = run('analyze', '--engine=all', '--format=json', *arguments, big)[1]
        return [(r['engine'], r['races']) for r in map(json.loads, out.splitlines())]
    alone = races()
    expect('--jobs', alone and alone == races('--jobs=2') == races('--jobs', '40'))
    expect('--window', races('--window=60') ==
           [(e, [x for x in r if x['second'] - x['first'] <= 60]) for e, r in alone] != alone)

print('%d checks, %d failures' % (checks, failures))
sys.exit(1 if failures else 0)
