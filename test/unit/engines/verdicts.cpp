// verdicts: what the engines say about many small traces, in one process.
//
//   verdicts [--fold BYTES] < traces        each trace ends with a line `===`
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

void analyse(const std::string& text, size_t foldBytes) {
  std::vector<Race> cp, hb;
  CpEngine cpEngine(CpOptions(), [&](const Race& r) { cp.push_back(r); });
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
  size_t foldBytes = 0;
  if (argc == 3 && std::string(argv[1]) == "--fold") foldBytes = std::strtoull(argv[2], nullptr, 10);
  std::string line, text;
  while (std::getline(std::cin, line)) {
    if (line == "===") {
      predrace::analyse(text, foldBytes);
      text.clear();
    } else {
      text += line;
      text += '\n';
    }
  }
  return 0;
}
