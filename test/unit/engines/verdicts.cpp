// verdicts: what the engines say about many small traces, in one process.
//
//   verdicts [--engines A,B,...] [--fold BYTES] [--waiting N] [--idle N] [--sections N] [--longest N]
//            [--window N] [--inexact 1] < traces
//
// Each trace ends with a line `===`. Default are all engines. The other options are the limits
// of CpOptions, WcpOptions and OnlineOptions, and folding to so many bytes every eight events.
//
// One line per trace: `NAME N pairs... | NAME N pairs...`, a pair as `i:j:flags` (u unordered,
// f first on its variable, w with a witness that the checker accepts); or `error REASON`. For
// test/oracle/compare.py.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "runtime/engines/check.h"
#include "runtime/engines/cp.h"
#include "runtime/engines/engines.h"
#include "runtime/engines/online.h"
#include "runtime/engines/wcp.h"
#include "runtime/trace/std_format.h"

namespace predrace {
namespace {

struct Options {
  std::vector<const EngineRow*> engines;
  CpOptions cp;
  WcpOptions wcp;
  OnlineOptions online;
  size_t foldBytes = 0;
};

struct Running {
  std::string_view name;
  const std::vector<Event>& events;  // those the engine has seen
  std::unique_ptr<Engine> engine;
  uint64_t count = 0;
  std::string pairs;

  void found(const Race& r) {
    ++count;
    pairs += ' ' + std::to_string(r.first.index) + ':' + std::to_string(r.second.index) + ':';
    if (r.unordered) pairs += 'u';
    if (r.firstOnVariable) pairs += 'f';
    if (r.witness && accepted(r)) pairs += 'w';
  }
  bool accepted(const Race& r) const {
    return WitnessChecker(events).check(r.witness->schedule(), r.first.index, r.second.index).empty();
  }
};

std::unique_ptr<Engine> make(const EngineRow& row, const Options& options, RaceSink sink) {
  if (row.name == "cp") return std::make_unique<CpEngine>(options.cp, sink);
  if (row.name == "wcp") return std::make_unique<WcpEngine>(options.wcp, sink);
  if (row.name == "online") return std::make_unique<OnlineEngine>(sink, options.online);
  return row.make(sink);
}

void analyse(const std::string& text, const Options& options) {
  std::vector<Event> events;
  std::vector<std::unique_ptr<Running>> all;
  for (const EngineRow* row : options.engines) {
    Running& one = *all.emplace_back(std::make_unique<Running>(row->name, events));
    RaceSink sink = [&one](const Race& r) { one.found(r); };
    one.engine = make(*row, options, sink);
  }
  std::istringstream in(text);
  StdReader reader(in, "trace");
  Event e;
  while (reader.next(&e)) {
    events.push_back(e);
    for (auto& one : all) {
      one->engine->on(e);
      if (options.foldBytes && e.index % 8 == 7) one->engine->fold(options.foldBytes);
    }
  }
  for (auto& one : all) one->engine->finish();
  if (!reader.error().empty()) {
    std::printf("error %s\n", reader.error().c_str());
    return;
  }
  const char* separator = "";
  for (auto& one : all) {
    std::printf("%s%s %llu%s", separator, one->name.data(), static_cast<unsigned long long>(one->count),
                one->pairs.c_str());
    separator = " | ";
  }
  std::printf("\n");
}

bool choose(const std::string& list, Options* options) {
  for (const std::string& name : std::vector<std::string>(absl::StrSplit(list, ','))) {
    const EngineRow* row = findEngine(name);
    if (!row) return false;
    options->engines.push_back(row);
  }
  return true;
}

}  // namespace
}  // namespace predrace

int main(int argc, char** argv) {
  predrace::Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--engines") {
      if (predrace::choose(argv[i + 1], &options)) continue;
      std::fprintf(stderr, "verdicts: no such engines: %s\n", argv[i + 1]);
      return 1;
    }
    auto value = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
    if (option == "--fold") options.foldBytes = value;
    if (option == "--waiting") options.cp.waiting = value;
    if (option == "--idle") options.cp.idle_threads = value;
    if (option == "--window") options.online.window = value;
    if (option == "--inexact") options.online.exactOrder = value == 0;
    if (option == "--sections") options.wcp.sections = value;
    if (option == "--longest") options.cp.longest = options.wcp.longest = value;
  }
  if (options.engines.empty())
    for (const predrace::EngineRow& row : predrace::engines()) options.engines.push_back(&row);
  std::string line, text;
  while (std::getline(std::cin, line)) {
    if (line == "===") {
      predrace::analyse(text, options);
      text.clear();
    } else {
      text += line;
      text += '\n';
    }
  }
  return 0;
}
