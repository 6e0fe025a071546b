// predrace analyze: runs engines over recorded traces, and says what they found.
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/engines/engines.h"
#include "runtime/trace/std_format.h"
#include "tools/predrace/commands.h"

namespace predrace {
namespace {

struct Options {
  std::vector<const EngineRow*> engines;
  bool json = false;
  std::vector<std::string> traces;
};

// One engine on one trace.
struct Result {
  const EngineRow* engine;
  std::vector<Race> races;
  std::unique_ptr<Engine> running;
};

int complain(const std::string& what) {
  std::fprintf(stderr, "predrace: %s\n", what.c_str());
  return kUsage;
}

bool addEngines(std::string_view list, Options* options, std::string* error) {
  options->engines.clear();
  while (!list.empty()) {
    std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    bool found = false;
    for (const EngineRow& row : engines()) {
      if (name != row.name && name != "all") continue;
      options->engines.push_back(&row);
      found = true;
    }
    if (found) continue;
    *error = "unknown engine '" + std::string(name) + "', expected one of:";
    for (const EngineRow& row : engines()) *error += " " + std::string(row.name);
    return false;
  }
  if (!options->engines.empty()) return true;
  *error = "--engine= needs a name";
  return false;
}

// Returns an exit code if there is nothing more to do.
std::optional<int> parse(std::span<const std::string_view> arguments, Options* options) {
  bool plain = false;
  std::string error;
  addEngines("cp", options, &error);
  for (std::string_view a : arguments) {
    if (plain || a == "-" || !a.starts_with('-')) {
      options->traces.emplace_back(a);
    } else if (a == "--") {
      plain = true;
    } else if (a == "--help" || a == "-h") {
      std::fputs(analyzeHelp(), stdout);
      for (const EngineRow& row : engines())
        std::printf("  %-10s %s\n             %s; %s; a report is certain for %s\n", row.name.data(),
                    row.reports.data(), row.paper.data(), row.mode == Mode::Online ? "online" : "whole trace",
                    row.sound.data());
      return kFine;
    } else if (a.starts_with("--engine=")) {
      if (!addEngines(a.substr(9), options, &error)) return complain(error);
    } else if (a == "--format=json" || a == "--format=text") {
      options->json = a == "--format=json";
    } else if (a.starts_with("--format=")) {
      return complain("unknown format '" + std::string(a.substr(9)) + "', expected text or json");
    } else {
      return complain("unknown option '" + std::string(a) + "' (see predrace analyze --help)");
    }
  }
  if (options->traces.empty()) return complain("analyze: expected a trace (see predrace analyze --help)");
  return std::nullopt;
}

std::string jsonString(std::string_view s) {
  std::string out = "\"";
  for (unsigned char c : s) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

const char* kindOf(const Race& r) { return r.unordered ? "data race" : "predicted data race"; }

void printJson(const Result& result, const std::string& trace, const StdReader& reader, double seconds) {
  const TraceNames& n = reader.names();
  std::vector<uint64_t> racy;
  for (const Race& r : result.races) racy.push_back(r.second.index);
  std::ranges::sort(racy);
  racy.erase(std::unique(racy.begin(), racy.end()), racy.end());
  std::string out = "{\"engine\":" + jsonString(result.engine->name) + ",\"trace\":" + jsonString(trace) +
                    ",\"events\":" + std::to_string(reader.events()) +
                    ",\"threads\":" + std::to_string(n.threads.size()) +
                    ",\"locks\":" + std::to_string(n.locks.size()) +
                    ",\"variables\":" + std::to_string(n.variables.size()) + ",\"racy_events\":[";
  for (size_t i = 0; i < racy.size(); ++i) out += (i ? "," : "") + std::to_string(racy[i]);
  out += "],\"races\":[";
  bool comma = false;
  for (const Race& r : result.races) {
    if (comma) out += ',';
    comma = true;
    out += "{\"first\":" + std::to_string(r.first.index) + ",\"second\":" + std::to_string(r.second.index) +
           ",\"variable\":" + jsonString(n.variables.nameOf(r.variable)) + ",\"loc\":[" +
           jsonString(n.sites.nameOf(r.first.site)) + "," + jsonString(n.sites.nameOf(r.second.site)) +
           "],\"kind\":" + jsonString(kindOf(r)) + ",\"witness\":null}";
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  char tail[96];
  std::snprintf(tail, sizeof tail, "],\"seconds\":%.6f,\"peak_rss_kb\":%ld}\n", seconds, usage.ru_maxrss);
  out += tail;
  std::fputs(out.c_str(), stdout);
}

std::string describe(const RacingAccess& a, const TraceNames& n) {
  std::string out =
      std::string(n.threads.nameOf(a.thread)) + " " + textOf(a.op) + ", event " + std::to_string(a.index);
  if (std::string site = n.sites.nameOf(a.site); !site.empty()) out += " at " + site;
  return out;
}

void printText(const Result& result, const std::string& trace, const StdReader& reader, double seconds) {
  const TraceNames& n = reader.names();
  for (const Race& r : result.races) {
    std::printf("%s: %s: %s on %s: %s, and %s", trace.c_str(), result.engine->name.data(), kindOf(r),
                std::string(n.variables.nameOf(r.variable)).c_str(), describe(r.first, n).c_str(),
                describe(r.second, n).c_str());
    if (r.handOver.lock != kNone)
      std::printf(" (ordered in this run by lock %s, from %s to %s)",
                  std::string(n.locks.nameOf(r.handOver.lock)).c_str(),
                  std::string(n.threads.nameOf(r.handOver.fromThread)).c_str(),
                  std::string(n.threads.nameOf(r.handOver.toThread)).c_str());
    std::printf("\n");
  }
  std::printf("%s: %s: %zu racing pairs in %llu events (%u threads, %u locks, %u variables), %.3f s\n",
              trace.c_str(), result.engine->name.data(), result.races.size(),
              static_cast<unsigned long long>(reader.events()), n.threads.size(), n.locks.size(),
              n.variables.size(), seconds);
}

// All engines in one pass, so that a trace can come through a pipe.
int analyzeTrace(const std::string& trace, const Options& options) {
  std::ifstream file;
  if (trace != "-") {
    std::error_code ignored;
    if (std::filesystem::is_directory(trace, ignored))
      return complain("cannot read " + trace + ": it is a directory");
    file.open(trace, std::ios::binary);
    if (!file) return complain("cannot read " + trace + ": " + std::strerror(errno));
  }
  StdReader reader(trace == "-" ? std::cin : file, trace == "-" ? "<stdin>" : trace);
  std::vector<std::unique_ptr<Result>> results;
  for (const EngineRow* row : options.engines) {
    results.push_back(std::make_unique<Result>());
    Result* r = results.back().get();
    r->engine = row;
    r->running = row->make([r](const Race& race) { r->races.push_back(race); });
  }
  auto start = std::chrono::steady_clock::now();
  Event e;
  while (reader.next(&e))
    for (auto& r : results) r->running->on(e);
  if (!reader.error().empty()) return complain(reader.error());
  for (auto& r : results) r->running->finish();
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  bool racy = false;
  for (auto& r : results) {
    std::ranges::sort(r->races, std::less(),
                      [](const Race& x) { return std::pair(x.second.index, x.first.index); });
    racy |= !r->races.empty();
    (options.json ? printJson : printText)(*r, trace, reader, seconds);
  }
  return racy ? kRaces : kFine;
}

}  // namespace

const char* analyzeHelp() {
  return "usage: predrace analyze [--engine=E[,E...]|all] [--format=text|json] TRACE...\n"
         "\n"
         "Finds the races of recorded traces (.std text; - is stdin). Exit code 0: no race,\n"
         "66: races, 1: bad usage or unreadable input.\n"
         "\n"
         "engines (default cp):\n";
}

int analyze(std::span<const std::string_view> arguments) {
  Options options;
  if (std::optional<int> done = parse(arguments, &options)) return *done;
  int worst = kFine;
  for (const std::string& trace : options.traces) {
    int code = analyzeTrace(trace, options);
    if (code == kUsage || worst == kFine) worst = code;
  }
  return worst;
}

}  // namespace predrace
