// verdicts: what the engines say about many small traces, in one process.
//
//   verdicts [--fold BYTES] [--waiting N] [--idle N] [--longest N] < traces
//
// Each trace ends with a line `===`. The options are CpOptions' limits, and folding to so
// many bytes every eight events.
//
//
// One line per trace: `cp N pairs... | hb N pairs...`, a pair as `i:j:flags` (u unordered,
// m must-ordered, f first on its variable); or `error REASON`. For test/oracle/compare.py.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/engines/cp.h"
#include "runtime/engines/hb.h"
#include "runtime/trace/std_format.h"

namespace predrace {
namespace {

void print(const char* name, const std::vector<Race>& races) {
  std::printf("%s %zu", name, races.size());
  for (const Race& r : races) {
    std::printf(" %llu:%llu:", static_cast<unsigned long long>(r.first.index),
                static_cast<unsigned long long>(r.second.index));
    if (r.unordered) std::printf("u");
    if (r.mustOrdered) std::printf("m");
    if (r.firstOnVariable) std::printf("f");
  }
}

void analyse(const std::string& text, CpOptions options, size_t foldBytes) {
  std::vector<Race> cp, hb;
  CpEngine cpEngine(options, [&](const Race& r) { cp.push_back(r); });
  HbEngine hbEngine([&](const Race& r) { hb.push_back(r); });
  std::istringstream in(text);
  StdReader reader(in, "trace");
  Event e;
  while (reader.next(&e)) {
    cpEngine.on(e);
    hbEngine.on(e);
    if (foldBytes && e.index % 8 == 7) cpEngine.fold(foldBytes);
  }
  cpEngine.finish();
  if (!reader.error().empty()) {
    std::printf("error %s\n", reader.error().c_str());
    return;
  }
  print("cp", cp);
  print(" | hb", hb);
  std::printf("\n");
}

}  // namespace
}  // namespace predrace

int main(int argc, char** argv) {
  predrace::CpOptions options;
  size_t foldBytes = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    auto value = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
    if (option == "--fold") foldBytes = value;
    if (option == "--waiting") options.waiting = value;
    if (option == "--idle") options.idle_threads = value;
    if (option == "--longest") options.longest = value;
  }
  std::string line, text;
  while (std::getline(std::cin, line)) {
    if (line == "===") {
      predrace::analyse(text, options, foldBytes);
      text.clear();
    } else {
      text += line;
      text += '\n';
    }
  }
  return 0;
}
