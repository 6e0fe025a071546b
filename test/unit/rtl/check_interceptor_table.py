"""check_interceptor_table.py NM TABLE OBJECT...: every interceptor body has its row.

A body without a row compiles and links, and calls a null pointer in the first program that uses it.
(A row without a body does not link.)
"""
import re
import subprocess
import sys

nm, table, *objects = sys.argv[1:]
rows = re.findall(r"^PREDRACE_INTERCEPTOR(?:_VER)?\((\w+)", open(table).read(), re.M)
symbols = subprocess.run([nm, "--defined-only", "--demangle", *objects], check=True, capture_output=True, text=True).stdout
bodies = set(re.findall(r"__interception::real_(\w+)$", symbols, re.M))

errors = [f"{name}: a body, but no row" for name in sorted(bodies - set(rows))]
errors += [f"{name}: two rows" for name in sorted({r for r in rows if rows.count(r) > 1})]
if not bodies:
    errors.append("no bodies found in the objects")
print("\n".join(errors) or f"{len(rows)} rows, {len(bodies)} bodies")
sys.exit(bool(errors))
