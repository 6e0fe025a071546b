# How the lit tests are run. The site file that CMake writes (lit.site.cfg.py.in) says where the
# programs are and loads this one; without it, the tree's own build/ is used.
#
# Substitutions
#   %predrace_cc, %predrace_cxx   compile C, C++ with -fsanitize=predrace -g -O1 -pthread
#   %clang, %clangxx              the drivers alone; %tsan_cxx: clang's own TSan beside them
#   %opt, %plugin, %predrace, %oracle, %python, %inputs, %figures
#   %exits N PROGRAM              runs it and demands exit code N (a signal: its name)
#   %races PROGRAM                the same with 66, and at least one report
#   %silent PROGRAM               the same with 0, and not one word from PredRace
# The last three (Inputs/run.py) also record the run's events and demand that the live verdicts, the
# offline engine and, for short traces, the oracle agree on them.
#
# Parameters: --param tool=tsan runs race/ and norace/ under TSan 19 instead, to check the programs'
# verdicts; --param engine=E runs them with another engine; --param trace=0 leaves the recording out.
import os
import subprocess
import sys

import lit.formats
import lit.util

config.name = "PredRace"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cc", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "lit.site.cfg.py"]

here = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else config.test_source_root
root = os.path.dirname(os.path.dirname(here))
if not hasattr(config, "predrace_bin_dir"):
    build = os.path.join(root, "build")
    config.predrace_bin_dir = os.path.join(build, "bin")
    config.predrace_lib_dir = os.path.join(build, "lib")
    config.predrace_plugin = os.path.join(build, "lib",  "PredRacePass.so")
    config.llvm_tools_dir = "/usr/lib/llvm-19/bin"
    config.test_source_root = here
    config.test_exec_root = os.path.join(build, "test", "lit")

# A hung program must not hang the suite. lit can only kill a test's children with psutil; run.py has
# its own, shorter limit anyway.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 300

tool = lit_config.params.get("tool", "predrace")
inputs = os.path.join(here, "Inputs")
bin_dir = config.predrace_bin_dir
clang = os.path.join(config.llvm_tools_dir, "clang")
if tool == "tsan":
    cc = f"{clang} -fsanitize=thread"
    cxx = f"{clang}++ -fsanitize=thread"
else:
    cc = f"{bin_dir}/predrace-clang -fsanitize=predrace"
    cxx = f"{bin_dir}/predrace-clang++ -fsanitize=predrace"
common = f"-g -O1 -pthread -Wall -Wno-unused -I {inputs}"
run = f"{sys.executable} {inputs}/run.py"

# lit substitutes in order, so a name comes before any name that it begins with.
config.substitutions += [
    ("%predrace_cxx", f"{cxx} -std=c++20 {common}"),
    ("%predrace_cc", f"{cc} {common}"),
    ("%tsan_cxx", f"{clang}++ -fsanitize=thread -std=c++20 {common}"),
    ("%clangxx", f"{bin_dir}/predrace-clang++"),
    ("%clang", f"{bin_dir}/predrace-clang"),
    ("%opt", f"{config.llvm_tools_dir}/opt"),
    ("%plugin", config.predrace_plugin),
    ("%predrace", f"{bin_dir}/predrace"),
    ("%oracle", f"{sys.executable} {root}/test/oracle/oracle.py"),
    ("%python", sys.executable),
    ("%inputs", inputs),
    ("%figures", os.path.join(root, "test", "oracle", "figures")),
    ("%exits", f"{run} --exit"),
    ("%races", f"{run} --exit 66 --reports"),
    ("%silent", f"{run} --exit 0 --silent"),
]

config.environment["PATH"] = os.pathsep.join([config.llvm_tools_dir, os.environ.get("PATH", "")])
config.environment.pop("PREDRACE_OPTIONS", None)
config.environment.pop("TSAN_OPTIONS", None)
if "engine" in lit_config.params:
    config.environment["PREDRACE_OPTIONS"] = "engine=" + lit_config.params["engine"]
config.environment["PREDRACE_LIT_TOOL"] = tool
config.environment["PREDRACE_LIT_TRACE"] = lit_config.params.get("trace", "1")
config.environment["PREDRACE_LIT_BIN"] = bin_dir
config.environment["PREDRACE_LIT_ORACLE"] = os.path.join(root, "test", "oracle", "oracle.py")

config.available_features.add(tool)
if os.path.exists(f"{bin_dir}/predrace"):
    config.available_features.add("predrace-cli")
if os.geteuid() == 0:
    config.available_features.add("root")
mounts = "unshare -m mount -t tmpfs none /dev/shm"
if subprocess.run(mounts, shell=True, capture_output=True).returncode == 0:
    config.available_features.add("own-mounts")
